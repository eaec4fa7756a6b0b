"""The published contract: files and their paths, the manifest, list documents, JSON Schemas and
their lock.

Start with `artifact.py`.  May import model and below.
"""
