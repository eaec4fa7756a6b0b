"""The addresses of pages that other sites may embed in frames."""

from generator.contract.layout import PathPattern
from generator.grammar.headers import BASE_POLICY
from generator.text.words import SLUG

EMBEDS = "/embed"
FORMS = (PathPattern("site", f"{EMBEDS[1:]}/{SLUG}", r"index\.html"),)
POLICIES = {EMBEDS: f"{BASE_POLICY}; frame-ancestors *"}
