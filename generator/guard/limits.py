"""The guards: what a publish may lose since the last one, and what there must be in any.

A guard that is tripped is a finding like a broken rule: it has a fingerprint, of the numbers of
this very publish, by which it is approved once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from generator.api.grammar import Grammar
from generator.api.paths import COVERAGE
from generator.guard.finding import Finding
from generator.guard.node import Place
from generator.guard.state import MANY, State

if TYPE_CHECKING:
    from generator.records.guards import Bounds, Guards

#: Of so many records or more, shares are looked at.
_MANY = 10
#: Held against the last publish: where that is passed over, they are not told.
RELATIVE = ("records-lost", "filled-lost", "values-lost")


def tripped(guards: Guards, before: State | None, now: State) -> list[Finding]:
    """Every guard that is tripped; without a state before, those that hold in any publish."""
    counts = before.counts if before is not None else None
    return [*of_records(guards, counts, now.counts), *of_values(guards, before, now)]


def of_records(
    guards: Guards, before: Mapping[str, int] | None, now: Mapping[str, int]
) -> Iterator[Finding]:
    """Guards of the numbers of records."""
    for name, was in (before or {}).items():
        count = now.get(name, 0)
        if _too_many(guards, was, count):
            words = f"{name} {was:,} → {count:,} since the last build"
            yield _records("records-lost", name, words, was, count)
    for name, least in guards.least:
        if least is not None and now.get(name, 0) < least:
            words = f"{name}: {now.get(name, 0):,}, and at least {least:,} are to be"
            yield _records("records-few", name, words, least, now.get(name, 0))


def _too_many(guards: Guards, was: int, now: int) -> bool:
    return (was >= _MANY and _over((was - now) / was, guards.lost)) or now == 0 < was


def _over(share: float, bound: float) -> bool:
    """Whether a share is over a bound, whatever was lost in dividing."""
    return round(share - bound, 9) > 0


def of_values(guards: Guards, before: State | None, now: State) -> Iterator[Finding]:
    """Guards of what records have, and of countries and tags.  Where too many records are gone,
    their countries and tags are not told of.
    """
    for name, count in now.counts.items():
        was = before.counts.get(name, 0) if before is not None else 0
        filled = now.filled.get(name, {})
        if before is not None and not _too_many(guards, was, count):
            if min(was, count) >= _MANY:
                yield from _filled(guards, name, before, now)
            yield from _lost(guards, name, before.values.get(name, {}), now.values.get(name, {}))
        for aspect, share in getattr(guards.filled, name) or ():
            if share is not None and count and _over(share, filled.get(aspect, 0) / count):
                words = (
                    f"{_share(filled.get(aspect, 0), count)} of {name} have {_WORDS[aspect]}, "
                    f"and at least {share:.0%} are to have it"
                )
                yield _field("filled-few", name, aspect, words, share, filled.get(aspect, 0), count)
    for name, facet, bounds in _bounded(guards):
        number = now.values.get(name, {}).get(facet, 0)
        if bounds.least is not None and number < bounds.least:
            words = f"{name} of {_said(facet)}: {number:,}, and at least {bounds.least:,} are to be"
            yield _value("values-few", name, facet, words, bounds.least, number)
        if bounds.most is not None and number > bounds.most:
            words = f"{name} of {_said(facet)}: {number:,}, and at most {bounds.most:,} are to be"
            yield _value("values-many", name, facet, words, bounds.most, number)


_WORDS = {
    "website": "a website",
    "text": "a summary or description",
    "places": "a place",
    "tags": "a tag",
    "sources": "a source",
    "year": "a year",
}


def _filled(guards: Guards, name: str, before: State, now: State) -> Iterator[Finding]:
    total, count = before.counts[name], now.counts[name]
    for aspect, number in before.filled.get(name, {}).items():
        after = now.filled.get(name, {}).get(aspect, 0)
        if aspect in _WORDS and _over(number / total - after / count, guards.filled_lost):
            words = (
                f"{_share(after, count)} of {name} have {_WORDS[aspect]}, "
                f"and {_share(number, total)} had"
            )
            yield _field("filled-lost", name, aspect, words, [number, total], after, count)


def _lost(
    guards: Guards, name: str, before: Mapping[str, int], now: Mapping[str, int]
) -> Iterator[Finding]:
    for facet, was in before.items():
        count = now.get(facet, 0)
        if was >= MANY and _over((was - count) / was, guards.values_lost):
            words = f"{name} of {_said(facet)}: {count:,}, and were {was:,}"
            yield _value("values-lost", name, facet, words, was, count)


def _bounded(guards: Guards) -> Iterator[tuple[str, str, Bounds]]:
    for name, countries in guards.countries:
        for country, bounds in (countries or {}).items():
            yield name, f"location/{country}", bounds
    for name, families in guards.tags:
        for family, tags in (families or {}).items():
            for tag, bounds in tags.items():
                yield name, f"tag_{family}/{tag}", bounds


def _said(facet: str) -> str:
    """`location/us`: the country us."""
    known, _, value = facet.partition("/")
    return f"the country {value}" if known == "location" else f"the {known[4:]} {value}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "none"


# --- findings -------------------------------------------------------------------------------------


def _records(rule: str, name: str, words: str, was: int, now: int) -> Finding:
    place = Place(COVERAGE, f"/data/{name}/total", True)
    return Finding(rule, name, words, place, place, was, now)


def _field(
    rule: str, name: str, aspect: str, words: str, was: object, now: int, whole: int
) -> Finding:
    place = Place(COVERAGE, f"/data/{name}/fields/{aspect}", True)
    return Finding(rule, f"{name} {aspect}", words, place, place, was, [now, whole])


def _value(rule: str, name: str, facet: str, words: str, was: int, now: int) -> Finding:
    known, _, value = facet.partition("/")
    place = Place(Grammar({}).collections[name].filter_path(known), f"/data/values/{value}", True)
    return Finding(rule, f"{name} {known} {value}", words, place, place, was, now)
