"""The guards: what a publish may lose since the last one, and what there must be in any.

A guard that is tripped is a finding like a broken rule: it has a fingerprint, of the numbers of
this very publish, by which it is approved once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from generator.grammar.grammar import Grammar
from generator.grammar.paths import COVERAGE
from generator.guard.finding import Finding, named
from generator.guard.node import Place
from generator.guard.state import MANY, State
from generator.model.tables.coverage import COMPOSED

if TYPE_CHECKING:
    from generator.model.settings.guards import Bounds, Guards

#: Shares are compared in collections of so many records or more.
_MANY = 10
#: A field that so many records gave, or more, may not be empty in all of them.
_SEVERAL = 3
#: Guards that compare with the last publish: a loss that is allowed is not reported.
RELATIVE = ("records-lost", "filled-lost", "texts-alike", "values-lost")


def tripped(guards: Guards, before: State | None, now: State) -> list[Finding]:
    """Every guard that is tripped; without a state before, those that hold in any publish."""
    before = before or State({}, {}, {})
    lost = [*_lost_records(guards, before, now)]
    compared = before.counts.keys() - {one.subject for one in lost}
    return [*lost, *_few_records(guards, now), *_of_values(guards, before, now, compared)]


def of_counts(
    guards: Guards, before: Mapping[str, int] | None, now: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """The collections that lost too many records, by their numbers alone, with a message."""
    for name, was in (before or {}).items():
        count = now.get(name, 0)
        if _too_many(guards, was, was - count, count):
            yield name, _gone_words(name, was, was - count)


def _lost_records(guards: Guards, before: State, now: State) -> Iterator[Finding]:
    """The collections that lost too many records, one finding each."""
    for name, was in before.counts.items():
        count = now.counts.get(name, 0)
        gone, number = before.gone(name, now)
        lost = max(number, was - count)
        if _too_many(guards, was, lost, count):
            words = _gone_words(name, was, lost)
            if number == lost:
                words += f": {named(gone, number)}"
                yield _records("records-lost", name, words, gone, [])
            else:
                yield _records("records-lost", name, words, was, count)


def _few_records(guards: Guards, now: State) -> Iterator[Finding]:
    for name, least in guards.least:
        count = now.counts.get(name, 0)
        if least is not None and count < least:
            words = f"{count:,} {name}, but at least {least:,} are required"
            yield _records("records-few", name, words, least, count)


def _gone_words(name: str, was: int, lost: int) -> str:
    return f"{lost:,} of {was:,} {name} {'is' if lost == 1 else 'are'} gone"


def _too_many(guards: Guards, was: int, lost: int, now: int) -> bool:
    return (was >= _MANY and _over(lost / was, guards.lost)) or now == 0 < was


def _over(share: float, bound: float) -> bool:
    """Whether a share is over a bound, whatever was lost in dividing."""
    return round(share - bound, 9) > 0


def _of_values(
    guards: Guards, before: State, now: State, compared: Collection[str]
) -> Iterator[Finding]:
    """Guards of what records give, and of countries and tags.  A collection that lost too many
    records is not compared: records-lost reports it.
    """
    for name, count in now.counts.items():
        filled = now.filled.get(name, {})
        if name in compared:
            if min(before.counts[name], count) >= _MANY:
                yield from _filled(guards, name, before, now)
                yield from _alike(guards, name, before, now)
            yield from _lost(guards, name, before.values.get(name, {}), now.values.get(name, {}))
        for aspect, share in getattr(guards.filled, name) or ():
            if share is not None and count and _over(share, filled.get(aspect, 0) / count):
                words = (
                    f"only {_share(filled.get(aspect, 0), count)} of {name} have {_WORDS[aspect]}; "
                    f"at least {share:.0%} are required"
                )
                yield _field("filled-few", name, aspect, words, share, filled.get(aspect, 0), count)
    for name, facet, bounds in _bounded(guards):
        number = now.values.get(name, {}).get(facet, 0)
        if bounds.least is not None and number < bounds.least:
            words = (
                f"{number:,} {name} of {_said(facet)}, but at least {bounds.least:,} are required"
            )
            yield _value("values-few", name, facet, words, bounds.least, number)
        if bounds.most is not None and number > bounds.most:
            words = f"{number:,} {name} of {_said(facet)}, but at most {bounds.most:,} are allowed"
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
    was, filled = before.filled.get(name, {}), now.filled.get(name, {})
    for aspect, number in was.items():
        if not _is_compared(aspect, was, filled):
            continue
        after = filled.get(aspect, 0)
        if _fell(guards, number / total, after / count, number):
            words = (
                f"{_share(after, count)} of {name} have {_WORDS.get(aspect, aspect)}; "
                f"before, {_share(number, total)} had"
            )
            yield _field("filled-lost", name, aspect, words, [number, total], after, count)


def _is_compared(aspect: str, was: Mapping[str, int], filled: Mapping[str, int]) -> bool:
    """Whether a field or aspect is compared.  An aspect is not if both states count its fields, nor
    is a field that registry.yaml no longer declares.
    """
    if aspect in COMPOSED:
        return not (COMPOSED[aspect] in was and COMPOSED[aspect] in filled)
    return aspect in _WORDS or aspect in filled


def _fell(guards: Guards, was: float, now: float, number: int) -> bool:
    """Whether a share fell too far: in points, by its own part, or to nothing."""
    if _over(was - now, guards.filled_lost):
        return True
    if number >= MANY and _over(1 - now / was, guards.values_lost):
        return True
    return guards.filled_lost < 1 and number >= _SEVERAL and not now


def _alike(guards: Guards, name: str, before: State, now: State) -> Iterator[Finding]:
    """Fields in which too many records have the same text, of those that have one."""
    for field, most in before.alike.get(name, {}).items():
        number, after = (state.filled.get(name, {}).get(field, 0) for state in (before, now))
        same = now.alike.get(name, {}).get(field, 0)
        if min(number, after) < _MANY or most > number:
            continue
        if _over(same / after - most / number, guards.filled_lost):
            words = (
                f"{_share(same, after)} of the {name} with {_WORDS.get(field, field)} have the "
                f"same text; before, at most {_share(most, number)} had"
            )
            place = Place(COVERAGE, f"/data/{name}/alike/{field}", True)
            counts = [most, number], [same, after]
            yield Finding("texts-alike", f"{name} {field}", words, place, place, *counts)


def _lost(
    guards: Guards, name: str, before: Mapping[str, int], now: Mapping[str, int]
) -> Iterator[Finding]:
    for facet, was in before.items():
        count = now.get(facet, 0)
        if was >= MANY and _over((was - count) / was, guards.values_lost):
            words = f"{count:,} {name} of {_said(facet)}; before, there were {was:,}"
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


def _records(rule: str, name: str, words: str, was: object, now: object) -> Finding:
    place = Place(COVERAGE, f"/data/{name}/total", True)
    return Finding(rule, name, words, place, place, was, now)


def _field(
    rule: str, name: str, aspect: str, words: str, was: object, now: int, whole: int
) -> Finding:
    part = "fields" if aspect in _WORDS else "given"
    place = Place(COVERAGE, f"/data/{name}/{part}/{aspect}", True)
    return Finding(rule, f"{name} {aspect}", words, place, place, was, [now, whole])


def _value(rule: str, name: str, facet: str, words: str, was: int, now: int) -> Finding:
    known, _, value = facet.partition("/")
    place = Place(Grammar({}).collections[name].filter_path(known), f"/data/values/{value}", True)
    return Finding(rule, f"{name} {known} {value}", words, place, place, was, now)
