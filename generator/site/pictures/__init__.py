"""Pictures with text as PNG, drawn by the standard library.

Start with `lettering.py`.
"""
