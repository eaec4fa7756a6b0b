"""Moves links that are addresses of identifiers to `identifiers` (`registry fix --identifiers`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from generator.dialect.folder import Content
from generator.dialect.text_edits import Text
from generator.dialect.tree import Unchangeable
from generator.edit.changes import Change, Plan
from generator.edit.similar import ExistingRecord, existing_records
from generator.model.identifiers import IdScheme, SchemesByHost, by_host, ids_in_links, listed


class Move(NamedTuple):
    """A link of a file, by its name, that is an identifier of a scheme."""

    path: str
    link: str
    scheme: str
    id: str


def plan_moves(
    content: Content, schemes: Mapping[str, IdScheme], only: Sequence[str] = ()
) -> tuple[Plan, list[Move]]:
    """The changes that move identifiers out of links, and the moves; in all files or in `only`.

    An identifier that two records of a kind have, or would have, is not moved.
    """
    hosts = by_host(schemes)
    changes: list[Change] = []
    skipped: list[tuple[str, str]] = []
    moves: list[Move] = []
    for collection in content.sources:
        records = [
            (record, _moves(record, hosts))
            for record in existing_records(content, collection)
            if isinstance(record, ExistingRecord)
        ]
        owners = Counter(key for record, found in records for key in _keys(record, found))
        for record, found in records:
            path = record.source.path
            if not found or (only and path not in only):
                continue
            alone = [move for move in found if owners[move.scheme, move.id.lower()] == 1]
            for move in found:
                if move not in alone:
                    reason = f"{move.scheme} {move.id} is in several {collection}"
                    skipped.append((path, reason))
            try:
                after = _moved(record, alone)
            except Unchangeable as reason:
                skipped.append((path, str(reason)))
                continue
            if alone:
                changes.append(Change(path, record.raw, after))
                moves += alone
    return Plan(changes, skipped, tuple(change.path for change in changes)), moves


def _moves(record: ExistingRecord, hosts: SchemesByHost) -> list[Move]:
    links = record.data.get("links")
    if not isinstance(links, dict) or not all(isinstance(url, str) for url in links.values()):
        return []
    return [Move(record.source.path, *found) for found in ids_in_links(links, hosts)]


def _keys(record: ExistingRecord, moves: Sequence[Move]) -> set[tuple[str, str]]:
    """The identifiers that a record would have, in lower case."""
    written = record.data.get("identifiers")
    known = listed(written) if _is_readable(written) else ()
    return {(scheme, text.lower()) for scheme, text, _ in known} | {
        (move.scheme, move.id.lower()) for move in moves
    }


def _is_readable(written: Any) -> bool:
    """Whether a value has the form of the field `identifiers`."""
    return isinstance(written, dict) and all(
        isinstance(value, str)
        or (isinstance(value, list) and all(isinstance(text, str) for text in value))
        for value in written.values()
    )


def _moved(record: ExistingRecord, moves: Sequence[Move]) -> bytes:
    """The bytes of a record after its moves.  Raises Unchangeable."""
    data = deepcopy(record.data)
    written = data.get("identifiers")
    if written is not None and not _is_readable(written):
        raise Unchangeable("its identifiers have problems")
    ids = data["identifiers"] = written or {}
    for move in moves:
        del data["links"][move.link]
        known = ids.get(move.scheme, [])
        several = [known] if isinstance(known, str) else known
        if move.id.lower() not in [text.lower() for text in several]:
            ids[move.scheme] = [*several, move.id] if several else move.id
    if not data["links"]:
        del data["links"]
    text = Text(record.raw)
    text.change_to(data)
    return text.changed()
