"""Frames to charts. Pure: no SQL, no Streamlit; axis and format follow the metric's unit."""
