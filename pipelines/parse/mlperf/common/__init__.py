"""What Training, HPC and Inference rounds share. Knows no suite."""
