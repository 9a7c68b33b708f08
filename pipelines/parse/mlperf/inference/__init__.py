"""MLPerf Inference rounds: layout → collect → figures → rows. Pure; `rounds.parse_inference` is the way in."""
