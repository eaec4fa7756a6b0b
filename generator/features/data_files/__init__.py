"""Data files: all records as tables, in CSV, NDJSON, Parquet or SQLite.

For people who analyse the whole registry in a spreadsheet, a notebook or a database.  Adds the
key `data` of registry.yaml, the files below `/data/` and a Data Package (datapackage.org) that
describes them.  The home page lists the files that the package describes.
"""
