"""Stores: buckets and whatever else fsspec knows by a URL, which a build is published into and
which content comes from.
"""
