"""Records as rows, rows as tables, and the values of filters with their counts: see `table.py`."""
