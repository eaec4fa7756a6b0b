"""Templates and values -> pages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.grammar.headers import OWN_POLICY
from generator.site import labels, paths
from generator.site.drawing import card, charts, world
from generator.site.page_context import Site
from generator.site.templating import markdown

if TYPE_CHECKING:
    from generator.site.templating.fast_jinja import PageTemplate


def page(site: Site, path: str, template: str, /, **values: Any) -> Artifact:
    """The page at a path, of a template and its values, besides those that every template has."""
    known = _template(site, template)
    values |= {"path": path, "shared": partial(_shared, site, paths.place(path))}
    try:
        # Each by itself: a dash in one makes all of a text twice as wide.
        return Artifact(paths.file(path), b"".join(map(str.encode, known.parts(values))))
    except Exception:
        site.theme.environment.handle_exception()


def macros(site: Site, template: str) -> Any:
    """The macros of a template that needs no page."""
    return _template(site, template).module


def _template(site: Site, name: str) -> PageTemplate:
    known: PageTemplate | None = site.memo.get(("template", name))
    if known is None:
        every = site.theme.environment.globals
        if every.get("site") is not site:
            every.update(_common(site))
        known = site.memo["template", name] = cast("PageTemplate", site.theme.template(name))
        # Copied for every page, which of the chain of mappings that it was takes much longer.
        known.globals = dict(every)
    return known


def _shared(site: Site, place: str, template: str) -> Markup:
    """A part of pages that knows no more of theirs than what `paths.place` tells."""
    part: Markup | None = site.memo.get((template, place))
    if part is None:
        part = Markup(_template(site, template).render(path=place))
        site.memo[template, place] = part
    return part


def _common(site: Site) -> dict[str, Any]:
    """What every template has."""
    settings, picture = site.settings, card.path(site.settings)
    footer = settings.site.footer
    return {
        "site": site,
        "settings": settings,
        "grammar": site.grammar,
        "paths": paths,
        "charts": charts,
        "labels": labels,
        "worlds": world,
        "t": site.theme.texts,
        "n": site.theme.texts.number,
        "url": site.url,
        "asset": site.asset,
        "logo": site.logo,
        # The card that previews of links show, where there is one.
        "preview": site.absolute(picture) if picture else None,
        "policy": OWN_POLICY,
        "navigation": settings.site.navigation or (),
        "footer": markdown.html(footer, settings.prefix) if footer else "",
    }
