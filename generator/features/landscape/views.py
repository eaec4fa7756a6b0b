"""`/landscape/`: the projects of each tag of a family as small tiles, by status."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.features.landscape.addresses import LANDSCAPE, family_page
from generator.features.landscape.boxes import STATUSES, Box, Landscape, families_of
from generator.grammar.grammar import Slice
from generator.site import labels, paths, rendering
from generator.site.labels import initials
from generator.site.links import Link
from generator.site.meta import below_home
from generator.site.page_context import Site

ADDRESSES = (LANDSCAPE,)


def render(site: Site) -> Iterator[Artifact]:
    """One page for each tag family that projects have tags of."""
    projects, texts = site.grammar.projects, site.theme.texts
    table = site.tables[projects.name]
    families, landscape = families_of(table), Landscape(table)
    pages = [
        (site.grammar.tag_families[family], family_page(family, families)) for family in families
    ]
    statuses = {name: labels.value_label(site, projects, "status", name) for name in STATUSES}
    for family, (label, path) in zip(families, pages, strict=True):
        title = texts("landscape.title")
        lead = texts("landscape.lead", many=projects.label, family=label)
        total = len(site.document(projects.filter_path(f"tag_{family}"))["data"]["values"])
        boxes = landscape.boxes(family)
        yield rendering.render_page(
            site,
            path,
            "landscape",
            about=below_home(site, f"{title}: {label}", lead),
            title=title,
            lead=lead,
            pages=pages,
            boxes=[(box, *_heading(site, family, box)) for box in boxes],
            left=total - len(boxes),
            everything=paths.list_page(Slice(projects)),
            statuses=statuses,
            initials=initials,
        )


def links(site: Site) -> Iterator[Link]:
    families = families_of(site.tables[site.grammar.projects.name])
    if families:
        yield Link("header", 10, LANDSCAPE, "landscape.title")
    for family in families:
        yield Link("sitemap", -40, family_page(family, families))


def _heading(site: Site, family: str, box: Box) -> tuple[str, str]:
    """The label of a box, and the path of the list of its projects."""
    projects = site.grammar.projects
    name = f"tag_{family}"
    label = labels.value_label(site, projects, name, box.tag)
    return label, paths.list_page(Slice(projects, name, box.tag))
