"""Two records of one kind are hardly the same thing: the same website, or the same name where no
website tells them apart.

They may be two, so this only warns: at each of them but the first.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.grammar.names import KIND_OF
from generator.grammar.text import fold
from generator.model.checks import Known, Mark, Where
from generator.problems import one_edit
from generator.problems.faults import Fault

_HINT = "If they are the same, run `registry merge {kind} {slug} {other}`. If not, {apart}."
#: What tells two records of one name apart.
_APART = {"events": "correct one of the names or days", "programs": "correct one of the names"}


def mark(collection: str, record: Any) -> tuple[str, str, str]:
    """The name and the website that a record is known by, folded, and its countries; "" where
    nothing is.

    The cohorts of a program share its website, and every year has its demo day: those are known by
    their names, programs beside their organization, events beside their day.
    """
    name = " ".join(fold(record.name).split())
    some = [place.country for place in record.locations or ()]
    countries = " ".join(sorted(set(some)) if len(some) > 1 else some)
    if collection == "programs":
        return f"{name}\n{record.organization}", "", countries
    if collection == "events":
        day = (record.closes or record.due or record.starts or "")[:10]
        return f"{name}\n{day}", "", countries
    return name, website(record.website) if record.website else "", countries


def website(url: str) -> str:
    """A URL without scheme, `www.`, fragment and last slash."""
    host, slash, path = url.partition("://")[2].partition("#")[0].partition("/")
    return (host.casefold().removeprefix("www.") + slash + path).rstrip("/")


def groups(marks: Mapping[str, Mark]) -> Iterator[tuple[str, list[str]]]:
    """(field, slugs) of records that have one mark in common, slugs in order."""
    for number, field in enumerate(("name", "website")):
        # Few have one in common: first it is seen which may, by numbers that take little room.
        seen, again = set[int](), set[int]()
        for _, held in marks.items():
            if held[number]:
                (again if (key := hash(held[number])) in seen else seen).add(key)
        sharing: dict[str, list[str]] = {}
        for slug, held in marks.items() if again else ():
            if held[number] and hash(held[number]) in again:
                sharing.setdefault(held[number], []).append(slug)
        yield from ((field, sorted(slugs)) for slugs in sharing.values() if len(slugs) > 1)


def nearly(marks: Mapping[str, Mark]) -> Iterator[tuple[str, str]]:
    """Pairs of slugs, in order, whose names are one edit apart and that are in one country, where
    no website of each tells them apart.
    """
    bare = [slug for slug, mark in marks.items() if mark[2] and not mark[1]]
    if not bare:
        return
    by_text: dict[tuple[str, str], list[str]] = {}
    some = [(country, marks[slug][0]) for slug in bare for country in marks[slug][2].split()]
    passes = one_edit.sieve(text for _, text in some)
    for slug, mark in marks.items():
        for country in mark[2].split() if passes(mark[0]) else ():
            by_text.setdefault((country, mark[0]), []).append(slug)
    told: set[tuple[str, str]] = set()
    for one, two in one_edit.pairs(some, by_text):
        for first in by_text.get(one, ()):
            for second in by_text[two]:
                pair = (first, second) if first < second else (second, first)
                if pair not in told and not (marks[first][1] and marks[second][1]):
                    told.add(pair)
                    yield pair


def check_registry(known: Mapping[str, Known], where: Where) -> Iterator[tuple[str, str, Fault]]:
    for collection, names in known.items():
        for field, slugs in groups(names.marks):
            for i, slug in enumerate(slugs):
                other = next((o for o in slugs[:i] if _alike(field, o, slug, names)), None)
                if other is not None:
                    what = f"This record has the same {field} as {where(collection, other)}."
                    hint = _hint(collection, field, slug, other)
                    yield (
                        collection,
                        slug,
                        Fault("same-record", what, (field,), hint, severity="warning",
                              also=((where(collection, other), 1, 1),)),
                    )  # fmt: skip
        yield from _nearly_told(collection, names, where)


def _nearly_told(collection: str, names: Known, where: Where) -> Iterator[tuple[str, str, Fault]]:
    """Of records whose names are one edit apart each but the first is told of the first."""
    told: set[str] = set()
    for first, second in sorted(nearly(names.marks), key=lambda pair: pair[::-1]):
        kin = first in (names.parents.get(second),) or second in (names.parents.get(first),)
        if second in told or kin:
            continue
        told.add(second)
        path = where(collection, first)
        what = f"This record has nearly the same name as {path}, and is in the same country."
        hint = _hint(collection, "name", second, first)
        fault = Fault("same-record", what, ("name",), hint,
                      severity="warning", also=((path, 1, 1),))  # fmt: skip
        yield collection, second, fault


def _hint(collection: str, field: str, slug: str, other: str) -> str:
    apart = _APART.get(collection, "give each its own website")
    if field == "website":
        apart = "correct one of the websites"
    return _HINT.format(kind=KIND_OF[collection], slug=slug, other=other, apart=apart)


def _alike(field: str, one: str, two: str, names: Known) -> bool:
    if names.parents.get(one) == two or names.parents.get(two) == one:
        return False
    first, second = names.marks[one][1], names.marks[two][1]
    return field == "website" or not (
        first and second
    )  # of the same name and website the website is told
