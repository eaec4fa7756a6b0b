"""The rules about records: gone without notice, moved former slugs, another subject."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from generator.features.diff.records import Changed, Records
from generator.grammar import paths
from generator.grammar.grammar import Collection, Grammar, Slice
from generator.guard.finding import Finding, name_slugs
from generator.guard.node import Place
from generator.guard.published import PublishedState

#: More missing records than this are a single finding.
_MANY_GONE = 10


def findings(new: PublishedState, records: Mapping[str, Records]) -> Iterator[Finding]:
    """Every broken rule about records."""
    removed = _removed(new)
    for name, changes in records.items():
        collection = Grammar({}).collections[name]
        yield from _records(collection, changes, removed)
        for changed in changes.changed:
            yield from _record(collection, changed)


def _removed(new: PublishedState) -> set[tuple[str, str]]:
    """(collection, slug) of the records whose removal is noted."""
    rows = new.document(paths.REMOVED)["data"].items
    return {(row["collection"].text, row["slug"].text) for row in rows}


def _records(
    collection: Collection, changes: Records, removed: set[tuple[str, str]]
) -> Iterator[Finding]:
    def finding(
        rule: str, slug: str, words: str, there: bool, was: str, now: str | None
    ) -> Finding:
        path = collection.record_path(slug)
        places = Place(path, "", True), Place(path, "", there)
        return Finding(rule, f"{collection.name} {slug}", words, *places, was, now)

    gone = sorted(slug for slug in changes.removed if (collection.name, slug) not in removed)
    without = "without an alias or an entry in removed.yaml"
    if len(gone) > _MANY_GONE:
        words = f"{len(gone):,} {collection.name} are gone {without}: {name_slugs(gone)}"
        places = (Place(Slice(collection).path(), "", True),) * 2
        yield Finding("record-gone", collection.name, words, *places, gone, [])
    else:
        for slug in gone:
            words = f"the record is gone {without}"
            yield finding("record-gone", slug, words, False, slug, None)
    before, after = changes.former
    new_slugs = {renamed.slug: renamed.now for renamed in changes.renamed}
    for alias, slug in before.items():
        now = after.get(alias)
        if alias in changes.live:
            words = f"the former slug of {slug} is now another record"
            yield finding("alias-elsewhere", alias, words, True, slug, alias)
        elif now is None and slug not in changes.removed:
            words = f"the former slug of {slug} leads nowhere"
            yield finding("alias-gone", alias, words, False, slug, None)
        elif now is not None and now != new_slugs.get(slug, slug):
            words = f"the former slug led to {slug} and now leads to {now}"
            yield finding("alias-elsewhere", alias, words, True, slug, now)


def _record(collection: Collection, changed: Changed) -> Iterator[Finding]:
    """Whether a record is about something else now."""
    fields = {field.name: field for field in changed.fields}
    path = collection.record_path(changed.slug)
    subject = f"{collection.name} {changed.slug}"
    if {"name", "website"} <= fields.keys():
        name, website = fields["name"], fields["website"]
        former = fields["former_names"].now if "former_names" in fields else None
        hosts = {_host(website.was), _host(website.now)}
        if len(hosts) == 2 and "" not in hosts and name.was not in (former or ()):
            words = f'was "{name.was}", {website.was}; is now "{name.now}", {website.now}'
            place = Place(path, "/data/name", True)
            yield Finding("record-other", subject, words, place, place, name.was, name.now)


def _host(url: object) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.") if isinstance(url, str) else ""
    except ValueError:
        return ""
