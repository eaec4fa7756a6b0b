"""Moves links that are addresses of identifiers to `identifiers` (`registry fix --identifiers`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from typing import NamedTuple

from generator.dialect.folder import Content
from generator.dialect.text_edits import Text
from generator.dialect.tree import Unchangeable
from generator.edit.changes import Change, Plan, Skipped
from generator.features.identifiers.schemes import LinkedId, by_host, ids_in_links, listed
from generator.features.identifiers.settings import Settings as Schemes
from generator.model.settings.registry import Settings
from generator.model.validate import read_model
from generator.problems.diagnostic import Diagnostic


class Move(NamedTuple):
    """A link of the record in a file that moves to the identifiers."""

    path: str
    id: LinkedId


def plan_moves(
    content: Content, settings: Settings, only: Sequence[str] = ()
) -> tuple[Plan, list[Move]]:
    """The changes that move identifiers out of links, and the moves; in all files or in
    `only`.  An identifier that two records of a kind have, or would have, is not moved.
    """
    hosts = by_host(Schemes.of(settings).schemes())
    plan, done = Plan([], []), list[Move]()
    for collection, sources in content.sources.items():
        owners, found = Counter[tuple[str, str]](), list[tuple[str, bytes, list[LinkedId]]]()
        for source in sources:
            taken = content.read_content(source.path)
            raw = b"" if isinstance(taken, Diagnostic) else taken
            record, _, _ = read_model(raw, settings.models()[collection])
            if record is None:
                continue
            moves = ids_in_links(record.links or {}, hosts)
            ids = [
                (known.scheme, known.id) for known in listed(getattr(record, "identifiers", None))
            ]
            ids += [(move.scheme, move.id) for move in moves]
            owners.update({(scheme, text.lower()) for scheme, text in ids})
            if not only or source.path in only:
                found.append((source.path, raw, moves))
        for path, raw, moves in found:
            alone = [move for move in moves if owners[move.scheme, move.id.lower()] == 1]
            reason = f"several {collection} would have the same identifier"
            plan.skipped.extend(
                Skipped(f"{path}: links.{move.link}", reason) for move in moves if move not in alone
            )
            try:
                plan.changes.extend([Change(path, raw, _moved(raw, alone))] if alone else [])
                done += [Move(path, move) for move in alone]
            except Unchangeable as error:
                plan.skipped.append(Skipped(path, str(error)))
    return plan._replace(checked=tuple(change.path for change in plan.changes)), done


def _moved(raw: bytes, moves: Sequence[LinkedId]) -> bytes:
    """The bytes of a record after its moves.  Raises Unchangeable."""
    record = Text(raw)
    data = deepcopy(record.data)
    ids = data["identifiers"] = data.get("identifiers") or {}
    for move in moves:
        del data["links"][move.link]
        known = ids.get(move.scheme, [])
        several = [known] if isinstance(known, str) else known
        if move.id.lower() not in map(str.lower, several):
            ids[move.scheme] = [*several, move.id] if several else move.id
    if not data["links"]:
        del data["links"]
    record.change_to(data)
    return record.changed()
