"""Guesses at the columns of a table of other people, from their names and their cells.

`propose.py` says which fields they are, `own.py` declares fields for what no field fits, and
`map_lines.py` writes the lines of a map.
"""
