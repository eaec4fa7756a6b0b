"""The address of the page *Cite this*."""

from generator.contract.addresses import path_form

CITE = "/docs/cite/"
FORMS = (path_form("site", f"{CITE}index.html"),)
