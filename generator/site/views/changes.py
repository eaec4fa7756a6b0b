"""`/changes/` and `/changes.atom`: the latest new, changed and removed records.

If the commits are unknown there is no feed, and the page says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from generator.contract.artifact import Artifact
from generator.grammar.paths import CHANGES
from generator.site import differences, feeds, paths, rendering
from generator.site.meta import Twin, below_home
from generator.site.page_context import Site


def render(site: Site) -> Iterator[Artifact]:
    document = feeds.read_document(site, CHANGES)
    changes = [change | {"path": _page(site, change)} for change in document["data"]]
    listed = list(_listed(site))
    by_day = sorted(listed or changes, key=_day, reverse=True)  # commits may be dated in any order
    totals = {(at, change, name): n for at, change, name, n in site.details().totals}
    days = [
        (day, list(differences.groups(group, totals))) for day, group in groupby(by_day, key=_day)
    ]
    texts = site.theme.texts
    twins = [Twin("application/json", site.url(CHANGES), texts("feeds.json"))]
    if changes:
        twins.insert(0, feeds.feed_link(site, feeds.CHANGES, "feeds.changes"))
    about = below_home(site, texts("changes.title"), texts("changes.lead"), twins=tuple(twins))
    history = document["history"]
    yield rendering.render_page(
        site, paths.CHANGES, "changes", days=days, history=history, about=about
    )
    # Entries of several commits in one second share a name: the last commit wins.
    entries = {entry.name: entry for entry in map(_entry, reversed(changes))}
    if entries:
        newest = sorted(entries.values(), key=lambda entry: entry.updated, reverse=True)
        updated = newest[0].updated
        yield feeds.render_feed(site, feeds.CHANGES, "changes-feed", paths.CHANGES, updated, newest)


def _listed(site: Site) -> Iterator[dict[str, Any]]:
    """The changes with the `path` of the record's page and the `fields` that differ."""
    for change, fields in site.details().changes:
        slug = site.symbols.current_slugs.get(change.collection, {}).get(change.slug, change.slug)
        has_page = site.source(change.collection, slug) is not None
        shown = differences.shown(site, change.collection, fields) if fields is not None else None
        yield {
            **change._asdict(),
            "path": site.record_page(change.collection, slug) if has_page else None,
            "fields": shown,
        }


def _day(change: dict[str, Any]) -> str:
    day: str = change["at"][:10]
    return day


def _page(site: Site, change: dict[str, Any]) -> str | None:
    """The path of the changed record's page, or None."""
    if change["href"] is None:
        return None
    slug = change["href"].rpartition("/")[2].removesuffix(".json")
    return site.record_page(change["collection"], slug)


def _entry(change: dict[str, Any]) -> feeds.Entry:
    name = f"change {change['at']} {change['collection']}/{change['slug']}"
    return feeds.Entry(name, change["name"], change["path"], change["at"], change)
