"""The addresses of the page and of its configuration."""

from generator.contract.layout import PathPattern
from generator.grammar.paths import ADMIN

FORMS = (PathPattern("site", ADMIN[1:], r"(?:index\.html|config\.yml)"),)
