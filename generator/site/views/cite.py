"""/docs/cite/: how to cite the latest release; no page if the registry has no release."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.grammar.text import slugify
from generator.site import rendering
from generator.site.meta import below_home
from generator.site.page_context import Site
from generator.site.paths import CITE, HOME


def render(site: Site) -> Iterator[Artifact]:
    settings, texts = site.settings, site.theme.texts
    if settings.release is None:
        return
    version, day = settings.release.version, settings.release.date
    address = f" {site.absolute(HOME)}" if settings.base_url else ""
    fields = {"title": settings.name, "version": version, "year": day[:4], "date": day}
    fields |= {"url": address.strip()} if address else {}
    # Braces group letters in BibTeX, and a backslash begins a command.
    lines = (f"  {name} = {{{_plain(value)}}}" for name, value in fields.items())
    bibtex = ",\n".join([f"@dataset{{{slugify(settings.name)}", *lines]) + "\n}"
    yield rendering.render_page(
        site,
        CITE,
        "cite",
        about=below_home(site, texts("cite.title"), texts("cite.lead", version=version, date=day)),
        text=f"{settings.name}, version {version} ({day}).{address}",
        bibtex=bibtex,
    )


def _plain(text: str) -> str:
    return text.translate(dict.fromkeys(map(ord, "{}\\")))
