"""Verify: check that every file of a registry, or a saved answer, is as it was published.

For whoever publishes a registry and for its readers.  Adds `registry verify`.
"""
