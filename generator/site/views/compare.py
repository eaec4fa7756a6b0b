"""`/compare/`: two to four records, tags or countries side by side (generator.site.compare)."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.grammar.query import capitalized
from generator.site import compare, labels, paths, rendering
from generator.site.meta import below_home
from generator.site.page_context import Site


def render(site: Site) -> Iterator[Artifact]:
    subjects, texts = compare.prepared(site), site.theme.texts
    formats, nouns = texts.known["format"], site.grammar.projects.many
    collections = site.grammar.collections
    script_data = {
        "subjects": [(s.filter, s.value) for s in subjects],
        "sections": compare.sections(site),
        "kinds": {
            name: labels.filter_label(site, site.grammar.projects, name)
            for name in compare.kinds(site)
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
        about=below_home(site, texts("site.compare"), texts("compare.lead", what=nouns)),
        compare=compare,
        subjects=subjects,
        sections=compare.sections(site),
        letters=compare.LETTERS,
        most=compare.MOST,
        told=script_data,
    )
