"""The files next to the records: registry.yaml, removed.yaml and approvals.yaml.

Start with `registry.py`.
"""
