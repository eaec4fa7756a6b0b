"""What a build is held against: what was published last, and whether this may follow."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from generator.dialect.folder import APPROVALS_FILE, COLLECTIONS, Content
from generator.disk.output_state import STATE, made_from, noted_beside
from generator.guard.state import Some, State, joined, of_tables
from generator.model.examples import examples
from generator.problems.diagnostic import Diagnostic

if TYPE_CHECKING:
    from generator.build.check import Tally
    from generator.guard.finding import Finding
    from generator.model.settings.registry import Settings
    from generator.model.symbols import Symbols
    from generator.model.tables.table import TableBuilder

#: What is done about a tripped guard: the build stops; it goes on where only something was lost,
#: and the next one is held against this; it goes on with a warning, and the next build is held
#: against the same earlier one.
Loss = Literal["stop", "allow", "tell"]
CODES = ("records-lost", "guard-tripped")
_NOTHING = State(dict.fromkeys(COLLECTIONS, 0), {}, {})


class Guard(NamedTuple):
    """`earlier` is the state of the last build that was meant to be published, if known."""

    earlier: State | None = None
    loss: Loss = "stop"

    @property
    def counts(self) -> Mapping[str, int] | None:
        """The records of the earlier state; None if it is not known, or has no record."""
        counts = self.earlier.counts if self.earlier is not None else {}
        return counts if any(counts.values()) else None

    def of_approvals(self, content: Content) -> list[Diagnostic]:
        """The problems of approvals.yaml."""
        if not os.path.lexists(os.path.join(content.folder, APPROVALS_FILE)):
            return []
        from generator.model.settings.approvals import read

        return read(content)[1]

    def of_counts(
        self, content: Content, records: Mapping[str, int], settings: Settings
    ) -> list[Diagnostic]:
        """Too many records gone, by their numbers: for content with errors, which has no state."""
        from generator.guard import limits

        if self._may_lose(settings):
            return []
        hint = "By mistake? Restore the files. On purpose? Fix the other errors first."
        return [
            content.told(name, "records-lost", words, hint, warn=self.loss == "tell")
            for name, words in limits.of_counts(settings.guards, self.counts, records)
        ]

    def of_state(self, content: Content, now: State, settings: Settings) -> list[Diagnostic]:
        """One for each guard that is tripped and not approved."""
        from generator.guard.limits import RELATIVE, tripped

        lost = self._may_lose(settings)
        some = [
            one
            for one in tripped(settings.guards, self.earlier, now)
            if not (lost and one.rule in RELATIVE)
        ]
        if not some:
            return []
        from generator.model.settings.approvals import read

        approved, _ = read(content)
        return [
            content.told(
                one.subject.partition(" ")[0],
                "records-lost" if one.rule == "records-lost" else "guard-tripped",
                one.words,
                _mend(one),
                warn=self.loss == "tell",
            )
            for one in some
            if one.fingerprint not in approved
        ]

    def _may_lose(self, settings: Settings) -> bool:
        return self.loss == "allow" or bool(settings.allow_loss)

    def next(self, now: State, folder: str) -> State:
        """What the next build is compared with.

        The examples of `registry init` are not missed when they are gone: a build that has them is
        not compared with.
        """
        if examples(folder):
            return self.earlier or _NOTHING
        return self.earlier if self.earlier is not None and self.loss == "tell" else now.kept()


def _mend(one: Finding) -> str:
    """What to do about a tripped guard."""
    from generator.guard.limits import RELATIVE

    guard, undo = f"{one.rule}. ", "Undo the change"
    if one.rule == "records-lost":
        guard, undo = "", "Restore the files"
    once = ", or build once with `--allow-loss`" * (one.rule in RELATIVE)
    return f"{guard}By mistake? {undo}. On purpose? Run `registry approve {one.fingerprint}`{once}."


def state_of_read(
    content: Content,
    rows: Mapping[str, TableBuilder | Tally],
    models: Mapping[str, Collection[Any]],
    symbols: Symbols,
) -> State:
    """The state of records that are read and not tabulated: some collections as rows, the others
    as models.  Slugs are those of all files, also of records with errors.
    """
    from generator.model.kinds import KINDS
    from generator.model.tables.coverage import covers, fields_of

    some = {}
    for name, sources in content.sources.items():
        if name in rows:
            of = rows[name]
            coverage: Mapping[int, int] = of.coverage
            numbers = {facet: len(members) for facet, members in of.members.items()}
            former: Iterable[Iterable[str]] = of.aliases.values()
        else:
            of_kind = models[name]
            coverage = Counter(chain.from_iterable(map(covers, of_kind)))
            numbers = Counter(f for model in of_kind for f in KINDS[name].facets(model, symbols))
            former = [model.aliases or () for model in of_kind]
        slugs = joined({source.slug for source in sources})
        fields = fields_of(name, symbols.grammar)
        some[name] = Some(len(sources), coverage, numbers.items(), slugs, former, fields)
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
