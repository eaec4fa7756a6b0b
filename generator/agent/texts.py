"""Texts of the tools and of the MCP server that have no parts to fill in.

search/js/source/tools.mjs and mcp.mjs read them from their table.
"""

from __future__ import annotations

#: Notes in answers.
ALTERNATIVES = (
    "Nothing matches your query. These other queries find records: with one filter left out, with "
    "a similar tag, or with one word changed. Say so if you use one of them."
)
SELECTED = (
    "selected is what your filters ask for. values are the alternatives, counted without that "
    "filter."
)
TWINS = (
    "Tags of other families with the same word, and how many records match with them instead. "
    "The records may overlap; the filter tag counts each once."
)
PER = "values of per at most, to fit; to count all, filter by the value and count by them."
PROGRAMS = "kind program includes its cohorts; kind cohort is a single cohort."
NEWEST = (
    "Programs of one year are sorted by name. For the newest, compare starts; if it is null, the "
    "season in the name: Winter, Spring, Summer, Fall (Autumn)."
)
NO_VALUES = "No value has a word that begins with this; search_records searches the texts."
#: Refusals of calls.
NO_CONTEXT = "This registry has no such context."
WHOLE_PROOF = "proof is of a whole record: leave out field."
#: Errors of the protocol.
NOT_ACCEPTABLE = "Not Acceptable: Client must accept application/json"
NOT_JSON = "Unsupported Media Type: Content-Type must be application/json"
NO_MESSAGE = "Body must be a single JSON-RPC request or notification object"
PARSE_ERROR = "Parse error"
NO_METHOD = "Method not found"
NO_VERSION = "Unsupported protocol version"
INVALID_PARAMS = "Invalid request parameters"
NO_RESOURCE = "There is no such resource; resources/list has all."
NO_CURSOR = "There is no such cursor: each list is complete in one answer."

#: All of these by their name in small letters.
TEXTS = {name.lower(): text for name, text in tuple(globals().items()) if name.isupper()}
