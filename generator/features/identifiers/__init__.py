"""Identifiers: what others call the subject of a record, like `wikidata: Q95`.

For people who join a registry with other data.  Adds the field `identifiers` of all records, the
keys `identifier_schemes` and `publish.by_id` of registry.yaml, and the documents below
`/api/by-id/`.
"""
