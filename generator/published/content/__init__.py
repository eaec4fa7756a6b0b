"""Reads a content folder: its records, their problems, and what is kept of them."""
