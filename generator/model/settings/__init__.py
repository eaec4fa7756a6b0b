"""The files beside the records: registry.yaml, removed.yaml and approvals.yaml.

Start with `registry.py`.
"""
