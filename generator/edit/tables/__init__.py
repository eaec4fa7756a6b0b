"""Tables of other people: rows with their places, from files of many formats.

`generator.edit.tables.sources` finds and reads them; a row is a `SheetRow`, whatever it was read
from.
"""
