"""MLPerf Inference rounds: summaries and detail logs, power, accuracy. `suite.INFERENCE` is what others use."""
