"""YAML: bytes to plain data with positions, and changes to a text that keep the rest as it is.

Start with `parse.py`. May import grammar and below.
"""
