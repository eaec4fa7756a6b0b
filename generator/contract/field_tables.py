"""The tables of fields in docs/authoring.md: what each field takes, and what it means."""

from __future__ import annotations

import re
from collections.abc import Iterable

from generator import PACKAGE
from generator.kinds import KIND_OF, KINDS
from generator.kinds.added import with_added
from generator.kinds.declare import Field, placed, read_fields
from generator.kinds.record import Record

#: The document, in a checkout of the generator.
FIELDS = PACKAGE.parent / "docs" / "authoring.md"
_HEAD = "| field | takes | meaning |\n|---|---|---|\n"
_EACH_RECORD = "Every record"
#: Type of a field -> what one value is, and what several are.
_TAKES = {
    "prose": ("text, at most {0.greatest:,} characters", ""),
    "slug": ("slug", "list of slugs"),
    "boolean": ("`true` or `false`", ""),
    "date": ("`YYYY-MM-DD`", "list of dates"),
    "time": ("a time", ""),
    "zone": ("an IANA zone, or `AoE`", ""),
    "url": ("URL", "list of URLs"),
    "places": ("", "list of places"),
    "tags": ("family: list of slugs", ""),
    "links": ("key: URL", ""),
    "codes": ("", "list of codes"),
    "own": ("key: value", ""),
    "text": (
        "one line, {0.least}–{0.greatest} characters",
        "list of lines, {0.least}–{0.greatest} characters each",
    ),
    "year": ("{0.least}–{0.greatest}", ""),
    "number": ("a whole number, {0.least:,} to {0.greatest:,}", ""),
}  # fmt: skip


def field_tables(text: str) -> str:
    """The document with the tables of all fields that are declared now; a kind that has no section
    yet gets one at the end.
    """
    common = read_fields(with_added(Record))
    common = {name: common[name] for name in placed(common, common)}
    text = _with_table(text, _EACH_RECORD, common.values())
    for name, kind in KINDS.items():
        own = (f for f in kind.written.values() if f.name not in common)
        text = _with_table(text, name.capitalize(), own)
    return text


def _with_table(text: str, title: str, fields: Iterable[Field]) -> str:
    table = _HEAD + "".join(map(_line, fields))
    if f"\n## {title}\n" not in text:
        return f"{text}\n## {title}\n\n{table}"
    before, after = text.split(f"\n## {title}\n", 1)
    after = re.sub(rf"{re.escape(_HEAD)}(?:\|.*\n)*", lambda _: table, after, count=1)
    return f"{before}\n## {title}\n{after}"


def _line(f: Field) -> str:
    words = f.words.text.rstrip(".")
    if not re.match("[A-Z]{2}", words):
        words = words[:1].lower() + words[1:]
    star = " *" if f.required else ""
    return f"| `{f.name}`{star} | {_takes(f)} | {words} |\n"


def _takes(f: Field) -> str:
    if f.values:
        return ", ".join(f"`{v}`" + " (default)" * (v == f.default) for v in f.values)
    if f.vocabulary:
        return f"a slug of `{f.vocabulary.setting}`"
    if f.refers:
        kind = KIND_OF[f.refers]
        one = f"slug of {'an' if kind[0] in 'aeiou' else 'a'} {kind}"
        return f"list of slugs of {f.refers}" if f.many else one
    if f.added:
        return f.added.takes
    return _TAKES[f.type][f.many].format(f)
