"""Stores: buckets and other places that fsspec knows by a URL. Builds are published there, and
content can be read from there.
"""
