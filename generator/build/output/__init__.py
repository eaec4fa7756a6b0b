"""The files of an output: which are written, kept and removed, and how they are put in place.

Start with `files.py`.
"""
