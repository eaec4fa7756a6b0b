"""The files of an output: which files a build writes, keeps and removes, and how it commits them.

Start with `output.py`.
"""
