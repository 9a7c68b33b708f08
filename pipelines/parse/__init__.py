"""Bytes to tables and documents. Pure: a parser gets bytes or a stream and gives typed rows."""
