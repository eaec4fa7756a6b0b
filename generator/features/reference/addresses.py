"""The addresses of the pages below `/docs/`."""

from generator.contract.addresses import PathPattern

FORMS = (PathPattern("site", "docs/(?:agents|api(?:/[a-z-]+)?)", r"index\.html"),)
