"""Two records of one kind are hardly the same thing: the same website, or the same name where no
website tells them apart.

They may be two, so this only warns: at each of them but the first.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.api.text import fold
from generator.records.checks import Known, Mark, Where
from generator.records.faults import Fault


def mark(collection: str, record: Any) -> tuple[str, str]:
    """The name and the website that a record is known by, folded; "" where nothing is.

    The cohorts of a program share its website, and every year has its demo day: those are known by
    their names, programs beside their organization, events beside their day.
    """
    name = " ".join(fold(record.name).split())
    if collection == "programs":
        return f"{name}\n{record.organization}", ""
    if collection == "events":
        return f"{name}\n{(record.closes or record.due or record.starts or '')[:10]}", ""
    return name, _website(record.website) if record.website else ""


def _website(url: str) -> str:
    """A URL without scheme, `www.`, fragment and last slash."""
    host, slash, path = url.partition("://")[2].partition("#")[0].partition("/")
    return (host.casefold().removeprefix("www.") + slash + path).rstrip("/")


def groups(marks: Mapping[str, Mark]) -> Iterator[tuple[str, list[str]]]:
    """(field, slugs) of records that have one mark in common, slugs in order."""
    for number, field in enumerate(("name", "website")):
        sharing: dict[str, list[str]] = {}
        for slug, held in marks.items():
            key = held[number]
            if key:
                sharing.setdefault(str(key), []).append(slug)
        yield from ((field, sorted(slugs)) for slugs in sharing.values() if len(slugs) > 1)


def related(was: Mapping[str, Mark], now: Mapping[str, Mark], changed: set[str]) -> set[str]:
    """The records of which something may be said anew when some changed: those, and what has or had
    a mark in common with them.
    """
    affected = set(changed)
    for marks in (was, now):
        for _, slugs in groups(marks):
            if not changed.isdisjoint(slugs):
                affected.update(slugs)
    return affected


def check_registry(known: Mapping[str, Known], where: Where) -> Iterator[tuple[str, str, Fault]]:
    for collection, names in known.items():
        for field, slugs in groups(names.marks):
            for i, slug in enumerate(slugs):
                if names.fresh is not None and slug not in names.fresh:
                    continue
                other = next((o for o in slugs[:i] if _alike(field, o, slug, names)), None)
                if other is not None:
                    what = f"{field}: {where(collection, other)} has the same"
                    apart = (
                        "days or names"
                        if collection == "events"
                        else "names"
                        if collection == "programs"
                        else "websites"
                    )
                    hint = (
                        "of one thing keep one record, with the other slug among its aliases; "
                        f"two have {apart} of their own"
                    )
                    yield (
                        collection,
                        slug,
                        Fault("same-record", what, (field,), hint, severity="warning"),
                    )


def _alike(field: str, one: str, two: str, names: Known) -> bool:
    if names.parents.get(one) == two or names.parents.get(two) == one:
        return False
    first, second = names.marks[one][1], names.marks[two][1]
    return field == "website" or not (
        first and second
    )  # of the same name and website the website is told
