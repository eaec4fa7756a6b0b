"""Cluster: a build on several machines, as workers of dask.

For registries of a million records.  Adds the options `--executor` and `--scheduler` of
`registry build`; the bytes are those of a build on one machine.
"""
