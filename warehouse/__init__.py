"""From lake and committed facts to one published DuckDB file, and the one way to read it."""
