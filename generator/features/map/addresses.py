"""The addresses of the pages of the map."""

from generator.contract.layout import PathPattern
from generator.kinds import KINDS

MAP = "/map/"
FORMS = (PathPattern("site", f"map(?:/(?:{'|'.join(KINDS)}))?", r"index\.html"),)
