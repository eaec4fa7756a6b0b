"""Records as rows, rows as tables, tables as filters with their values."""
