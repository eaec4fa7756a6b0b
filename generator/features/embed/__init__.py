"""Embedding: charts and lists of a registry for pages of other sites.

For people who write about the data on a site of their own.  Adds pages below `/embed/`, which other
sites may show in a frame, and the lines to copy for them on the home page and on lists.
"""
