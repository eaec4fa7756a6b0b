"""`/landscape/`: the projects of each tag of a family as small tiles, by status."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.grammar.grammar import Slice
from generator.site import labels, paths, rendering
from generator.site.labels import initials
from generator.site.landscape import Box, landscape
from generator.site.meta import below_home
from generator.site.page_context import Site

ADDRESSES = (paths.LANDSCAPE,)

#: The statuses of projects in the order of the legend.
STATUSES = ("active", "public", "acquired", "inactive")


def render(site: Site) -> Iterator[Artifact]:
    """One page for each tag family that projects have tags of."""
    families, projects = landscape(site).families(), site.grammar.projects
    texts = site.theme.texts
    pages = [
        (site.grammar.tag_families[family], paths.landscape(family, families))
        for family in families
    ]
    statuses = {name: labels.value_label(site, projects, "status", name) for name in STATUSES}
    for family, (label, path) in zip(families, pages, strict=True):
        title = texts("landscape.title")
        lead = texts("landscape.lead", many=projects.label, family=label)
        total = len(site.document(projects.filter_path(f"tag_{family}"))["data"]["values"])
        boxes = landscape(site).of(family)
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


def _heading(site: Site, family: str, box: Box) -> tuple[str, str]:
    """The label of a box, and the path of the list of its projects."""
    projects = site.grammar.projects
    name = f"tag_{family}"
    label = labels.value_label(site, projects, name, box.tag)
    return label, paths.list_page(Slice(projects, name, box.tag))
