"""The guards: what a publish may lose since the last publish, and what every publish must have.

A guard that is tripped is a finding, like a broken rule.  Its fingerprint includes the numbers, so
an approval holds for this publish alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import repeat
from typing import TYPE_CHECKING

from generator.grammar.filters import Facet
from generator.grammar.limits import MANY_RECORDS, is_loss, is_over
from generator.grammar.paths import COVERAGE, collection_root
from generator.guard.finding import Finding, Place, name_slugs
from generator.guard.state import MANY, State, Stayed
from generator.model.kinds.event_times import TIME_FIELDS
from generator.model.tables.coverage import ASPECTS, COMPOSED

if TYPE_CHECKING:
    from generator.model.settings.guards import Bounds, Guards

#: A field that at least this many records had may not be empty in all records.
_SEVERAL = 3
#: The guards that compare with the last publish; `--allow-loss` turns them off.
RELATIVE = ("records-lost", "filled-lost", "texts-alike", "values-lost")


def tripped_guards(guards: Guards, before: State | None, now: State) -> list[Finding]:
    """Every guard that is tripped; without `before`, only those that need no last publish."""
    before = before or State({}, {}, {})
    lost = [*_lost_records(guards, before, now)]
    compared = before.counts.keys() - {finding.subject for finding in lost}
    return [*lost, *_few_records(guards, now), *_value_findings(guards, before, now, compared)]


def lost_collections(
    guards: Guards, before: Mapping[str, int] | None, now: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """(collection, message) of the collections that lost too many records, by numbers alone."""
    for name, was in (before or {}).items():
        count = now.get(name, 0)
        if is_loss(was, was - count, count, guards.lost):
            yield name, _gone_words(name, was, was - count)


def _lost_records(guards: Guards, before: State, now: State) -> Iterator[Finding]:
    """A finding for each collection that lost too many records."""
    for name, was in before.counts.items():
        count = now.counts.get(name, 0)
        gone = before.gone(name, now)
        lost = max(len(gone), was - count)
        if is_loss(was, lost, count, guards.lost):
            words = _gone_words(name, was, lost)
            if len(gone) == lost:
                words += f": {name_slugs(gone)}"
            if not count:
                words += f". Without {name}, all their lists by filter values are gone too"
            if len(gone) == lost:
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


def _value_findings(
    guards: Guards, before: State, now: State, compared: Collection[str]
) -> Iterator[Finding]:
    """The guards of fields and values; `compared` are collections that lost few records."""
    for name, count in now.counts.items():
        filled = now.filled.get(name, {})
        if name in compared:
            if min(before.counts[name], count) >= MANY_RECORDS:
                yield from _filled(guards, name, before, now.since(name, before), count)
                yield from _alike(guards, name, before, now)
            yield from _lost(guards, name, before.values.get(name, {}), now.values.get(name, {}))
        for aspect, share in getattr(guards.filled, name, None) or ():
            if share is not None and count and is_over(share, filled.get(aspect, 0) / count):
                words = (
                    f"only {_share(filled.get(aspect, 0), count)} of {name} have {_WORDS[aspect]}; "
                    f"at least {share:.0%} are required"
                )
                yield _field("filled-few", name, aspect, words, share, filled.get(aspect, 0), count)
    for name, facet, bounds in _bounded(guards):
        number = now.values.get(name, {}).get(facet, 0)
        if bounds.least is not None and number < bounds.least:
            bound = f"at least {bounds.least:,} are required"
            words = f"{number:,} {name} of {_facet_words(facet)}, but {bound}"
            yield _value(guards, "values-few", name, facet, words, bounds.least, number)
        if bounds.most is not None and number > bounds.most:
            bound = f"at most {bounds.most:,} are allowed"
            words = f"{number:,} {name} of {_facet_words(facet)}, but {bound}"
            yield _value(guards, "values-many", name, facet, words, bounds.most, number)


_WORDS = {name: f"a {label.lower()}" for name, label in ASPECTS.items()}


def _filled(
    guards: Guards, name: str, before: State, stayed: Stayed, number_now: int
) -> Iterator[Finding]:
    """Fields that fewer of the records that were there before have."""
    was = before.filled.get(name, {})
    which = name if stayed.number == number_now else f"the {name} that were there before"
    for aspect, number in was.items():
        if not _is_compared(aspect, was, stayed.filled):
            continue
        total, count = before.counts[name], stayed.number
        kinds = [kind for kind, fields in TIME_FIELDS.items() if aspect in fields]
        if kinds and name in before.kinds:  # of a record of another kind nothing is lost
            total, count = (
                sum(map(known.get, kinds, repeat(0)))
                for known in (before.kinds[name], stayed.kinds)
            )
        after = min(stayed.filled.get(aspect, 0), count)
        if total and count and _fell(guards, number / total, after / count, number):
            words = (
                f"{_share(after, count)} of {which} have {_WORDS.get(aspect, aspect)}; "
                f"before, {_share(number, total)} had"
            )
            yield _field("filled-lost", name, aspect, words, [number, total], after, count)


def _is_compared(aspect: str, was: Mapping[str, int], filled: Mapping[str, int]) -> bool:
    """Whether a field or aspect is compared.  An aspect is not compared if both states count its
    fields, and a field not if registry.yaml no longer declares it.
    """
    if aspect in COMPOSED:
        return not (COMPOSED[aspect] in was and COMPOSED[aspect] in filled)
    return aspect in _WORDS or aspect in filled


def _fell(guards: Guards, was: float, now: float, number: int) -> bool:
    """Whether a share fell too far: in points, relative to itself, or to zero."""
    if is_over(was - now, guards.filled_lost):
        return True
    if number >= MANY and is_over(1 - now / was, guards.values_lost):
        return True
    return guards.filled_lost < 1 and number >= _SEVERAL and not now


def _alike(guards: Guards, name: str, before: State, now: State) -> Iterator[Finding]:
    """Fields in which too many of the records with a text have the same text."""
    for field, most in before.alike.get(name, {}).items():
        number, after = (state.filled.get(name, {}).get(field, 0) for state in (before, now))
        same = now.alike.get(name, {}).get(field, 0)
        if min(number, after) < MANY_RECORDS or most > number:
            continue
        if is_over(same / after - most / number, guards.filled_lost):
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
        if was >= MANY and is_over((was - count) / was, guards.values_lost):
            words = f"{count:,} {name} of {_facet_words(facet)}; before, there were {was:,}"
            yield _value(guards, "values-lost", name, facet, words, was, count)


def _bounded(guards: Guards) -> Iterator[tuple[str, str, Bounds]]:
    for name, countries in guards.countries:
        for country, bounds in (countries or {}).items():
            yield name, Facet("location", country).text, bounds
    for name, families in guards.tags:
        for family, tags in (families or {}).items():
            for tag, bounds in tags.items():
                yield name, Facet(f"tag_{family}", tag).text, bounds


def _facet_words(facet: str) -> str:
    """`location/us` -> `the country us`, `tag_topic/ai` -> `the topic ai`."""
    name, value = Facet.parse(facet)
    return f"the country {value}" if name == "location" else f"the {name[4:]} {value}"


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


def _value(
    guards: Guards, rule: str, name: str, facet: str, words: str, was: int, now: int
) -> Finding:
    known, value = Facet.parse(facet)
    path = f"{collection_root(name, guards.kinds)}/filters/{known}.json"
    place = Place(path, f"/data/values/{value}", True)
    return Finding(rule, f"{name} {known} {value}", words, place, place, was, now)
