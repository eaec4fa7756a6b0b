"""`/landscape/`: every record of a collection as a tile with its name and logo, by the tags of a
family.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    members_of,
    pages_of,
    statuses_of,
)
from generator.features.landscape.settings import DEFAULT, Landscape, Settings, shown_collection
from generator.grammar.grammar import Collection, Slice
from generator.site import labels, paths, rendering
from generator.site.links import Link
from generator.site.meta import below_home
from generator.site.page_context import Site

ADDRESSES = (LANDSCAPE,)

#: The tiles of a run, and the boxes that the page names at its top.
_RUN, _NAMED = 200, 24


class ShownBox(NamedTuple):
    """A box or a group on the page: its label, the path of its list or "", and runs of its tiles.

    `total` counts the projects, `more` those without a tile.
    """

    label: str
    path: str
    total: int
    runs: Sequence[Markup] = ()
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
        shown = sum(bool(box.tag) for box in boxes)
        yield rendering.render_page(
            site,
            path,
            "landscape",
            about=below_home(site, f"{title}: {label}", lead),
            title=title,
            of=projects,
            lead=lead,
            pages=switch,
            boxes=[_box(site, tiles, page, box) for box in boxes],
            most=_NAMED,
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


def _box(site: Site, tiles: _Tiles, page: LandscapePage, box: Box) -> ShownBox:
    label, path = _heading(site, page.family, box.tag)
    groups = [_group(site, tiles, page.second, group) for group in box.groups]
    if len(groups) == 1 and not page.second:
        return groups[0]._replace(label=label, path=path)
    return ShownBox(label, path, box.total, groups=groups)


def _group(site: Site, tiles: _Tiles, family: str, group: TileGroup) -> ShownBox:
    label, path = _heading(site, family, group.tag)
    more = group.total - len(group.positions)
    return ShownBox(label, path, group.total, tiles.of(group.positions), more)


def _heading(site: Site, family: str, tag: str) -> tuple[str, str]:
    """The label of a tag, and the path of the list of its projects."""
    if not tag:
        return site.theme.texts("landscape.rest"), ""
    projects, name = _of(site), f"tag_{family}"
    part = Slice(projects, name, tag)
    return labels.value_label(site, projects, name, tag), paths.list_page(part)


class _Tiles:
    """The tiles of projects as HTML, each made once."""

    def __init__(self, site: Site):
        self.site, self.table = site, site.tables[_of(site).name]
        self.size = _settings(site).size or DEFAULT
        self.sizes = TileSizes(self.table, site.symbols.tags, self.size)
        self._statuses = statuses_of(self.table)
        self._made: dict[int, str] = {}

    def of(self, positions: Sequence[int]) -> list[Markup]:
        """The tiles in runs: browsers lay out only those in sight."""
        made = self._made
        for position in positions:
            if position not in made:
                made[position] = self._tile(position)
        starts = range(0, len(positions), _RUN)
        return [Markup("".join(map(made.__getitem__, positions[i : i + _RUN]))) for i in starts]

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
        known = sorted(set(self._statuses))
        names = [STATUSES[status] for status in known] if len(known) > 1 else []
        return [Key(self._tone(name), self._label(name)) for name in names]

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

    def _label(self, status: str) -> str:
        return labels.value_label(self.site, _of(self.site), "status", status)
