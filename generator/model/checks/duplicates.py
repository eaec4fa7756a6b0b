"""Warns if two records of a kind may be the same thing: they have the same website, or the same or
nearly the same name and not both a website.  Names are nearly the same if they are one edit apart
or differ only in their legal form, and the records have a common country.

The warning is at each of the records except the oldest.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from types import SimpleNamespace
from typing import Any

from generator.grammar.filters import Facet
from generator.kinds import KIND_OF
from generator.kinds.types import fold_website
from generator.model.checks import CollectionRecords, DuplicateKeys, PathOf, RecordFault
from generator.model.kind import Kind
from generator.model.kinds import KINDS
from generator.problems import one_edit
from generator.problems.diagnostic import Position
from generator.problems.faults import Fault
from generator.text.characters import straight
from generator.text.legal_forms import without_legal_form
from generator.text.words import fold, is_slug

CODE = "same-record"
_ACCEPT = f"`accept: [{CODE}]`"


def same_hint(collection: str, slug: str, other: str) -> str:
    """What to do with a record that is the same as another, which stays."""
    return f"If they are the same, run `registry merge {KIND_OF[collection]} {slug} {other}`."


def make_duplicate_keys(kind: Kind, record: Any) -> DuplicateKeys:
    """The duplicate keys of a record.

    Some kinds are compared by name only, because cohorts share the website of their program.  What
    tells these apart, such as the day of an event, is part of the name.
    """
    codes = [place.country for place in record.locations or ()]
    countries = " ".join(sorted(set(codes)) if len(codes) > 1 else codes)
    name, website = _name_and_website(kind, record)
    core = ""
    if countries and not kind.beside_name:
        core = without_legal_form(record.name)
        core = name if core == name else core  # one text takes less memory than two
    return DuplicateKeys(name, website, countries, kind.step_key(record), core)


def _name_and_website(kind: Kind, record: Any) -> tuple[str, str]:
    name = " ".join(fold(straight(record.name)).split())
    if kind.beside_name:
        return f"{name}\n{kind.told_apart_by(record)}", ""
    return name, fold_website(record.website) if record.website else ""


def duplicate_keys(collection: str, data: Mapping[str, Any]) -> DuplicateKeys:
    """The name and the website among a record's duplicate keys, from data that need not be valid.

    Both are "" if the record has no name.
    """
    kind = KINDS[collection]
    values = {name: data.get(name) for name in kind.declared.written}
    texts = {name: v if isinstance(v, str) else "" for name, v in values.items()}
    if not texts["name"]:
        return DuplicateKeys()
    return DuplicateKeys(*_name_and_website(kind, SimpleNamespace(**texts)))


def find_same(marks: Mapping[str, DuplicateKeys]) -> Iterator[tuple[str, list[str]]]:
    """(field, sorted slugs) of the records that have the same name or the same website."""
    keys_by_field: dict[str, Callable[[DuplicateKeys], str]] = {
        "name": lambda keys: keys.name,
        "website": lambda keys: keys.website,
    }
    for field, key_of in keys_by_field.items():
        yield from ((field, slugs) for slugs in _sharing(marks, key_of))


def _sharing(
    marks: Mapping[str, DuplicateKeys], key_of: Callable[[DuplicateKeys], str]
) -> Iterator[list[str]]:
    """The sorted slugs of the records that have the same key."""
    # Repeated keys are rare.  The first pass finds their hashes, which need little memory.
    seen, repeated = set[int](), set[int]()
    for _, keys in marks.items():
        if key := key_of(keys):
            (repeated if (digest := hash(key)) in seen else seen).add(digest)
    slugs_by_key: dict[str, list[str]] = {}
    for slug, keys in marks.items() if repeated else ():
        if (key := key_of(keys)) and hash(key) in repeated:
            slugs_by_key.setdefault(key, []).append(slug)
    yield from (sorted(slugs) for slugs in slugs_by_key.values() if len(slugs) > 1)


def find_nearly_same(marks: Mapping[str, DuplicateKeys]) -> Iterator[tuple[str, str]]:
    """Sorted pairs of slugs: names one edit apart, a common country, and not both a website."""
    no_website = [slug for slug, mark in marks.items() if mark.countries and not mark.website]
    if not no_website:
        return
    names = [
        (country, marks[slug].name)
        for slug in no_website
        for country in marks[slug].countries.split()
    ]
    passes = one_edit.one_edit_sieve(name for _, name in names)
    slugs_by_name: dict[tuple[str, str], list[str]] = {}
    for slug, mark in marks.items():
        for country in mark.countries.split() if passes(mark.name) else ():
            slugs_by_name.setdefault((country, mark.name), []).append(slug)
    found: set[tuple[str, str]] = set()
    for name, near_name in one_edit.one_edit_pairs(names, slugs_by_name):
        for first in slugs_by_name.get(name, ()):
            for second in slugs_by_name[near_name]:
                pair = (first, second) if first < second else (second, first)
                if pair not in found and not (marks[first].website and marks[second].website):
                    found.add(pair)
                    yield pair


def find_other_legal_forms(marks: Mapping[str, DuplicateKeys]) -> Iterator[tuple[str, str]]:
    """Sorted pairs of slugs: names that differ in their legal form only, a common country, and not
    both a website.
    """
    for slugs in _sharing(marks, lambda keys: keys.core):
        same_name = len({marks[slug].name for slug in slugs}) == 1
        if same_name or all(marks[slug].website for slug in slugs):
            continue
        for first, second in combinations(slugs, 2):
            one, other = marks[first], marks[second]
            if (
                one.name != other.name
                and not (one.website and other.website)
                and not set(one.countries.split()).isdisjoint(other.countries.split())
            ):
                yield first, second


def check_registry(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
    projects = collections.get("projects")
    used = projects.slice_members.members if projects is not None else {}
    for collection, records in collections.items():
        same = list(find_same(records.duplicate_keys))
        near = dict.fromkeys(find_nearly_same(records.duplicate_keys), False)
        near |= dict.fromkeys(find_other_legal_forms(records.duplicate_keys), True)
        alike = {slug for _, slugs in same for slug in slugs}.union(*near)
        ranks = _ranks(collection, records, alike, used) if alike else {}
        for field, slug, other in _same(records, same, ranks):
            path = path_of(collection, other)
            message = f"This record has the same {field} as {path}."
            yield RecordFault(
                collection, slug, _fault(collection, field, slug, other, path, message)
            )
        for slug, other, same_core in _nearly_same(records, near, ranks):
            path = path_of(collection, other)
            message = f"This record has nearly the same name as {path}, and is in the same country."
            if same_core:
                message = (
                    f"This record has the same name as {path} except for the legal form, and is "
                    "in the same country."
                )
            yield RecordFault(
                collection, slug, _fault(collection, "name", slug, other, path, message)
            )


#: Slug -> its place among records that resemble each other: the one to keep is the first.
_Ranks = Mapping[str, tuple[Any, ...]]


def _ranks(
    collection: str,
    records: CollectionRecords,
    slugs: Collection[str],
    used: Mapping[Facet, Sequence[int]],
) -> _Ranks:
    """The ranks of records: the oldest first, then the one with more projects.  A copy whose file
    name is no slug has none.
    """
    added, kind = records.times_added(slugs), KIND_OF[collection]
    return {
        slug: (added.get(slug, 0), -len(used.get(Facet(kind, slug), ())), slug)
        for slug in slugs
        if is_slug(slug)
    }


def _same(
    records: CollectionRecords, groups: Iterable[tuple[str, list[str]]], ranks: _Ranks
) -> Iterator[tuple[str, str, str]]:
    """(field, slug, slug of the first record that has the same value)."""
    for field, group in groups:
        slugs = sorted(ranks.keys() & group, key=ranks.__getitem__)
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
    keys = records.duplicate_keys
    return bool(keys[first].website and keys[second].website)


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


def _nearly_same(
    records: CollectionRecords, pairs: Mapping[tuple[str, str], bool], ranks: _Ranks
) -> Iterator[tuple[str, str, bool]]:
    """(slug, first slug with nearly the same name, whether only the legal form differs)."""
    resembling: dict[str, list[str]] = {}
    for pair in sorted(pairs):
        first, second = (*sorted(ranks.keys() & pair, key=ranks.__getitem__), "", "")[:2]
        if second and not _is_parent(records, first, second):
            resembling.setdefault(second, []).append(first)
    for slug, others in sorted(resembling.items()):
        for other in _to_report(records, slug, sorted(others, key=ranks.__getitem__)):
            yield slug, other, pairs[min(slug, other), max(slug, other)]


def _is_parent(records: CollectionRecords, first: str, second: str) -> bool:
    """Whether one of two records is the parent of the other."""
    return records.parents.get(first) == second or records.parents.get(second) == first


def _fault(collection: str, field: str, slug: str, other: str, path: str, message: str) -> Fault:
    change = KINDS[collection].correction
    if field == "website":
        change = "correct one of the websites"
    hint = (
        f"{same_hint(collection, slug, other)} If not, {change}, or write {_ACCEPT} in one of them."
    )
    also = (Position(path),)
    return Fault(CODE, message, (field,), hint, severity="warning", also=also)
