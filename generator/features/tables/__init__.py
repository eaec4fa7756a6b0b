"""Records as rows of a table: export, and import of what people have.

For people who keep data in spreadsheets.  Adds the commands `registry export` and
`registry import`.  Tables are read by `generator.edit.tables`, which `registry match`
uses too.  Start with `run.py`.
"""
