"""`/compare/`: two to four records, tags or countries side by side (generator.site.compare)."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.grammar.query import capitalized
from generator.site import compare, labels, paths, rendering
from generator.site.meta import below_home
from generator.site.page_context import Site

ADDRESSES = (paths.COMPARE,)


def render(site: Site) -> Iterator[Artifact]:
    if not site.fit().compared:
        return
    subjects, texts = compare.prepared(site), site.theme.texts
    counts = site.kept_document(site.grammar.projects.filters_path)["data"]
    sections = compare.sections(site)
    lead = "compare.lead" if "program" in site.fit().compared else "compare.lead_values"
    formats, nouns = texts.known["format"], site.grammar.projects.many
    collections = site.grammar.collections
    script_data = {
        "subjects": [(s.filter, s.value) for s in subjects] or compare.most_frequent(site),
        "sections": sections,
        "kinds": {
            name: labels.filter_label(site, site.grammar.projects, name)
            for name in site.fit().compared
        }
        | {"project": capitalized(site.grammar.projects.one)},
        "roots": {collections[name].kind: paths.ROOTS[name] for name in compare.RECORDS},
        "status": texts.known["words"]["status"],
        "what": nouns,
        "most": compare.MOST,
        "decimal": formats["decimal"],
        "percent": formats["percent"],
    }
    yield rendering.render_page(
        site,
        paths.COMPARE,
        "compare",
        about=below_home(site, texts("site.compare"), texts(lead, what=nouns)),
        lead=lead,
        compare=compare,
        subjects=subjects,
        sections=sections,
        dated=counts["year"]["total_values"] > 1,
        letters=compare.LETTERS,
        most=compare.MOST,
        told=script_data,
    )
