"""A published registry as a client sees it, in a folder or over HTTP: query, verify, mirror.

Start with `client.py`. May import search and below, never what builds a registry.
"""
