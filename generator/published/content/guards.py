"""Guards: they compare a build with the state that was published last, and may stop it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from generator.dialect.folder import Content, open_content
from generator.disk.output_state import STATE, find_content, name_of_content, read_state_file
from generator.guard.state import State
from generator.model.examples import find_examples
from generator.problems.diagnostic import Diagnostic
from generator.published.content.read import read_approvals

if TYPE_CHECKING:
    from generator.guard.finding import Finding
    from generator.model.settings.registry import Settings

#: How to treat a tripped guard.  "stop": the build fails.  "allow": losses are accepted, and the
#: next build is compared with this build.  "tell": the build warns, and the next build is compared
#: with the same earlier state.
Loss = Literal["stop", "allow", "tell"]
CODES = ("records-lost", "guard-tripped")
NOTHING = State({}, {}, {})


class Guard(NamedTuple):
    """The earlier state to compare with, None if it is unknown; and how to treat tripped guards."""

    earlier: State | None = None
    loss: Loss = "stop"

    @property
    def counts(self) -> Mapping[str, int] | None:
        """The number of records in the earlier state; None if it is unknown or has no records."""
        counts = self.earlier.counts if self.earlier is not None else {}
        return counts if any(counts.values()) else None

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
            return self.earlier or State(dict.fromkeys(state.counts, 0), {}, {})
        return self.earlier if self.earlier is not None and self.loss == "tell" else state.kept()


def _hint(finding: Finding) -> str:
    from generator.guard.limits import RELATIVE

    rule, undo = f"{finding.rule}. ", "Undo the change"
    if finding.rule == "records-lost":
        rule, undo = "", "Restore the files"
    approve = f"Run `registry approve {finding.fingerprint}`"
    if finding.rule in RELATIVE:
        approve += ", or build once with `--allow-loss`"
    return f"{rule}By mistake? {undo}. On purpose? {approve}."


def last_state(source: str, out: Path, *, surely: bool) -> State | None:
    """The state of the last build, noted beside the output or else read from it; None if unknown.

    `source` is the content folder, or what the content was fetched from.  None also if the output
    was built from other content; with `surely`, even if its content is unknown.
    """
    if (find_content(out) is None and surely) or is_of_other_content(source, out):
        return None
    raw = read_state_file(out, STATE)
    state = parse_state(raw, source) if raw is not None else None
    if state is not None or not out.is_dir():
        return state
    from generator.guard.published import Damaged

    try:
        return published_state(str(out))
    except Damaged:
        return None


def parse_state(raw: bytes, source: str) -> State | None:
    """The state in a file of an earlier build of content; None if it is invalid.  Since then kinds
    may have been declared, or are declared no longer.
    """
    kinds = open_content(source).kinds.values()
    return State.parse(raw, [of.name for of in kinds if not of.is_own])


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
