"""Problems for people: their codes, positions, hints and safe fixes.

Start with `diagnostic.py`. May import disk.
"""
