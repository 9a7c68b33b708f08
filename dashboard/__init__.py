"""The dashboard: reads the published file and draws it. It writes nothing.

`server` and `app` start it, `navigation` finds the pages in `views`. A view asks `queries`, draws with `charts`, and is
built from `components`. Words and figures that the command line needs too are in `warehouse.answers`.
"""
