"""Logos: checks the bytes of SVG and PNG files, and writes the bytes to publish.

`logo.read_logo` is the way in.
"""
