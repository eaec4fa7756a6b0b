"""Files among the records that are neither records nor logos: what they look like, and what to do
with them.
"""

from __future__ import annotations

import re
from collections.abc import Container

from generator.kinds import KIND_OF
from generator.kinds.every import FILE_READERS
from generator.text.words import is_slug

ENDINGS = (".yaml", ".yml")  # of a record's file
LOGO_ENDINGS = (".svg", ".png")
#: Collections whose records may have a logo.
LOGO_COLLECTIONS = tuple(FILE_READERS)
#: The endings of other pictures.
_PICTURES = ("jpg", "jpeg", "gif", "webp", "avif", "ico", "svgz", "bmp", "tif", "tiff", "eps")

_COPIES = {"bak", "orig", "old", "rej", "swp", "tmp"}


def kind_with_article(collection: str) -> str:
    """The kind of a collection's records with its article: "an event"."""
    kind = KIND_OF[collection]
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def describe_stray(name: str, collection: str) -> tuple[str, str]:
    """The message and the hint for a file among the records of a collection."""
    record = kind_with_article(collection)
    stem, dot, ending = name.rpartition(".")
    ending_lower = ending.lower()
    if name[-1] == "~" or name[0] == "#" or ending_lower in _COPIES:
        return "this looks like a copy that an editor or a merge left", "remove it"
    if ending_lower in ("yaml", "yml"):
        message = f"this looks like {record}, but .{ending} must be in lower case"
        return message, f'rename it to "{stem}.{ending_lower}"'
    if ending_lower == "json":
        return f"this looks like {record} in JSON", f'rename it to "{stem}.yaml": JSON is YAML too'
    if ending_lower == "txt" and stem.lower().endswith(ENDINGS):
        message = f"this looks like {record} that an editor saved as plain text"
        return message, f'rename it to "{stem}"'
    if not dot and is_slug(name):
        message = f"this looks like {record} whose file name lacks .yaml"
        return message, f'rename it to "{name}.yaml"'
    if f".{ending_lower}" in LOGO_ENDINGS:
        return _describe_logo(stem, ending, collection)
    if ending_lower in _PICTURES and collection in LOGO_COLLECTIONS:
        return f"this looks like a logo, and .{ending} files are ignored", "export it as SVG or PNG"
    message = "the build ignores this: names of record files end in .yaml or .yml"
    return message, "move it out of the content folder; only README files may stay"


def _describe_logo(stem: str, ending: str, collection: str) -> tuple[str, str]:
    """The message and the hint for a logo that is ignored."""
    if collection not in LOGO_COLLECTIONS:
        beside = ", ".join(f"{c}/" for c in LOGO_COLLECTIONS)
        hint = f"put it beside a record in {beside}" if beside else "remove it"
        return f"{collection} have no logo", hint
    if ending.lower() != ending:
        message = f"this looks like a logo, but .{ending} must be in lower case"
        return message, f'rename it to "{stem}.{ending.lower()}"'
    return "this logo is a link", "put the file itself here"


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
