"""`/compare/`: two to four records, tags or countries side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from generator.contract.artifact import Artifact
from generator.features.compare import comparison
from generator.features.compare.addresses import COMPARE
from generator.grammar.query import capitalized
from generator.site import cohorts, labels, paths, rendering
from generator.site.links import Link
from generator.site.meta import below_home
from generator.site.page_context import Site
from generator.site.templating.readable import Functions

ADDRESSES = (COMPARE,)
#: The most cohorts that the page of a cohort offers to compare it with.
MOST_OFFERED = 6
_COMPARE = Functions(comparison)


def links(site: Site) -> Iterator[Link]:
    if comparison.compared(site):
        yield Link("home", 40, COMPARE, "home.ways.compare")
        yield Link("header", 30, COMPARE, "site.compare")
        yield Link("sitemap", -50, COMPARE)


def panels(site: Site, place: str, subject: Any) -> Iterator[Markup]:
    """A link to compare a record, on its page; beside a cohort, those of its program."""
    if place != "record" or subject.collection.name not in comparison.RECORDS:
        return
    if comparison.compared(site):
        slug = subject.record["slug"]
        others = _offered(subject.cohorts, slug)
        macros = rendering.template_macros(site, "compare-with")
        parent = subject.record["parent"] if others else None
        yield macros.button(COMPARE, subject.collection.kind, slug, others, parent)


def _offered(series: Sequence[cohorts.Named], slug: str) -> list[cohorts.Named]:
    """The cohorts of a series that are nearest to one of them, in the order of the series."""
    slugs = [one.slug for one in series]
    place = slugs.index(slug) if slug in slugs else 0
    known = [n for n, one in enumerate(series) if one.slug != slug and one.projects]
    nearest = sorted(known, key=lambda n: abs(n - place))[:MOST_OFFERED]
    return [series[n] for n in sorted(nearest)]


def render(site: Site) -> Iterator[Artifact]:
    compared = comparison.compared(site)
    if not compared:
        return
    subjects, texts = comparison.prepared(site), site.theme.texts
    sections = comparison.sections(site)
    lead = "compare.lead" if "program" in compared else "compare.lead_values"
    formats, nouns = texts.known["format"], site.grammar.projects.many
    collections = site.grammar.collections
    names = {name: labels.filter_label(site, site.grammar.projects, name) for name in sections}
    titles = {"facts": texts("compare.facts"), **names}
    titles["year"] = labels.filter_label(site, site.grammar.projects, "year")
    script_data = {
        "subjects": [(s.filter, s.value) for s in subjects] or comparison.most_frequent(site),
        "sections": sections,
        "titles": titles,
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
        compare=_COMPARE,
        subjects=subjects,
        sections=sections,
        titles=titles,
        most=comparison.MOST,
        told=script_data,
    )
