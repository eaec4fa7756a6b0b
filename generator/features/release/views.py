"""`/docs/cite/`: how to cite the latest release; no page if the registry has no release."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.features.release.addresses import CITE
from generator.site import labels, rendering
from generator.site.links import Link
from generator.site.meta import below_home
from generator.site.page_context import Site
from generator.site.paths import HOME
from generator.text.words import slugify

ADDRESSES = (CITE,)

#: Characters that TeX reads as commands; braces would group letters.
_IN_TEX = str.maketrans(
    {"{": "", "}": "", "\\": "", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {mark: f"\\{mark}" for mark in "&%#_$"}
)


def links(site: Site) -> Iterator[Link]:
    if site.settings.release is not None:
        yield Link("home", 30, CITE, "home.ways.cite")
        yield Link("sitemap", 10, CITE)


def panels(site: Site, place: str, subject: Any) -> Iterator[Markup]:
    """Beside the citation of a record, the way to that of the registry."""
    if place == "cite" and site.settings.release is not None:
        yield rendering.template_macros(site, "cite-link").link(CITE)


def render(site: Site) -> Iterator[Artifact]:
    settings, texts = site.settings, site.theme.texts
    if settings.release is None:
        return
    version, day = settings.release.version, settings.release.date
    address = f" {site.absolute(HOME)}" if settings.base_url else ""
    title = settings.name.translate(_IN_TEX)
    fields = {"title": title, "version": version, "year": day[:4], "date": day}
    fields |= {"url": address.strip()} if address else {}
    lines = (f"  {name} = {{{value}}}" for name, value in fields.items())
    bibtex = ",\n".join([f"@dataset{{{slugify(settings.name)}", *lines]) + "\n}"
    lead = texts("cite.lead", version=version, date=labels.day(site, day))
    yield rendering.render_page(
        site,
        CITE,
        "cite",
        about=below_home(site, texts("cite.title"), lead),
        lead=lead,
        text=f"{settings.name}, version {version} ({day}).{address}",
        bibtex=bibtex,
    )
