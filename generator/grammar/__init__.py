"""Addresses and queries of the API, and how texts are folded.

Start with `grammar.py`.  May import problems and disk.
"""
