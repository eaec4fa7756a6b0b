"""`/compare/`: two to four records, tags or countries side by side."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.features.compare import comparison
from generator.features.compare.addresses import COMPARE
from generator.grammar.query import capitalized
from generator.site import labels, paths, rendering
from generator.site.links import Link
from generator.site.meta import below_home
from generator.site.page_context import Site

ADDRESSES = (COMPARE,)


def links(site: Site) -> Iterator[Link]:
    if comparison.compared(site):
        yield Link("home", 40, COMPARE, "home.ways.compare")
        yield Link("header", 30, COMPARE, "site.compare")
        yield Link("sitemap", -50, COMPARE)


def render(site: Site) -> Iterator[Artifact]:
    compared = comparison.compared(site)
    if not compared:
        return
    subjects, texts = comparison.prepared(site), site.theme.texts
    counts = site.kept_document(site.grammar.projects.filters_path)["data"]
    sections = comparison.sections(site)
    lead = "compare.lead" if "program" in compared else "compare.lead_values"
    formats, nouns = texts.known["format"], site.grammar.projects.many
    collections = site.grammar.collections
    script_data = {
        "subjects": [(s.filter, s.value) for s in subjects] or comparison.most_frequent(site),
        "sections": sections,
        "kinds": {name: labels.filter_label(site, site.grammar.projects, name) for name in compared}
        | {"project": capitalized(site.grammar.projects.one)},
        "roots": {collections[name].kind: paths.ROOTS[name] for name in comparison.RECORDS},
        "status": texts.known["words"]["status"],
        "what": nouns,
        "most": comparison.MOST,
        "decimal": formats["decimal"],
        "percent": formats["percent"],
    }
    yield rendering.render_page(
        site,
        COMPARE,
        "compare",
        about=below_home(site, texts("site.compare"), texts(lead, what=nouns)),
        lead=lead,
        compare=comparison,
        subjects=subjects,
        sections=sections,
        dated=counts["year"]["total_values"] > 1,
        letters=comparison.LETTERS,
        most=comparison.MOST,
        told=script_data,
    )
