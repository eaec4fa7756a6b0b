"""Embedding: charts and lists of a registry for pages of other sites.

For people who write about the data on a site of their own.  Adds pages below `/embed/`, which other
sites may show in a frame, and the lines to copy for them on the home page and on lists.
"""

from __future__ import annotations

from generator.contract.addresses import PathPattern
from generator.grammar.headers import BASE_POLICY
from generator.text.words import SLUG

EMBEDS = "/embed"
FORMS = (PathPattern("site", f"{EMBEDS[1:]}/{SLUG}", r"index\.html"),)
POLICIES = {EMBEDS: f"{BASE_POLICY}; frame-ancestors *"}
