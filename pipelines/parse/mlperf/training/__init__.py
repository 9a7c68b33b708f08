"""MLPerf Training and HPC rounds: logs of runs, scored by the official rules. `result.TRAINING` is what others use."""
