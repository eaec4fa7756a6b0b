"""Addresses and queries of the API; folded texts, words and slugs.

Start with `grammar.py`.  May import problems and disk.
"""
