"""The data model: kinds of records, settings, links between records, checks, and tables of rows.

Start with `kinds/`.
"""
