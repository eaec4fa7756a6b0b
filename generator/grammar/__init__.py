"""Addresses and queries of the API, and how texts are folded for search.

Start with `grammar.py`. May import problems and disk.
"""
