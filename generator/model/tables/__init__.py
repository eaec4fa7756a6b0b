"""Rows of records, tables of rows, and counts of filters, fields and breakdowns."""
