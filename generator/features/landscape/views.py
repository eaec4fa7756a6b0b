"""`/landscape/`: every record of a collection as a tile with its name and logo, by the tags of a
family.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import orjson
from markupsafe import Markup, escape

from generator.contract.artifact import Artifact
from generator.features.landscape import LANDSCAPE, family_page
from generator.features.landscape.boxes import (
    STATUSES,
    Box,
    LandscapePage,
    TileGroup,
    TileSizes,
    boxes_of,
    column,
    first_tiles,
    members_of,
    pages_of,
    status_numbers,
)
from generator.features.landscape.settings import DEFAULT, Landscape, Settings, shown_collection
from generator.features.landscape.tiles import countries_of, tiles_file
from generator.grammar.grammar import Collection, Slice
from generator.site import labels, paths, rendering
from generator.site.links import Link
from generator.site.meta import below_home
from generator.site.page_context import Site

ADDRESSES = (LANDSCAPE,)

#: The boxes that the page names at its top.
_NAMED = 24


class ShownBox(NamedTuple):
    """A box or a group on the page: its label, the path of its list or "", and its tiles.

    `total` counts the projects, `more` those without a tile.
    """

    label: str
    path: str
    total: int
    tiles: Markup = Markup()
    more: int = 0
    groups: Sequence[ShownBox] = ()


class Key(NamedTuple):
    """An entry of the legend: the class of its tile, and what it means."""

    tile: str
    label: str


def render(site: Site) -> Iterator[Artifact]:
    """One page for each tag family that is not a part of another."""
    pages = _pages(site)
    if not pages:
        return
    projects, texts = _of(site), site.theme.texts
    families = [page.family for page in pages]
    switch = [
        (site.grammar.tag_families[page.family], family_page(page.family, families))
        for page in pages
    ]
    tiles = _Tiles(site)
    for page, (label, path) in zip(pages, switch, strict=True):
        first = path == LANDSCAPE
        boxes = boxes_of(tiles.table, page, tiles.sizes, first)
        words = {"many": projects.many, "family": label}
        if page.second:
            lead = texts(
                "landscape.lead_two", second=site.grammar.tag_families[page.second], **words
            )
        else:
            lead = texts("landscape.lead", **words)
        title = texts("landscape.title")
        shown, most = sum(bool(box.tag) for box in boxes), first_tiles(boxes)
        file = tiles.file(path, boxes)
        if file:
            yield file
        yield rendering.render_page(
            site,
            path,
            "landscape",
            about=below_home(site, f"{title}: {label}", lead),
            title=title,
            of=projects,
            lead=lead,
            pages=switch,
            boxes=[_box(site, tiles, page, box, most) for box in boxes],
            named=_NAMED,
            most=most,
            file=file.path if file else "",
            choices=tiles.choices() if file else [],
            left=len(members_of(tiles.table, page.family)) - shown,
            everything=paths.list_page(Slice(projects)),
            statuses=tiles.statuses(),
            sizes=tiles.legend(),
            sized=tiles.size_label,
        )


def links(site: Site) -> Iterator[Link]:
    families = [page.family for page in _pages(site)]
    if families:
        yield Link("header", 10, LANDSCAPE, "landscape.title")
    for family in families:
        yield Link("sitemap", -40, family_page(family, families))


def _settings(site: Site) -> Landscape:
    return Settings.of(site.settings).landscape or Landscape()


def _of(site: Site) -> Collection:
    """The collection of the landscape, if there is one."""
    return site.grammar[shown_collection(site.grammar.kinds, _settings(site))]


def _pages(site: Site) -> list[LandscapePage]:
    name = shown_collection(site.grammar.kinds, _settings(site))
    if not name:
        return []
    table, named = site.tables[name], _settings(site).families or ()
    return site.memo.get_or_make("landscape", pages_of, table, site.symbols.tags, named)


def _box(site: Site, tiles: _Tiles, page: LandscapePage, box: Box, most: int) -> ShownBox:
    label, path = _heading(site, page.family, box.tag)
    groups = [_group(site, tiles, page.second, group, most) for group in box.groups]
    if len(groups) == 1 and not page.second:
        return groups[0]._replace(label=label, path=path)
    return ShownBox(label, path, box.total, groups=groups)


def _group(site: Site, tiles: _Tiles, family: str, group: TileGroup, most: int) -> ShownBox:
    label, path = _heading(site, family, group.tag)
    total = len(group.positions)
    return ShownBox(label, path, total, tiles.of(group.positions[:most]), max(0, total - most))


def _heading(site: Site, family: str, tag: str) -> tuple[str, str]:
    """The label of a tag, and the path of the list of its projects."""
    if not tag:
        return site.theme.texts("landscape.rest"), ""
    projects, name = _of(site), f"tag_{family}"
    part = Slice(projects, name, tag)
    return labels.shown_label(site, projects, name, tag), paths.list_page(part)


class _Tiles:
    """The tiles of projects as HTML, each made once."""

    def __init__(self, site: Site):
        self.site, self.table = site, site.tables[_of(site).name]
        self.size = _settings(site).size or DEFAULT
        self.sizes = TileSizes(self.table, site.symbols.tags, self.size)
        self._statuses = status_numbers(self.table)
        self._made: dict[int, str] = {}

    def of(self, positions: Sequence[int]) -> Markup:
        made = self._made
        for position in positions:
            if position not in made:
                made[position] = self._tile(position)
        return Markup("".join(map(made.__getitem__, positions)))

    def file(self, path: str, boxes: Sequence[Box]) -> Artifact | None:
        """The file of all tiles beside a page, None if there are too many."""
        said = {*self.known_statuses()} - {STATUSES[0]}
        words = [
            (name, self._tone(name), self._label(name)) if name in said else (name,)
            for name in STATUSES
        ]
        return tiles_file(path, self.table, self.sizes, self._statuses, boxes, words)

    @cached_property
    def _countries(self) -> list[str]:
        """The countries that occur, by their labels."""
        return sorted(countries_of(self.table), key=lambda code: self._label(code, "location"))

    def choices(self) -> list[tuple[str, str, list[tuple[str, str]]]]:
        """The filters with several values, each (name, label, values as (value, label))."""
        found = {"status": self.known_statuses(), "location": self._countries}
        return [
            (name, labels.filter_label(self.site, _of(self.site), name),
             [(value, self._label(value, name)) for value in values])
            for name, values in found.items() if len(values) > 1
        ]  # fmt: skip

    def _tile(self, position: int) -> str:
        table, status = self.table, STATUSES[self._statuses[position]]
        name = escape(table.rows[position].name)
        href = self.site.url(table.collection.record_page(table.slugs[position]))
        level, said = self.sizes.levels[position], ""
        classes = [f"size-{level}"] if level else []
        if status != STATUSES[0]:
            classes.append(self._tone(status))
            said = f'<span class="unseen"> ({self._label(status)})</span>'
        of = f' class="{" ".join(classes)}"' if classes else ""
        logo = orjson.loads(table.summaries[position]).get("logo")
        image = f'<img src="{escape(logo)}" alt="" width="20" height="20" loading="lazy">'
        return f'<li{of}><a href="{href}">{image if logo else ""}{name}{said}</a></li>'

    def statuses(self) -> list[Key]:
        """The statuses that occur, if there are several."""
        names = self.known_statuses()
        return [Key(self._tone(name), self._label(name)) for name in names if len(names) > 1]

    def known_statuses(self) -> list[str]:
        return [STATUSES[status] for status in sorted(set(self._statuses))]

    def legend(self) -> list[Key]:
        """The sizes that occur, if there are several, the largest first."""
        levels = self.sizes.occurring
        return [Key(f"size-{i}", self._meaning(i)) for i in levels] if len(levels) > 1 else []

    @property
    def size_label(self) -> str:
        site, projects = self.site, _of(self.site)
        if self.size in site.grammar.tag_families:
            return site.grammar.tag_families[self.size]
        name = column(projects.declared, self.size)
        own = projects.declared.fields.get(name)
        return own.words.text if own and own.is_own else labels.filter_label(site, projects, name)

    def _meaning(self, level: int) -> str:
        texts, sizes = self.site.theme.texts, self.sizes
        if sizes.bounds:
            if level:
                return texts("landscape.from", number=sizes.bounds[level - 1])
            return texts("landscape.below", number=sizes.bounds[0])
        if level in sizes.tags:
            return self.site.symbols.tag_label(self.size, sizes.tags[level])
        return texts("landscape.rest")

    def _tone(self, status: str) -> str:
        return _of(self.site).declared.tones[status].split()[0]

    def _label(self, value: str, name: str = "status") -> str:
        return labels.shown_label(self.site, _of(self.site), name, value)
