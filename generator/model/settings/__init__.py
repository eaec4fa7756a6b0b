"""The files next to the records; `registry.py` has registry.yaml."""
