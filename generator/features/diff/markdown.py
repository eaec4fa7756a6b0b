"""A comparison as Markdown, for a comment on a pull request.

Anybody may have written the texts of records.  So each is in a code span, where GitHub makes no
mention, link, image or HTML of it.  The comment is cut to the longest that GitHub accepts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from generator.dialect.folder import APPROVALS_FILE, REMOVED_FILE
from generator.dialect.values import flow
from generator.features.diff.comparison import Comparison, describe_change, one_line, verdict
from generator.features.diff.contract import rules
from generator.guard.finding import Finding
from generator.problems.markdown import MARK, MAX_BYTES, code_block, code_span

_WIDE = 160
_SPARE = 400


# --- lines for a person to paste into a file, in the browser --------------------------------------

_MANY_PASTED = 50  # records of one finding


class ContentFiles(NamedTuple):
    """The files of the newer state: the paths of records by (collection, slug), below `folder`, and
    how an entry begins in removed.yaml and approvals.yaml, if they have any.  `day` is the day of
    new entries.
    """

    folder: str = "content"
    day: str = ""
    records: Mapping[tuple[str, str], str] = {}
    dashes: Mapping[str, str] = {}

    @property
    def date(self) -> dict[str, str]:
        """The field of new entries for the day."""
        return {"date": self.day} if self.day else {}

    def path(self, file: str) -> str:
        return file if self.folder in ("", ".") else f"{self.folder.rstrip('/')}/{file}"

    def record(self, collection: str, slug: str) -> str:
        return self.path(self.records.get((collection, slug), f"{collection}/{slug}.yaml"))

    def entries(self, file: str, entries: list[dict[str, str]]) -> str:
        """The lines of new entries of a file of one list; all lines of the file if it has none."""
        dash = self.dashes.get(file)
        head = f"{file.removesuffix('.yaml')}:\n" if dash is None else ""
        return head + "\n".join(f"{dash or '  - '}{flow(entry)}" for entry in entries)


class Paste(NamedTuple):
    """Lines for a file, and when they are right."""

    words: str
    file: str
    lines: str


def pastes(finding: Finding, done: Comparison, files: ContentFiles) -> Iterator[Paste]:
    """The ways to mend a finding, the likeliest first."""
    gone = _gone(finding, done.kinds)
    for name, slugs in gone.items():
        records = done.records[name]
        twins = {slug: records.twins[slug] for slug in slugs if slug in records.twins}
        for slug, twin in [*twins.items()][:_MANY_PASTED]:
            now, before = records.former[1], records.former[0]
            aliases = [alias for alias, owner in now.items() if owner == twin]
            aliases += [alias for alias, owner in before.items() if owner == slug]
            lines = f"aliases: {flow([*dict.fromkeys([*aliases, slug])])}"
            words = "It is the same record under another slug? Then write in"
            yield Paste(words, files.record(name, twin), lines)
        left = [slug for slug in slugs if slug not in twins][:_MANY_PASTED]
        if left and finding.rule == "record-gone":
            kind = done.kinds[name]
            entries = [{"kind": kind, "slug": slug, **files.date} for slug in left]
            lines = files.entries(REMOVED_FILE, entries)
            yield Paste("Removed for good? Then add to", files.path(REMOVED_FILE), lines)
    approval = {"fingerprint": finding.fingerprint, **files.date}
    lines = files.entries(APPROVALS_FILE, [approval])
    words = "Or approve it as it is: add to" if gone else "On purpose? Then add to"
    yield Paste(words, files.path(APPROVALS_FILE), lines)


def _gone(finding: Finding, kinds: Mapping[str, str]) -> dict[str, list[str]]:
    """Collection -> the slugs of the removed records that a finding is about."""
    name, _, slug = finding.subject.partition(" ")
    if finding.rule not in ("record-gone", "records-lost") or name not in kinds:
        return {}
    if slug:
        return {name: [slug]}
    return {name: list(finding.was) if isinstance(finding.was, list) else []}


# --- the comment ----------------------------------------------------------------------------------

_CONTENT = ContentFiles()


class _Section(NamedTuple):
    """Lines under a title, folded away or not."""

    title: str
    lines: list[str]
    folded: bool = True


def as_markdown(done: Comparison, files: ContentFiles = _CONTENT, most: int = MAX_BYTES) -> str:
    """The comment, of at most `most` bytes: first what stops a publish, then what changed."""
    head = [MARK, "### What this changes in the published registry", "", f"**{verdict(done)}**", ""]
    head += [f"{code_span(_cut(done.old))} → {code_span(_cut(done.new))}", "", *_counts(done)]
    out = "\n".join(head) + "\n"
    sections = [*_sections(done, files)]
    for number, section in enumerate(sections):
        room = most - _size(out) - _SPARE * (len(sections) - number)
        out += _within(section, room)
    return out


def _size(text: str) -> int:
    return len(text.encode())


def _within(section: _Section, room: int) -> str:
    """A section with lines of at most `room` bytes, and the number of lines that do not fit."""
    begin, end = f"\n#### {section.title}\n\n", ""
    if section.folded:
        summary = f"{section.title} ({len(section.lines):,})"
        begin, end = f"\n<details><summary>{summary}</summary>\n\n", "\n</details>\n"
    text = ""
    left = len(section.lines)
    for line in section.lines:
        if _size(text) + _size(line) + 1 > room:
            break
        text += f"{line}\n"
        left -= 1
    more = f"\n… and {left:,} more: `registry diff --format json` has all.\n" if left else ""
    return f"{begin}{text}{more}{end}"


def _counts(done: Comparison) -> Iterator[str]:
    yield "| | before | after | added | removed | renamed | changed |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name, records in done.records.items():
        changes = (records.added, records.removed, records.renamed, records.changed)
        numbers = (records.was, records.now, *map(len, changes))
        yield f"| {name} | {' | '.join(f'{number:,}' for number in numbers)} |"


def _sections(done: Comparison, files: ContentFiles) -> Iterator[_Section]:
    stops = [_stopping(finding, done, files) for finding in done.unapproved]
    approved = []
    for finding in done.findings:
        if finding.fingerprint in done.approved:
            reason = done.approved[finding.fingerprint].reason
            why = f": {code_span(_cut(reason))}" if reason else ""
            approved.append(f"{_finding(finding)}\n  approved{why}")
    lists = [
        f"- {count.collection} {code_span(_cut(count.filter))} {code_span(_cut(count.value))}: "
        f"{count.was:,} → {count.now:,}"
        for count in done.lists
    ]
    sections = (
        _Section("Needs approval before publishing", stops, folded=False),
        _Section("Approved", approved),
        _Section("Removed", [*_records(done, "removed")]),
        _Section("Renamed", [*_records(done, "renamed")]),
        _Section("Added", [*_records(done, "added")]),
        _Section("Changed", [*_records(done, "changed")]),
        _Section("Lists with more or fewer records", lists),
    )
    return (section for section in sections if section.lines)


def _records(done: Comparison, change: str) -> Iterator[str]:
    for name, records in done.records.items():
        if change == "renamed":
            for renamed in records.renamed:
                slugs = f"{code_span(renamed.slug)} → {code_span(renamed.now)}"
                merged = ", merged" * renamed.merged
                yield f"- {name} {slugs} {code_span(_cut(renamed.name))}{merged}"
        elif change == "changed":
            for record in records.changed:
                fields = "".join(
                    f"\n  - {code_span(describe_change(f, _WIDE))}" for f in record.fields
                )
                yield f"- {name} {code_span(record.slug)} {code_span(_cut(record.name))}{fields}"
        else:
            names = records.added if change == "added" else records.removed
            for slug, title in names.items():
                yield f"- {name} {code_span(slug)} {code_span(_cut(title))}"


def _finding(finding: Finding) -> str:
    rule = rules()[finding.rule]
    places = dict.fromkeys(code_span(_cut(str(place))) for place in (finding.old, finding.new))
    return (
        f"- **{rule.title}** (`{finding.rule}`): {code_span(_cut(finding.subject))}, "
        f"{code_span(one_line(finding.words, 400))}\n  {' '.join(places)}"
    )


def _stopping(finding: Finding, done: Comparison, files: ContentFiles) -> str:
    """A finding with the lines that mend it, and the command that approves it."""
    out = _finding(finding)
    for words, file, lines in pastes(finding, done, files):
        out += f"\n\n  {words} {code_span(file)}:\n\n{code_block(lines, 'yaml', '  ')}"
    return f"{out}\n\n  Or on the command line: `registry approve {finding.fingerprint}`\n"


def _cut(text: str) -> str:
    return one_line(text, _WIDE)
