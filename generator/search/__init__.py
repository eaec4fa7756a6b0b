"""The search index: its format, how the build makes it, and the engine that answers from it.

Start with `format.py`.
"""
