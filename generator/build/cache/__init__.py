"""Results of a build and digests of their inputs, kept for the next build.

Start with `store.py`.
"""
