"""The door for assistants (Model Context Protocol): `tools` says what may be called and answers; `server` speaks."""
