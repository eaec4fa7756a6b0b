"""The contract between a registry and its readers: every rule that a newer state breaks."""

from __future__ import annotations

from collections.abc import Mapping

from generator.guard import addresses, asking, documents, meaning
from generator.guard.finding import Finding
from generator.guard.published import Published
from generator.guard.records import Records
from generator.guard.rules import rules


def findings(
    old: Published, new: Published, records: Mapping[str, Records], *, released: bool
) -> list[Finding]:
    """Every break, each once, in the order of the catalogue; what follows from a filter that is
    gone is not told again.
    """
    every = [
        *documents.findings(old, new),
        *addresses.findings(old, new, records),
        *asking.findings(old, new),
        *meaning.findings(old, new, records, released=released),
    ]
    gone = {one.was for one in every if one.rule == "filter-gone"}
    told = {one.fingerprint: one for one in every if not _follows(one, gone)}
    order = {rule: number for number, rule in enumerate(rules())}
    return sorted(told.values(), key=lambda one: (order[one.rule], one.subject, one.words))


def _follows(one: Finding, gone: set[str]) -> bool:
    """Whether a break is told of by that of a filter: its parameter, and its input of tools."""
    if one.rule in ("parameter-gone", "tool-input-gone"):
        return one.subject.rpartition(" ")[2] in gone
    return one.rule == "tool-input-word-gone" and one.was in gone
