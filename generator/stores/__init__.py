"""Buckets and other places that fsspec knows by a URL: a build published into one, and content read
from one.

Start with `publish.py`. May import all that a build writes, not the build itself.
"""
