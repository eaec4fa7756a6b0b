"""Problems: their catalogue of codes, where they are in a file, and suggested fixes.

Start with `diagnostic.py`.  May import disk.
"""
