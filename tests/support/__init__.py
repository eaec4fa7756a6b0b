"""Shared test helpers: commands and hosts to run, registries to build, requests to send.  pytest
has `tests` on its path.
"""
