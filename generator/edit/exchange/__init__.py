"""Import and export of records as tables: CSV, JSON and NDJSON."""
