"""Records as rows of a table: export, and import from CSV, JSON and NDJSON.

Start with `import_table.py`.
"""
