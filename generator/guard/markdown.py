"""A comparison as Markdown, for a comment on a pull request.

Texts of records are anybody's: each stands in a code span, in which nothing is a mention, a link,
an image or HTML.  The whole is cut to what GitHub takes of a comment.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from generator.guard.comparison import Comparison
from generator.guard.finding import Finding
from generator.guard.rules import rules
from generator.guard.show import changed, value, verdict
from generator.problems.markdown import code

#: What GitHub takes of a comment, in characters; held in bytes, of which there are never fewer.
MAX_BYTES = 65_536
#: By which a program knows its comment again.
MARK = "<!-- registry-diff -->"
_WIDE = 160
_SPARE = 400


class _Section(NamedTuple):
    """Lines under a title, folded away or not."""

    title: str
    lines: list[str]
    folded: bool = True


def as_markdown(done: Comparison, most: int = MAX_BYTES) -> str:
    """The comment, of at most `most` bytes: what stops a publish first, then what changed."""
    head = [MARK, "### What this changes in the published registry", "", f"**{verdict(done)}**", ""]
    head += [f"{code(_cut(done.old))} → {code(_cut(done.new))}", "", *_counts(done)]
    out = "\n".join(head) + "\n"
    sections = [*_sections(done)]
    for number, section in enumerate(sections):
        room = most - _size(out) - _SPARE * (len(sections) - number)
        out += _within(section, room)
    return out


def _size(text: str) -> int:
    return len(text.encode())


def _within(section: _Section, room: int) -> str:
    """A section of at most so many bytes and a few more; what does not fit is counted."""
    begin, end = (
        (f"\n<details><summary>{section.title} ({len(section.lines):,})</summary>\n\n",
         "\n</details>\n") if section.folded else (f"\n#### {section.title}\n\n", "")
    )  # fmt: skip
    told = ""
    left = len(section.lines)
    for line in section.lines:
        if _size(told) + _size(line) + 1 > room:
            break
        told += f"{line}\n"
        left -= 1
    more = f"\n… and {left:,} more: `registry diff --format json` has all.\n" if left else ""
    return f"{begin}{told}{more}{end}"


def _counts(done: Comparison) -> Iterator[str]:
    yield "| | before | after | added | removed | renamed | changed |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name, some in done.records.items():
        numbers = (
            some.was, some.now, len(some.added), len(some.removed), len(some.renamed),
            len(some.changed),
        )  # fmt: skip
        yield f"| {name} | {' | '.join(f'{number:,}' for number in numbers)} |"


def _sections(done: Comparison) -> Iterator[_Section]:
    stops = [_finding(one, done) for one in done.unapproved]
    if stops:
        yield _Section("Needs approval before publishing", stops, folded=False)
    meant = [_finding(one, done) for one in done.findings if one.fingerprint in done.approved]
    if meant:
        yield _Section("Approved", meant)
    for what in ("removed", "renamed", "added", "changed"):
        lines = [line for name in done.records for line in _records(done, name, what)]
        if lines:
            yield _Section(what.capitalize(), lines)
    lists = [
        f"- {one.collection} {code(_cut(one.filter))} {code(_cut(one.value))}: "
        f"{one.was:,} → {one.now:,}"
        for one in done.lists
    ]
    if lists:
        yield _Section("Lists with more or fewer records", lists)


def _records(done: Comparison, name: str, what: str) -> Iterator[str]:
    some = done.records[name]
    if what in ("added", "removed"):
        named = some.added if what == "added" else some.removed
        for slug, called in named.items():
            yield f"- {name} {code(slug)} {code(_cut(called))}"
    elif what == "renamed":
        for one in some.renamed:
            merged = ", merged" * one.merged
            yield f"- {name} {code(one.slug)} → {code(one.now)} {code(_cut(one.name))}{merged}"
    else:
        for record in some.changed:
            fields = "".join(f"\n  - {code(changed(f, _WIDE))}" for f in record.fields)
            yield f"- {name} {code(record.slug)} {code(_cut(record.name))}{fields}"


def _finding(one: Finding, done: Comparison) -> str:
    """A finding with its places, and how it is approved."""
    rule = rules()[one.rule]
    places = dict.fromkeys(code(_cut(str(place))) for place in (one.old, one.new))
    approval = done.approved.get(one.fingerprint)
    how = f"`registry approve {one.fingerprint}`"
    if approval is not None:
        how = "approved" + (f": {code(_cut(approval.reason))}" if approval.reason else "")
    return (
        f"- **{rule.title}** (`{one.rule}`): {code(_cut(one.subject))}, "
        f"{code(value(one.words, 400))}\n  {' '.join(places)}\n  {how}"
    )


def _cut(text: str) -> str:
    return value(text, _WIDE)
