"""The dashboard: reads the published warehouse, draws it, and writes nothing, ever."""
