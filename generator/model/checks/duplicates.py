"""Warns if two records of a kind may be the same thing: they have the same website, or the same or
nearly the same name and not both a website.  Names are nearly the same if they are one edit apart
or differ only in their legal form, and the records have a common country.

The warning is at each of the records except the oldest.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from types import SimpleNamespace
from typing import Any

from generator.grammar.filters import Facet
from generator.kinds.declare import Declared
from generator.kinds.types import fold_website
from generator.model.checks import CollectionRecords, DuplicateKeys, PathOf, RecordFault
from generator.model.kind import Kind
from generator.model.kinds import kind_for
from generator.problems import one_edit
from generator.problems.diagnostic import Position
from generator.problems.faults import Fault
from generator.text.characters import straight
from generator.text.legal_forms import without_legal_form
from generator.text.words import fold, is_slug

CODE = "same-record"
_ACCEPT = f"`accept: [{CODE}]`"


def same_hint(kind: str, slug: str, other: str) -> str:
    """What to do with a record that is the same as another, which stays."""
    return f"If they are the same, run `registry merge {kind} {slug} {other}`."


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


def duplicate_keys(declared: Declared, data: Mapping[str, Any]) -> DuplicateKeys:
    """The name and the website among a record's duplicate keys, from data that need not be valid.

    Both are "" if the record has no name.
    """
    kind = kind_for(declared)
    values = {name: data.get(name) for name in ("website", *kind.declared.written)}
    texts = {name: v if isinstance(v, str) else "" for name, v in values.items()}
    texts.setdefault("website", "")
    if not texts["name"]:
        return DuplicateKeys()
    return DuplicateKeys(*_name_and_website(kind, SimpleNamespace(**texts)))


def _sharing(
    keys_of: Mapping[str, DuplicateKeys], key_of: Callable[[DuplicateKeys], str]
) -> Iterator[list[str]]:
    """The sorted slugs of the records that have the same key."""
    # Repeated keys are rare.  The first pass finds their hashes, which need little memory.
    seen, repeated = set[int](), set[int]()
    for _, keys in keys_of.items():
        if key := key_of(keys):
            (repeated if (digest := hash(key)) in seen else seen).add(digest)
    slugs_by_key: dict[str, list[str]] = {}
    for slug, keys in keys_of.items() if repeated else ():
        if (key := key_of(keys)) and hash(key) in repeated:
            slugs_by_key.setdefault(key, []).append(slug)
    yield from (sorted(slugs) for slugs in slugs_by_key.values() if len(slugs) > 1)


def _nearly_same(keys_of: Mapping[str, DuplicateKeys]) -> Iterator[tuple[str, str]]:
    """Sorted pairs of slugs: names one edit apart, a common country, and not both a website."""
    no_website = [slug for slug, keys in keys_of.items() if keys.countries and not keys.website]
    if not no_website:
        return
    names = [
        (country, keys_of[slug].name)
        for slug in no_website
        for country in keys_of[slug].countries.split()
    ]
    passes = one_edit.one_edit_sieve(name for _, name in names)
    slugs_by_name: dict[tuple[str, str], list[str]] = {}
    for slug, keys in keys_of.items():
        for country in keys.countries.split() if passes(keys.name) else ():
            slugs_by_name.setdefault((country, keys.name), []).append(slug)
    found: set[tuple[str, str]] = set()
    for name, near_name in one_edit.one_edit_pairs(names, slugs_by_name):
        for first in slugs_by_name.get(name, ()):
            for second in slugs_by_name[near_name]:
                pair = (first, second) if first < second else (second, first)
                if pair not in found and not (keys_of[first].website and keys_of[second].website):
                    found.add(pair)
                    yield pair


def _other_legal_forms(keys_of: Mapping[str, DuplicateKeys]) -> Iterator[tuple[str, str]]:
    """Sorted pairs of slugs: names that differ in their legal form only, a common country, and not
    both a website.
    """
    for slugs in _sharing(keys_of, lambda keys: keys.core):
        same_name = len({keys_of[slug].name for slug in slugs}) == 1
        if same_name or all(keys_of[slug].website for slug in slugs):
            continue
        for first, second in combinations(slugs, 2):
            one, other = keys_of[first], keys_of[second]
            if (
                one.name != other.name
                and not (one.website and other.website)
                and not set(one.countries.split()).isdisjoint(other.countries.split())
            ):
                yield first, second


def check_registry(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
    counted = (records.members for records in collections.values() if records.declared.counted)
    used = next(counted, {})
    for collection, records in collections.items():
        for slug, other, field, message in _resembling(collection, records, used):
            path = path_of(collection, other)
            change = kind_for(records.declared).correction
            if field == "website":
                change = "correct one of the websites"
            hint = same_hint(records.declared.kind, slug, other)
            hint += f" If not, {change}, or write {_ACCEPT} in one of them."
            message, also = message.format(field=field, path=path), (Position(path),)
            fault = Fault(CODE, message, (field,), hint, severity="warning", also=also)
            yield RecordFault(collection, slug, fault)


_SAME = "This record has the same {field} as {path}."
_NEAR = "This record has nearly the same name as {path}, and is in the same country."
_FORM = (
    "This record has the same name as {path} except for the legal form, and is in the same country."
)


def _resembling(
    collection: str, records: CollectionRecords, used: Mapping[Facet, Sequence[int]]
) -> Iterator[tuple[str, str, str, str]]:
    """(slug, slug of an older record, field, message) of the records to report."""
    keys = records.duplicate_keys
    groups = [("name", slugs) for slugs in _sharing(keys, lambda keys: keys.name)]
    groups += [("website", slugs) for slugs in _sharing(keys, lambda keys: keys.website)]
    near = dict.fromkeys(_nearly_same(keys), _NEAR)
    near |= dict.fromkeys(_other_legal_forms(keys), _FORM)
    alike = {slug for _, slugs in groups for slug in slugs}.union(*near)
    if not alike:
        return
    # The oldest is to be kept, then the one that more records refer to.
    added, kind = records.times_added(alike), records.declared.kind
    ranks = {
        slug: (added.get(slug, 0), -len(used.get(Facet(kind, slug), ())), slug)
        for slug in alike
        if is_slug(slug)  # no copy of a file, like `acme (1)`
    }
    for field, group in groups:
        slugs = sorted(ranks.keys() & group, key=ranks.__getitem__)
        for i, slug in enumerate(slugs):
            # Two websites tell records of one name apart, or are the same and reported as such.
            has_website = bool(keys[slug].website) and field == "name"
            others = (o for o in slugs[:i] if not (has_website and keys[o].website))
            for other in _to_report(records, slug, others):
                yield slug, other, field, _SAME
    older: dict[str, list[str]] = {}
    for pair in near:
        if pair[0] in ranks and pair[1] in ranks:
            first, second = sorted(pair, key=ranks.__getitem__)
            older.setdefault(second, []).append(first)
    for slug in older:
        for other in _to_report(records, slug, sorted(older[slug], key=ranks.__getitem__)):
            yield slug, other, "name", near[min(slug, other), max(slug, other)]


def _to_report(records: CollectionRecords, slug: str, others: Iterable[str]) -> Iterator[str]:
    """The first of the records that resemble a record, and the first that does not accept this;
    without its parent and the records whose parent it is.
    """
    parents, accepts, first = records.parents, records.accepts, True
    for other in others:
        if parents.get(slug) == other or parents.get(other) == slug:
            continue
        own = CODE in accepts.get(slug, ())
        accepted = own or CODE in accepts.get(other, ())
        if first or not accepted:
            yield other
        if own or not accepted:
            return
        first = False
