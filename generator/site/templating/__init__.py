"""Jinja environments, themes and Markdown of the site.

Start with `theme.py`.
"""
