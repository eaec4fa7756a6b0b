"""Renders templates with their values to pages."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.grammar.headers import BASE_POLICY
from generator.site import charts, colours, finder, labels, links, markdown, paths, world
from generator.site.page_context import Site
from generator.site.templating import Functions, PageTemplate

#: Functions and constants that templates use, by their names there.
_FUNCTIONS = {
    "paths": Functions(paths),
    "charts": Functions(charts),
    "colours": Functions(colours),
    "labels": Functions(labels),
    "finder": Functions(finder),
    "worlds": Functions(world),
}


def render_page(site: Site, path: str, name: str, /, **values: Any) -> Artifact:
    """The page at `path`, rendered from a template with `values` and the common values."""
    template = _template(site, name)
    values |= {"path": path, "shared": partial(_shared, site, paths.place(path, site.page_roots))}
    try:
        # Each part is encoded alone: joined first, one dash would double the width of the text.
        return Artifact(paths.file(path), b"".join(map(str.encode, template.parts(values))))
    except Exception:
        site.theme.environment.handle_exception()


def template_macros(site: Site, template: str) -> Any:
    """The macros of a template that needs no page."""
    return _template(site, template).module


def _template(site: Site, name: str) -> PageTemplate:
    return site.memo.get_or_make(("template", name), _load_template, site, name)


def _load_template(site: Site, name: str) -> PageTemplate:
    common = site.theme.environment.globals
    if common.get("site") is not site:
        common.update(_common_values(site))
    template = cast(PageTemplate, site.theme.template(name))
    # Every page copies its globals: a dict is copied faster than Jinja's chain of mappings.
    template.globals = dict(common)
    return template


def _shared(site: Site, place: str, template: str) -> Markup:
    """A part of a page that depends on `paths.place` only, such as the header."""
    return site.memo.get_or_make(
        (template, place), lambda: Markup(_template(site, template).render(path=place))
    )


def _common_values(site: Site) -> dict[str, Any]:
    settings = site.settings
    footer = settings.site.footer
    return {
        "site": site,
        "settings": settings,
        "grammar": site.grammar,
        **_FUNCTIONS,
        "links": partial(links.links, site),
        "panels": partial(links.panels, site),
        "t": site.theme.texts,
        "n": site.theme.texts.number,
        "url": site.url,
        "asset": site.asset,
        "logo": site.logo,
        "policy": BASE_POLICY,
        "navigation": settings.site.navigation or (),
        "footer": markdown.html(footer, settings.prefix) if footer else "",
    }
