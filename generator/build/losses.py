"""How many records there were in the last build, and whether too many of them are gone."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from generator.api.diagnostic import Diagnostic
from generator.api.paths import INDEX
from generator.build.buildlog import Log, identity
from generator.disk import below
from generator.disk.beside import FOLDER, LOG, made_from
from generator.records.folder import COLLECTIONS, Content

#: Of so many records or more, a build may lose a fifth.
_MANY, _SHARE = 10, 5
_MOST_INDEX = 1 << 22

#: What is done about records that are gone: the build stops; it goes on, and has that many from
#: then on; it goes on with a warning, and the next build is held against the same earlier one.
Loss = Literal["stop", "allow", "tell"]


class Guard(NamedTuple):
    """`earlier` has the number of records of each collection in the last build that was meant to be
    published, if known.
    """

    earlier: Mapping[str, int] | None = None
    loss: Loss = "stop"

    def problems(
        self, content: Content, records: Mapping[str, int], allowed: bool | None
    ) -> list[Diagnostic]:
        """One for each collection that lost too many; `allowed` is what registry.yaml says."""
        if self.earlier is None or self.loss == "allow" or allowed:
            return []
        hint = (
            "where that is meant: --allow-loss, this one time; "
            '"allow_loss: true" in registry.yaml, for good'
        )
        return [
            content.told(
                name,
                "records-lost",
                f"{name} {before:,} → {records[name]:,} since the last build",
                hint,
                warn=self.loss == "tell",
            )
            for name, before in self.earlier.items()
            if _too_many(before, records[name])
        ]

    def kept(self, records: Mapping[str, int]) -> dict[str, int]:
        """What the next build is held against when this one is done."""
        return dict(records if self.earlier is None or self.loss != "tell" else self.earlier)


def _too_many(before: int, now: int) -> bool:
    return (before >= _MANY and (before - now) * _SHARE > before) or now == 0 < before


def earlier(folder: str, out: Path, *, surely: bool) -> dict[str, int] | None:
    """The records of the last build of a content folder, from its log or else from what was
    published; None if unknown.

    Not of an output that was built from another folder; nor, with `surely`, of one of which that is
    not known.
    """
    where = made_from(out)
    if (where is None and surely) or (where is not None and where != os.path.realpath(folder)):
        return None
    out = Path(os.path.realpath(out))
    log = Log.find(out.parent / FOLDER / out.name / LOG)
    if log is not None and log.head.folder == identity(folder):
        return log.head.kept
    return _published(out)


def _published(out: Path) -> dict[str, int] | None:
    """What the index of an output says."""
    try:
        directory = os.open(out, below.FOLDER)
    except OSError:
        return None
    try:
        surfaces = json.loads(below.read(directory, INDEX[1:].split("/"), _MOST_INDEX) or b"")[
            "data"
        ]["surfaces"]
        counts = {
            surface["name"]: surface["count"]
            for surface in surfaces
            if surface["name"] in COLLECTIONS
        }
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    finally:
        os.close(directory)
    fine = len(counts) == len(COLLECTIONS) and all(
        type(count) is int and count >= 0 for count in counts.values()
    )
    return counts if fine else None


def in_numbers(before: Mapping[str, int] | None, now: Mapping[str, int]) -> str | None:
    """What changed since the last build, in words; None where nothing did, or nothing is known."""
    changed = [
        f"{name} {earlier:,} → {now[name]:,}"
        for name, earlier in (before or {}).items()
        if now.get(name, earlier) != earlier
    ]
    return f"Since the last build: {', '.join(changed)}." if changed else None
