"""Rows of records, the tables made of them, and the counts of filters, fields and breakdowns."""
