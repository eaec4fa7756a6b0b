"""The addresses of pages that other sites may embed; hosts allow frames below EMBEDS."""

from generator.contract.layout import PathPattern
from generator.grammar.paths import EMBEDS
from generator.text.words import SLUG

FORMS = (PathPattern("site", f"{EMBEDS[1:]}/{SLUG}", r"index\.html"),)
