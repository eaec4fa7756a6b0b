"""Files among the records that are neither records nor logos: what they look like, and what to do
with them.
"""

from __future__ import annotations

import re
from collections.abc import Container

from generator.kinds import Kinds
from generator.text.words import is_slug

ENDINGS = (".yaml", ".yml")  # of a record's file
LOGO_ENDINGS = (".svg", ".png")
#: The endings of other pictures.
_PICTURES = ("jpg", "jpeg", "gif", "webp", "avif", "ico", "svgz", "bmp", "tif", "tiff", "eps")

_COPIES = {"bak", "orig", "old", "rej", "swp", "tmp"}


def describe_stray(name: str, collection: str, kinds: Kinds) -> tuple[str, str]:
    """The message and the hint for a file among the records of a collection."""
    stem, dot, ending = name.rpartition(".")
    lower = ending.lower()
    is_logo, looks = (
        f".{lower}" in LOGO_ENDINGS,
        f"this looks like {kinds[collection].with_article}",
    )
    if name[-1] == "~" or name[0] == "#" or lower in _COPIES:
        return "this looks like a copy that an editor or a merge left", "remove it"
    if is_logo and collection not in kinds.file_readers:
        beside = ", ".join(f"{c}/" for c in kinds.file_readers)
        hint = f"put it beside a record in {beside}" if beside else "remove it"
        return f"{collection} have no logo", hint
    if lower in ("yaml", "yml") or (is_logo and lower != ending):
        looks = "this looks like a logo" if is_logo else looks
        return f"{looks}, but .{ending} must be in lower case", f'rename it to "{stem}.{lower}"'
    if is_logo:
        return "this logo is a link", "put the file itself here"
    if lower == "json":
        return f"{looks} in JSON", f'rename it to "{stem}.yaml": JSON is YAML too'
    if lower == "txt" and stem.lower().endswith(ENDINGS):
        return f"{looks} that an editor saved as plain text", f'rename it to "{stem}"'
    if not dot and is_slug(name):
        return f"{looks} whose file name lacks .yaml", f'rename it to "{name}.yaml"'
    if lower in _PICTURES and collection in kinds.file_readers:
        return f"this looks like a logo, and .{ending} files are ignored", "export it as SVG or PNG"
    message = "the build ignores this: names of record files end in .yaml or .yml"
    return message, "move it out of the content folder; only README files may stay"


def strip_extension(text: str) -> str:
    """A slug without the ending of a record's file, or several."""
    return re.sub(r"(?:\.ya?ml)+$", "", text.strip(), flags=re.I)


_COPY = r"(?:cop(?:y|ie|ia)|kop(?:ie|ia|i)|kopija|cópia)"
_is_copy = re.compile(
    rf"\(\d+\)$|[ _-]{_COPY}(?: ?\(?\d+\)?)?$|^{_COPY} (?:of|von|de|di|van|av|af) "
    r"|[ ._([-](?:sync-)?(?:conflict|konflikt|conflit)(?:ed|\b)|conflicted copy|in konflikt",
    re.I,
).search
_numbered = re.compile(r"(.+) \d{1,2}$").match


def is_copy(slug: str, beside: Container[str] = ()) -> bool:
    """Whether a file name looks like that of a copy: `acme (1)`, `Copy of acme`,
    `acme.sync-conflict-20270131-1`; `acme 2` if the name without the number is in `beside`.
    """
    numbered = _numbered(slug)
    return _is_copy(slug) is not None or (numbered is not None and numbered[1] in beside)


_is_reserved = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9])", re.I).fullmatch


def is_reserved(slug: str) -> bool:
    """Whether Windows has no file with this name, whatever its ending."""
    return _is_reserved(slug) is not None


def is_readme(name: str) -> bool:
    return name.upper().startswith("README")
