"""Warns if two records of a kind may be the same thing: they have the same website, or the same or
nearly the same name and not both a website.  Names are nearly the same if they are one edit apart
or differ only in their legal form, and the records have a common country.

The warning is at each of the records except the first.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from types import SimpleNamespace
from typing import Any

from generator.kinds import KIND_OF
from generator.kinds.types import fold_website
from generator.model.checks import CollectionRecords, DuplicateKeys, PathOf, RecordFaults
from generator.model.identifiers import listed
from generator.model.kind import Kind
from generator.model.kinds import KINDS
from generator.problems import one_edit
from generator.problems.faults import Fault
from generator.text.legal_forms import without_legal_form
from generator.text.words import fold

CODE = "same-record"
_HINT = (
    "If they are the same, run `registry merge {kind} {slug} {other}`. If not, {change}, or write "
    "`accept: [same-record]` in one of them."
)


def make_duplicate_keys(kind: Kind, record: Any) -> DuplicateKeys:
    """The folded name, the folded website and the countries of a record, its place in a timeline,
    its identifiers, and its name without a legal form; "" for an absent one.

    Some kinds are compared by name only, because cohorts share the website of their program.  What
    tells these apart, such as the day of an event, is part of the name.
    """
    codes = [place.country for place in record.locations or ()]
    countries = " ".join(sorted(set(codes)) if len(codes) > 1 else codes)
    ids = record.identifiers
    known = "\n".join(f"{s}:{text.lower()}" for s, text, _ in listed(ids)) if ids else ""
    name, website = _name_and_website(kind, record)
    core = ""
    if countries and not kind.beside_name:
        core = without_legal_form(record.name)
        core = name if core == name else core  # one text takes less memory than two
    return name, website, countries, kind.step_key(record), known, core


def _name_and_website(kind: Kind, record: Any) -> tuple[str, str]:
    name = " ".join(fold(record.name).split())
    if kind.beside_name:
        return f"{name}\n{kind.told_apart_by(record)}", ""
    return name, fold_website(record.website) if record.website else ""


def duplicate_keys(collection: str, data: Mapping[str, Any]) -> tuple[str, str]:
    """The first two of a record's duplicate keys, from data that need not be valid.

    A key is "" if the record has no name or no website.
    """
    kind = KINDS[collection]
    values = {name: data.get(name) for name in kind.declared.written}
    texts = {name: v if isinstance(v, str) else "" for name, v in values.items()}
    return _name_and_website(kind, SimpleNamespace(**texts)) if texts["name"] else ("", "")


def find_same(marks: Mapping[str, DuplicateKeys]) -> Iterator[tuple[str, list[str]]]:
    """(field, sorted slugs) of the records that have the same name or the same website."""
    for number, field in enumerate(("name", "website")):
        yield from ((field, slugs) for slugs in _sharing(marks, number))


def _sharing(marks: Mapping[str, DuplicateKeys], number: int) -> Iterator[list[str]]:
    """The sorted slugs of the records that have the same key with this number."""
    # Repeated keys are rare.  The first pass finds their hashes, which need little memory.
    seen, repeated = set[int](), set[int]()
    for _, keys in marks.items():
        if keys[number]:
            (repeated if (key := hash(keys[number])) in seen else seen).add(key)
    slugs_by_key: dict[str, list[str]] = {}
    for slug, keys in marks.items() if repeated else ():
        if keys[number] and hash(keys[number]) in repeated:
            slugs_by_key.setdefault(keys[number], []).append(slug)
    yield from (sorted(slugs) for slugs in slugs_by_key.values() if len(slugs) > 1)


def find_nearly_same(marks: Mapping[str, DuplicateKeys]) -> Iterator[tuple[str, str]]:
    """Sorted pairs of slugs: names one edit apart, a common country, and not both a website."""
    no_website = [slug for slug, mark in marks.items() if mark[2] and not mark[1]]
    if not no_website:
        return
    names = [(country, marks[slug][0]) for slug in no_website for country in marks[slug][2].split()]
    passes = one_edit.one_edit_sieve(name for _, name in names)
    slugs_by_name: dict[tuple[str, str], list[str]] = {}
    for slug, mark in marks.items():
        for country in mark[2].split() if passes(mark[0]) else ():
            slugs_by_name.setdefault((country, mark[0]), []).append(slug)
    found: set[tuple[str, str]] = set()
    for name, near_name in one_edit.one_edit_pairs(names, slugs_by_name):
        for first in slugs_by_name.get(name, ()):
            for second in slugs_by_name[near_name]:
                pair = (first, second) if first < second else (second, first)
                if pair not in found and not (marks[first][1] and marks[second][1]):
                    found.add(pair)
                    yield pair


def find_other_legal_forms(marks: Mapping[str, DuplicateKeys]) -> Iterator[tuple[str, str]]:
    """Sorted pairs of slugs: names that differ in their legal form only, a common country, and not
    both a website.
    """
    for slugs in _sharing(marks, 5):
        if len({marks[slug][0] for slug in slugs}) == 1 or all(marks[slug][1] for slug in slugs):
            continue
        for first, second in combinations(slugs, 2):
            one, other = marks[first], marks[second]
            if (
                one[0] != other[0]
                and not (one[1] and other[1])
                and not set(one[2].split()).isdisjoint(other[2].split())
            ):
                yield first, second


def check_registry(collections: Mapping[str, CollectionRecords], path_of: PathOf) -> RecordFaults:
    for collection, records in collections.items():
        for field, slug, other in _same(records):
            path = path_of(collection, other)
            message = f"This record has the same {field} as {path}."
            yield collection, slug, _fault(collection, field, slug, other, path, message)
        for slug, other, same_core in _nearly_same(records):
            path = path_of(collection, other)
            message = f"This record has nearly the same name as {path}, and is in the same country."
            if same_core:
                message = (
                    f"This record has the same name as {path} except for the legal form, and is "
                    "in the same country."
                )
            yield collection, slug, _fault(collection, "name", slug, other, path, message)


def _same(records: CollectionRecords) -> Iterator[tuple[str, str, str]]:
    """(field, slug, slug of the first record that has the same value)."""
    for field, slugs in find_same(records.duplicate_keys):
        for i, slug in enumerate(slugs):
            # Two websites tell records of one name apart, or are the same and reported as such.
            others = (
                other
                for other in slugs[:i]
                if not _is_parent(records, slug, other)
                and (field == "website" or not _both_have_websites(records, slug, other))
            )
            yield from ((field, slug, other) for other in _to_report(records, slug, others))


def _both_have_websites(records: CollectionRecords, first: str, second: str) -> bool:
    return bool(records.duplicate_keys[first][1] and records.duplicate_keys[second][1])


def _to_report(records: CollectionRecords, slug: str, others: Iterable[str]) -> Iterator[str]:
    """The first of the records that resemble a record, and the first that does not accept this."""
    for number, other in enumerate(others):
        accepted = _accepts(records, slug) or _accepts(records, other)
        if number == 0 or not accepted:
            yield other
        if not accepted or _accepts(records, slug):
            return


def _accepts(records: CollectionRecords, slug: str) -> bool:
    return CODE in records.accepts.get(slug, ())


def _nearly_same(records: CollectionRecords) -> Iterator[tuple[str, str, bool]]:
    """(slug, first slug with nearly the same name, whether only the legal form differs)."""
    resembling: dict[str, list[str]] = {}
    pairs = dict.fromkeys(find_nearly_same(records.duplicate_keys), False)
    pairs |= dict.fromkeys(find_other_legal_forms(records.duplicate_keys), True)
    for first, second in sorted(pairs):
        if not _is_parent(records, first, second):
            resembling.setdefault(second, []).append(first)
    for slug, others in sorted(resembling.items()):
        for other in _to_report(records, slug, others):
            yield slug, other, pairs[other, slug]


def _is_parent(records: CollectionRecords, first: str, second: str) -> bool:
    """Whether one of two records is the parent of the other."""
    return records.parents.get(first) == second or records.parents.get(second) == first


def _fault(collection: str, field: str, slug: str, other: str, path: str, message: str) -> Fault:
    change = KINDS[collection].correction
    if field == "website":
        change = "correct one of the websites"
    hint = _HINT.format(kind=KIND_OF[collection], slug=slug, other=other, change=change)
    also = ((path, 1, 1),)
    return Fault(CODE, message, (field,), hint, severity="warning", also=also)
