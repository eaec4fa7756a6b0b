"""Identifiers: what others call the subject of a record, like `wikidata: Q95`.

For people who join a registry with other data.  Adds the field `identifiers` of all records.
"""
