"""`registry fix --identifiers`: moves links that are addresses of identifiers to `identifiers`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy

from generator.dialect.folder import scan
from generator.dialect.text_edits import Text
from generator.dialect.tree import Unchangeable
from generator.edit.changes import Change, Plan, Skipped
from generator.features.identifiers.schemes import LinkedId, by_host, ids_in_links, listed
from generator.features.identifiers.settings import Settings
from generator.model.validate import read_model
from generator.problems.diagnostic import Diagnostic
from generator.published.reading.load import read_header

NAME = "identifiers"
HELP = "Only move links that are identifiers, like those of Wikidata."


def plan(content: str, paths: Sequence[str], tell: Callable[[str], None]) -> Plan:
    """The changes that move identifiers out of links, in all files or in those with these paths;
    each move is told.  An identifier that two records of a kind have, or would have, is not moved.
    """
    files = scan(content)
    settings = read_header(files)[0].settings
    hosts = by_host(Settings.of(settings).schemes())
    changes, skipped = list[Change](), list[Skipped]()
    for collection, sources in files.sources.items():
        owners, found = Counter[tuple[str, str]](), list[tuple[str, bytes, list[LinkedId]]]()
        for source in sources:
            taken = files.read_content(source.path)
            raw = b"" if isinstance(taken, Diagnostic) else taken
            record, _, _ = read_model(raw, settings.models()[collection])
            if record is None:
                continue
            moves = ids_in_links(record.links or {}, hosts)
            written = listed(getattr(record, "identifiers", None))
            owners.update((known.scheme, known.id.lower()) for known in written)
            owners.update((move.scheme, move.id.lower()) for move in moves)
            if not paths or source.path in paths:
                found.append((source.path, raw, moves))
        for path, raw, moves in found:
            alone = [move for move in moves if owners[move.scheme, move.id.lower()] == 1]
            reason = f"several {collection} would have the same identifier"
            shared = (move for move in moves if move not in alone)
            skipped += (Skipped(f"{path}: links.{move.link}", reason) for move in shared)
            try:
                changes += [Change(path, raw, _moved(raw, alone))] if alone else []
            except Unchangeable as error:
                skipped.append(Skipped(path, str(error)))
                continue
            for move in alone:
                tell(f"{path}: links.{move.link} → identifiers.{move.scheme}: {move.id}")
    return Plan(changes, skipped, checked=tuple(change.path for change in changes))


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
