"""Single macros of the site's templates, rendered without a build."""

from __future__ import annotations

from datetime import date
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

from generator.site import charts, labels, world
from generator.site.page_context import Fit, Site
from generator.site.theme import Theme
from support.kinds import Settings


def site(language: str = "en") -> Site:
    families = {name: {"label": name.title()} for name in ("topic", "model")}
    given = {"name": "Registry", "description": "A registry.", "tag_families": families}
    settings = Settings.model_validate(given)
    symbols: Any = SimpleNamespace(grammar=settings.grammar(), logos={}, vocabulary=lambda name: {})

    def nothing(path: str) -> bytes:
        raise LookupError(path)

    return Site(
        settings,
        symbols,
        date(2026, 1, 1),
        Theme(language),
        nothing,
        lambda: Fit(symbols.grammar.kinds),
    )


def drawn(call: str, language: str = "en", **values: Any) -> str:
    """The output of a macro call."""
    where = site(language)
    template = where.theme.environment.from_string(
        "{% from 'charts.html.j2' import by_year, ranked, shares, breakdown with context %}"
        "{% from 'world.html.j2' import world with context %}"
        f"{{{{ {call} }}}}"
    )
    texts = where.theme.texts
    return template.render(
        site=where,
        grammar=where.grammar,
        charts=charts,
        labels=labels,
        worlds=world,
        t=texts,
        n=texts.number,
        **values,
    )


def elements(html: str) -> ElementTree.Element:
    """The rendered elements; the output is also XML."""
    return ElementTree.fromstring(f"<body>{html}</body>")
