"""MLPerf Training and HPC rounds: logs of runs, scored by the official rules. `suite.TRAINING` is what others use."""
