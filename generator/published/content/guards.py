"""Guards: they compare a build with the state that was published last, and may stop it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from generator.dialect.folder import APPROVALS_FILE, Content
from generator.disk.output_state import STATE, find_content, name_of_content, read_state_file
from generator.guard.state import State, Stayed, is_value
from generator.kinds.every import COLLECTIONS
from generator.model.examples import find_examples
from generator.problems.diagnostic import Diagnostic

if TYPE_CHECKING:
    from generator.grammar.grammar import Grammar
    from generator.guard.finding import Finding
    from generator.model.settings.registry import Settings
    from generator.model.tables.table import Table

#: How to treat a tripped guard.  "stop": the build fails.  "allow": losses are accepted, and the
#: next build is compared with this build.  "tell": the build warns, and the next build is compared
#: with the same earlier state.
Loss = Literal["stop", "allow", "tell"]
CODES = ("records-lost", "guard-tripped")
_NOTHING = State(dict.fromkeys(COLLECTIONS, 0), {}, {})


class Guard(NamedTuple):
    """The earlier state to compare with, None if it is unknown; and how to treat tripped guards."""

    earlier: State | None = None
    loss: Loss = "stop"

    @property
    def counts(self) -> Mapping[str, int] | None:
        """The number of records in the earlier state; None if it is unknown or has no records."""
        counts = self.earlier.counts if self.earlier is not None else {}
        return counts if any(counts.values()) else None

    def check_approvals(self, content: Content) -> list[Diagnostic]:
        """The problems of approvals.yaml."""
        if not os.path.lexists(os.path.join(content.folder, APPROVALS_FILE)):
            return []
        from generator.model.settings.approvals import read_approvals

        return read_approvals(content)[1]

    def check_counts(
        self, content: Content, records: Mapping[str, int], settings: Settings
    ) -> list[Diagnostic]:
        """Lost records by their numbers only, for content with errors, which has no state."""
        from generator.guard import limits

        if self._may_lose(settings):
            return []
        hint = "By mistake? Restore the files. On purpose? Fix the other errors first."
        return [
            content.file_problem(name, "records-lost", words, hint, warn=self.loss == "tell")
            for name, words in limits.lost_collections(settings.guards, self.counts, records)
        ]

    def check_state(self, content: Content, state: State, settings: Settings) -> list[Diagnostic]:
        """A problem for each tripped guard that is not approved."""
        from generator.guard.limits import RELATIVE, tripped_guards

        ignored = RELATIVE if self._may_lose(settings) else ()
        findings = [
            f for f in tripped_guards(settings.guards, self.earlier, state) if f.rule not in ignored
        ]
        if not findings:
            return []
        from generator.model.settings.approvals import read_approvals

        approved, _ = read_approvals(content)
        return [
            content.file_problem(
                finding.subject.partition(" ")[0],
                "records-lost" if finding.rule == "records-lost" else "guard-tripped",
                finding.words,
                _hint(finding),
                warn=self.loss == "tell",
            )
            for finding in findings
            if finding.fingerprint not in approved
        ]

    def _may_lose(self, settings: Settings) -> bool:
        return self.loss == "allow" or bool(settings.allow_loss)

    def next(self, state: State, folder: str) -> State:
        """The state that the next build is compared with.

        A build with the examples of `registry init` is never compared with, because the examples
        are meant to be removed.
        """
        if find_examples(folder):
            return self.earlier or _NOTHING
        return self.earlier if self.earlier is not None and self.loss == "tell" else state.kept()


def _hint(finding: Finding) -> str:
    """The hint for a tripped guard."""
    from generator.guard.limits import RELATIVE

    rule, undo = f"{finding.rule}. ", "Undo the change"
    if finding.rule == "records-lost":
        rule, undo = "", "Restore the files"
    approve = f"Run `registry approve {finding.fingerprint}`"
    if finding.rule in RELATIVE:
        approve += ", or build once with `--allow-loss`"
    return f"{rule}By mistake? {undo}. On purpose? {approve}."


def state_of_content(
    content: Content, tables: Mapping[str, Table], grammar: Grammar, earlier: State | None
) -> State:
    """The state of records before they are tabulated.  It has the slugs of all files, also of
    records with errors, and counts those that were in the earlier state.
    """
    from generator.model.tables.coverage import count_same_texts, fields_to_count

    collections = []
    for name, sources in content.sources.items():
        table = tables[name]
        slugs = " ".join(sorted({source.slug for source in sources}))
        fields = fields_to_count(name, grammar)
        filled = _filled(table.coverage, fields)
        counts = ((facet.text, len(members)) for facet, members in table.members.items())
        values = {facet: count for facet, count in counts if count and is_value(facet)}
        alike = count_same_texts(table.coverage, fields)
        aliases = frozenset(chain.from_iterable(table.aliases.values()))
        kinds = _kinds(table)
        collections.append((len(sources), filled, values, alike, slugs, aliases, kinds))
    columns = zip(*collections, strict=True)
    state = State(*(dict(zip(content.sources, column, strict=True)) for column in columns))
    return state._replace(stayed=_stayed(tables, grammar, earlier or _NOTHING))


def _stayed(tables: Mapping[str, Table], grammar: Grammar, earlier: State) -> dict[str, Stayed]:
    """The records that an earlier state had, of collections that have others now."""
    from generator.model.tables.coverage import fields_to_count

    stayed = {}
    for name, joined in earlier.slugs.items():
        known, table = {*joined.split()}, tables[name]
        if len(known) != earlier.counts[name] or known.issuperset(table.slugs):
            continue
        rows = [r for r in table.rows if r.slug in known or not known.isdisjoint(r.aliases)]
        coverage = Counter(chain.from_iterable(row.coverage_numbers for row in rows))
        kinds = Counter(f.value for row in rows for f in row.facets if f.filter == "kind")
        stayed[name] = Stayed(len(rows), _filled(coverage, fields_to_count(name, grammar)), kinds)
    return stayed


def _filled(coverage: Mapping[int, int], fields: Sequence[str]) -> dict[str, int]:
    from generator.model.tables.coverage import count_aspects, count_filled

    return count_filled(coverage, fields) | count_aspects(coverage, fields)


def _kinds(table: Table) -> dict[str, int]:
    return {facet.value: len(at) for facet, at in table.members.items() if facet.filter == "kind"}


def last_state(source: str, out: Path, *, surely: bool) -> State | None:
    """The state of the last build, noted beside the output or else read from it; None if unknown.

    `source` is the content folder, or what the content was fetched from.  None also if the output
    was built from other content; with `surely`, even if its content is unknown.
    """
    if (find_content(out) is None and surely) or is_of_other_content(source, out):
        return None
    raw = read_state_file(out, STATE)
    state = State.parse(raw) if raw is not None else None
    if state is not None or not out.is_dir():
        return state
    from generator.guard.published import Damaged

    try:
        return published_state(str(out))
    except Damaged:
        return None


def is_of_other_content(source: str, out: Path) -> bool:
    """Whether the output was surely built from other content than `source`."""
    return find_content(out) not in (None, name_of_content(source))


def published_state(where: str, timeout: float = 10) -> State | None:
    """The state published in a folder or at a base URL; None if nothing is published there.

    Raises ClientError if the host cannot be reached, and Damaged if the state is incomplete.
    """
    from generator.guard.published import NotPublished, PublishedState
    from generator.guard.state import require_counted, state_of_published

    try:
        state = PublishedState.open(where, timeout=timeout)
    except NotPublished:
        return None
    require_counted(state)
    return state_of_published(state).kept()


def describe_changed_counts(
    before: Mapping[str, int] | None, after: Mapping[str, int], since: str = "build"
) -> str | None:
    """The changed numbers of records in words; None if nothing changed or nothing is known.

    `since` is what the numbers were counted at before.
    """
    changed = [
        f"{name} {old:,} → {after[name]:,}"
        for name, old in (before or {}).items()
        if after.get(name, old) != old
    ]
    return f"Since the last {since}: {', '.join(changed)}." if changed else None
