"""Formats of published files: artifacts, list documents, manifest, iCalendar, JSON Schemas and
their lock.

Start with `artifact.py`. May import model and below.
"""
