"""Logos: pictures of records, SVG or PNG.

For lists and pages that people look through.  Adds the field `logo` of projects, programs and
organizations, what a picture may contain, and the files below `/media/`.
"""
