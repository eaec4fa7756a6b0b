"""What removing a record for good changes: its file, references to it, and removed.yaml."""

from __future__ import annotations

from datetime import date

from generator.dialect.folder import REMOVED_FILE, Content, scan
from generator.dialect.text_edits import Text
from generator.edit.changes import Change, Plan, Refused
from generator.edit.rename import (
    bytes_of,
    hold,
    listed,
    naming,
    references,
    source_of,
    with_entries,
)
from generator.grammar.names import KIND_OF
from generator.grammar.text import is_slug
from generator.model.kinds import KINDS
from generator.model.settings.removed import Removal
from generator.problems.diagnostic import Diagnostic

_MOST = 20  # references that are told
_NEW = "# Records that were removed for good. No other record gets their slugs.\n"


def remove(
    folder: str, collection: str, slug: str, on: date, reason: str = "", *, unlink: bool = False
) -> Plan:
    """Remove a record and note that in removed.yaml, with its former slugs.  Raises Refused where
    other records refer to it, unless these references are to go, and where one of them must be
    there.
    """
    content = scan(folder)
    source = source_of(content, collection, slug)
    taken = content.take(source.path)
    if isinstance(taken, Diagnostic):
        raise Refused(f"{taken.path} {taken.message}")
    changes = [Change(source.path, taken.raw, None)]
    left: list[tuple[str, str]] = []
    told: list[str] = []
    needed: list[str] = []
    for kind, other, text in naming(content, collection, slug, {source.path}, left):
        for loc in list(references(kind, text.data, collection, slug)):
            line, column = text.place(loc)
            place = f"{content.shown(other.path)}:{line}:{column}: {loc[0]}"
            told.append(place)
            if KINDS[kind].model.model_fields[str(loc[0])].is_required():
                needed.append(place)
        if unlink and _unlink(text, kind, collection, slug):
            changes.append(Change(other.path, text.raw, bytes_of(content, other, text)))
    one = f'the {KIND_OF[collection]} "{slug}"'
    if needed and (unlink or len(needed) == len(told)):
        raise Refused(
            f"{one} cannot be removed: these records need it:{_listed(needed)}\n"
            "name another record there, or remove these records first"
        )
    if told and not unlink:
        raise Refused(
            f"{one} cannot be removed: other records refer to it:{_listed(told)}\n"
            "to remove these references, add --unlink; if the same thing has another record, use "
            "registry merge"
        )
    changes.append(_noted(content, collection, [slug, *_former(taken.raw)], on, reason))
    return Plan(changes, left)


def _unlink(text: Text, kind: str, collection: str, slug: str) -> bool:
    """Take the references to a record out of a text; whether there was any."""
    lists: dict[str, list[int]] = {}
    locs = list(references(kind, text.data, collection, slug))
    for loc in locs:
        field, *number = loc
        if number:
            lists.setdefault(str(field), []).append(int(number[0]))
        else:
            text.remove_field(loc)
    for field, numbers in lists.items():
        text.remove_items((field,), numbers)
    return bool(locs)


def _former(raw: bytes) -> list[str]:
    """The former slugs of a record that may have faults: what is no slug leads nowhere."""
    return [one for one in listed(raw, "aliases") if isinstance(one, str) and is_slug(one)]


def _noted(content: Content, collection: str, slugs: list[str], on: date, reason: str) -> Change:
    """The change of removed.yaml, which is made where there is none."""
    kind, day = KIND_OF[collection], on.isoformat()
    why = {"reason": reason} if reason else {}
    entries = [{"kind": kind, "slug": slug, "date": day, **why} for slug in slugs]
    hold(entries[0], Removal)
    return with_entries(content, REMOVED_FILE, entries, _NEW)


def _listed(places: list[str]) -> str:
    more = len(places) - _MOST
    rest = f"\n  … and {more:,} more" if more > 0 else ""
    return "".join(f"\n  {place}" for place in places[:_MOST]) + rest
