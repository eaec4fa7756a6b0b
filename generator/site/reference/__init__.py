"""The API reference as data for its pages.

Start with `openapi_pages.py`.
"""
