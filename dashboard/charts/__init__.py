"""Frames to charts. Pure: no SQL, no Streamlit; axis and format follow the metric's unit."""

from dashboard.charts.altair_classes import keep_classes

keep_classes()
