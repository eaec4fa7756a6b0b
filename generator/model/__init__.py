"""The registry: kinds of records, settings, links between records, checks, and tables of rows.

Start with `kinds/`. May import dialect and below.
"""
