"""MLPerf Inference rounds: summaries and detail logs, power, accuracy. `result.INFERENCE` is what others use."""
