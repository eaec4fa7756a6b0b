"""`/docs/api/`: the API reference (see generator.features.reference.openapi_pages)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from generator.contract.artifact import Artifact
from generator.features.reference import agents
from generator.features.reference.excerpt import excerpt
from generator.features.reference.openapi_pages import (
    EXPLORER,
    LAYER,
    REGISTRY,
    ApiReference,
    Example,
    reference_path,
)
from generator.features.reference.samples import Sample
from generator.features.reference.snippets import SITE
from generator.grammar.paths import DASHBOARD, SEARCH_SCRIPT, problem_path
from generator.grammar.refusals import PROBLEMS
from generator.kinds import KIND_OF
from generator.site import rendering
from generator.site.labels import filter_label
from generator.site.links import Link
from generator.site.meta import About, Breadcrumb, below_home, home_breadcrumb
from generator.site.page_context import Site
from generator.site.paths import AGENTS, REFERENCE
from generator.site.views import View


def _render_page(name: str, site: Site) -> Iterator[Artifact]:
    """The page of a collection, of the whole registry or of the agent layer."""
    reference = ApiReference(site)
    if name not in reference.names:
        return
    page = reference.page(name)
    headings = [*(f"section.{section.name}" for section in page.sections), "shapes"]
    yield _page(site, reference, page.path, "reference_page", headings, page=page)


def _render_explorer(site: Site) -> Iterator[Artifact]:
    """The page with a form for queries; its fields follow from the grammar."""
    reference = ApiReference(site)
    collections = {name: site.grammar.collections[name] for name in site.fit().collections}
    samples = (next(reference.samples.queries(c), None) for c in collections.values())
    queries = [sample.address for sample in samples if sample is not None]
    script_data = {
        "first": queries[0] if queries else DASHBOARD,
        "collections": {
            name: {
                "label": c.label,
                "root": c.root,
                "sorts": c.sorts,
                "filters": [
                    (f.name, filter_label(site, c, f.name), f.listed) for f in c.filters.values()
                ],
            }
            for name, c in collections.items()
        },
    }
    path = reference_path(EXPLORER)
    yield _page(site, reference, path, "explorer", [], told=script_data, queries=queries)


def _page(
    site: Site,
    reference: ApiReference,
    path: str,
    template: str,
    headings: list[str],
    **values: Any,
) -> Artifact:
    """A page of the reference; `headings` are the text keys of its sections."""
    return rendering.render_page(
        site,
        path,
        template,
        about=_about(site, path),
        pages=[(name, reference_path(name)) for name in reference.names],
        here=[(key.rpartition(".")[2], site.theme.texts(f"reference.{key}")) for key in headings],
        base=reference.base,
        known_site=reference.base != SITE,
        **values,
    )


def _about(site: Site, path: str) -> About:
    texts, collections = site.theme.texts, site.grammar.collections
    title, name = texts("reference.title"), path.removeprefix(REFERENCE).strip("/")
    if not name:
        return below_home(site, title, texts("reference.lead"))
    label = collections[name].label if name in collections else texts(f"reference.page.{name}")
    lead = texts("reference.explore.lead" if name == "explorer" else "reference.lead_of")
    trail = (home_breadcrumb(site), Breadcrumb(title, REFERENCE))
    return About(f"{label} – {title}", f"{label}: {lead}", trail)


def _render_overview(site: Site) -> Iterator[Artifact]:
    reference = ApiReference(site)
    start, browser = _start(reference), None
    query = next((example.address for example in start if "?" in example.address), None)
    if query is not None:
        browser = (
            f'import {{ ask }} from "{reference.base}{SEARCH_SCRIPT}"\n\n'
            f'const answer = await ask("{query}")\nconsole.log(await answer.json())'
        )
    yield _page(
        site,
        reference,
        REFERENCE,
        "reference",
        ["start", "rules", "asking", *["browser"] * bool(browser), "refusals", "addresses"],
        addresses=[
            (name, reference_path(name), reference.operations(name)) for name in reference.names
        ],
        start=start,
        browser=browser,
        refusal=_refusal(reference),
        problems=[site.document(problem_path(code)) for code in PROBLEMS],
    )


def _start(reference: ApiReference) -> list[Example]:
    """Examples to begin with: the dashboard, a list by one value, and a record."""
    samples, lead = reference.samples, reference.grammar.collections[reference.site.fit().lead]
    query = next(samples.queries(lead), None)
    first = (Sample(DASHBOARD, "dashboard", "dashboard"), query, samples.record(lead))
    return [reference.example(sample) for sample in first if sample is not None]


def _refusal(reference: ApiReference) -> Example:
    address, body = reference.samples.refusal()
    link = address if reference.site.fit().functions else ""
    return Example(address, link, len(body), excerpt(body), [])


def links(site: Site) -> Iterator[Link]:
    yield Link("home", 10, REFERENCE, "home.ways.api")
    yield Link("home", 20, AGENTS, "home.ways.agents")
    yield Link("header", 40, REFERENCE, "site.api")
    yield Link("data", 10, REFERENCE, "site.reference")
    yield Link("agents", 10, AGENTS, "site.agents")
    yield Link("sitemap", -80, AGENTS)
    yield Link("sitemap", -70, REFERENCE)
    for name in (REGISTRY, LAYER, EXPLORER):
        yield Link("sitemap", -70, reference_path(name))
    for name in site.fit().collections:
        yield Link(f"sitemap/{name}", 10, reference_path(name))


ADDRESSES = (AGENTS, REFERENCE)
VIEWS = (
    View("reference-overview", _render_overview, (f"{REFERENCE}index.html",)),
    *(
        View(f"reference-{name}", partial(_render_page, name), (reference_path(name),))
        for name in (*KIND_OF, REGISTRY, LAYER)
    ),
    View("reference-explorer", _render_explorer, (reference_path(EXPLORER),)),
    View("agents", agents.render, (AGENTS,)),
)
