"""What a build is held against: what was published last, and whether this may follow."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from generator.api.diagnostic import Diagnostic
from generator.disk.beside import STATE, made_from, noted_beside
from generator.guard.state import Some, State, of_tables
from generator.records.folder import APPROVALS_FILE, Content

if TYPE_CHECKING:
    from generator.build.checked import Tally
    from generator.guard.finding import Finding
    from generator.records.settings import Settings
    from generator.records.symbols import Symbols
    from generator.tables.table import Table, TableBuilder

#: What is done about a tripped guard: the build stops; it goes on where only something was lost,
#: and the next one is held against this; it goes on with a warning, and the next build is held
#: against the same earlier one.
Loss = Literal["stop", "allow", "tell"]
CODES = ("records-lost", "guard-tripped")


class Guard(NamedTuple):
    """`earlier` is the state of the last build that was meant to be published, if known."""

    earlier: State | None = None
    loss: Loss = "stop"

    @property
    def counts(self) -> Mapping[str, int] | None:
        """The records of the earlier state."""
        return self.earlier.counts if self.earlier is not None else None

    def of_records(
        self, content: Content, records: Mapping[str, int], settings: Settings
    ) -> list[Diagnostic]:
        """One for each guard of numbers of records that is tripped, and those of approvals.yaml."""
        from generator.guard import limits

        wrong: list[Diagnostic] = []
        if os.path.lexists(os.path.join(content.folder, APPROVALS_FILE)):
            from generator.guard.approvals import read

            _, wrong = read(content)
        tripped = limits.of_records(settings.guards, self.counts, records)
        return [*wrong, *self._told(content, settings, tripped)]

    def of_values(self, content: Content, now: State, settings: Settings) -> list[Diagnostic]:
        """Likewise for what records have, for countries and for tags."""
        from generator.guard import limits

        return self._told(content, settings, limits.of_values(settings.guards, self.earlier, now))

    def _told(
        self, content: Content, settings: Settings, tripped: Iterable[Finding]
    ) -> list[Diagnostic]:
        from generator.guard.limits import RELATIVE

        lost = self.loss == "allow" or settings.allow_loss
        some = [one for one in tripped if not (lost and one.rule in RELATIVE)]
        if not some:
            return []
        from generator.guard.approvals import read

        approved, _ = read(content)
        return [
            content.told(
                one.subject.partition(" ")[0],
                "records-lost" if one.rule == "records-lost" else "guard-tripped",
                one.words,
                _mend(one, relative=one.rule in RELATIVE),
                warn=self.loss == "tell",
            )
            for one in some
            if one.fingerprint not in approved
        ]

    def next(self, now: State) -> State:
        """What the next build is held against when this one is done."""
        return self.earlier if self.earlier is not None and self.loss == "tell" else now.kept()


def _mend(one: Finding, *, relative: bool) -> str:
    """How a tripped guard is let pass."""
    name = "" if one.rule == "records-lost" else f"{one.rule}; "
    loss = ", or --allow-loss, this one time" * relative
    return (
        f"{name}where that is meant: registry approve {one.fingerprint}, for these numbers{loss}; "
        '"guards" in registry.yaml, for good'
    )


def state_of(tables: Mapping[str, Table]) -> State:
    """What is counted of the tables of a build."""
    return of_tables(
        {
            name: Some(
                len(table),
                table.coverage,
                ((facet, len(rows)) for facet, rows in table.members.items()),
            )
            for name, table in tables.items()
        }
    )


def state_of_read(
    counts: Mapping[str, int],
    rows: Mapping[str, TableBuilder | Tally],
    models: Mapping[str, Collection[Any]],
    symbols: Symbols,
) -> State:
    """What is counted of records that are read and not tabulated: of some collections as rows, of
    the others as models.
    """
    from generator.records.kinds import KINDS
    from generator.tables.coverage import covers

    some = {
        name: Some(
            counts[name],
            builder.coverage,
            ((facet, len(members)) for facet, members in builder.members.items()),
        )
        for name, builder in rows.items()
    }
    for name, those in models.items():
        facets = Counter(facet for model in those for facet in KINDS[name].facets(model, symbols))
        some[name] = Some(counts[name], Counter(map(covers, those)), facets.items())
    return of_tables(some)


def earlier(folder: str, out: Path, *, surely: bool) -> State | None:
    """The state of the last build of a content folder: as that noted it, or else as it was
    published; None if unknown.

    Not of an output that was built from another folder; nor, with `surely`, of one of which that is
    not known.
    """
    where = made_from(out)
    if (where is None and surely) or (where is not None and where != os.path.realpath(folder)):
        return None
    noted = noted_beside(out, STATE)
    state = State.parse(noted) if noted is not None else None
    if state is not None or not out.is_dir():
        return state
    from generator.guard.published import Damaged

    try:
        return published(str(out))
    except Damaged:
        return None


def published(where: str, timeout: float = 10) -> State | None:
    """The state of a build's folder or of a base URL; None where there is none yet.  Raises
    ClientError where a host cannot be asked, and Damaged where the state cannot be read whole.
    """
    from generator.guard.published import NotPublished, Published
    from generator.guard.state import of_published, require_counted

    try:
        state = Published.open(where, timeout=timeout)
    except NotPublished:
        return None
    require_counted(state)
    return of_published(state).kept()


def in_numbers(before: Mapping[str, int] | None, now: Mapping[str, int]) -> str | None:
    """What changed since the last build, in words; None where nothing did, or nothing is known."""
    changed = [
        f"{name} {earlier:,} → {now[name]:,}"
        for name, earlier in (before or {}).items()
        if now.get(name, earlier) != earlier
    ]
    return f"Since the last build: {', '.join(changed)}." if changed else None
