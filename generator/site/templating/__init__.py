"""Jinja environments and Markdown of the site.

Start with `fast_jinja.py`.
"""
