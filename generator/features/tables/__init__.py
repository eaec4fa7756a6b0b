"""Records as rows of a table: export, and import from CSV, JSON and NDJSON.

For people who keep data in spreadsheets.  Adds the commands `registry export` and
`registry import`.  Tables are read by `generator.edit.tables`, which `registry match`
uses too.  Start with `import_table.py`.
"""
