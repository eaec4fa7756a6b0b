"""skill.md: how an agent reads this registry, in order, as an Agent Skill, and where agents
discover it.

The specification: https://agentskills.io/specification.  /skill.md and the file under /.well-known/
have the same bytes, whose digest the discovery index gives.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from generator import SCHEMA_VERSION
from generator.api import paths, templates
from generator.api.artifact import Artifact, encode
from generator.api.grammar import Grammar, Query, Slice
from generator.api.listing import list_bytes
from generator.api.problems import PROBLEMS, QueryError
from generator.api.text import slugify, words
from generator.records.settings import Settings
from generator.records.symbols import Symbols
from generator.tables.facets import values_by_count
from generator.tables.table import Counts, Table

DISCOVERY = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
MAX_NAME, MAX_DESCRIPTION = 64, 1024
#: The file stays under 500 lines whatever the registry declares.
MAX_FAMILIES, MAX_EXAMPLES = 40, 4
#: What people worded, and an example does not show: who reads a skill follows it.
_WORDED = {"name", "label", "summary", "tags", "locations", "website"}


def render(
    settings: Settings,
    symbols: Symbols,
    counts: Mapping[str, Counts],
    slugs: Mapping[str, Sequence[str]],
    programs: Table,
) -> Iterator[Artifact]:
    name, description = skill_name(settings.name), skill_description(settings, symbols.grammar)
    lists = [
        shown_list(counted, slugs[collection], symbols, settings)
        for collection, counted in counts.items()
    ]
    grammar, events, several = symbols.grammar, symbols.grammar.events, lists[0]["several"]
    site = settings.origin + grammar.prefix
    site_name = site if settings.origin else "SITE"
    skill = templates.render(
        "skill.md",
        name=name,
        description=description,
        license=settings.license,
        metadata={"registry": templates.line(settings.name), "schema_version": SCHEMA_VERSION},
        title=settings.name,
        about=settings.description,
        page_size=settings.page_size,
        site=site,
        site_name=site_name,
        paths=paths,
        problems=PROBLEMS,
        lists=lists,
        grammar=grammar,
        renamed=[c for c in grammar.collections.values() if c.many != c.name],
        projects=lists[0],
        everything={
            "url": settings.origin + grammar.query_url(several),
            "echo": _json({"query": several.echo()}),
        },
        commands=[
            f"registry {words} --from {site_name}" for words in commands(several, slugs["projects"])
        ],
        row=shown_row(programs),
        value=lists[0]["value"],
        refusal=_json(refusal(grammar)),
        families=shown_families(symbols, lists[:3]),
        more_families=max(0, len(symbols.tags) - MAX_FAMILIES),
        upcoming=symbols.grammar.upcoming.path(),
        feeds=[
            Slice(events, facet, value).feed
            for facet in ("kind", "program", "organization")
            for value in sorted(counts["events"].values[facet])[:1]
        ],
    )
    path = paths.agent_skill(name)
    entry = {
        "name": name,
        "type": "skill-md",
        "description": description,
        "url": settings.origin + symbols.grammar.url(path),
        "digest": f"sha256:{hashlib.sha256(skill).hexdigest()}",
    }
    yield Artifact(paths.SKILL, skill)
    yield Artifact(path, skill)
    yield Artifact(paths.AGENT_SKILLS, encode({"$schema": DISCOVERY, "skills": [entry]}))


def skill_name(registry: str) -> str:
    """A slug of at most 64 characters; "registry" for a name without any Latin letter or digit."""
    return slugify(registry)[:MAX_NAME].strip("-") or "registry"


def skill_description(settings: Settings, grammar: Grammar) -> str:
    """What the skill does and when to use it, cut to 1,024 characters; the registry's own words
    come last.
    """
    projects, programs, organizations, events = (c.many for c in grammar.collections.values())
    text = (
        f"Reads {settings.name}, a registry of {projects}, {programs}, {organizations} and "
        f"{events}, from its static JSON API. Use it to look up or list its {projects}, "
        f"{programs} and {organizations}, to count or filter them, and to find "
        f"{events} such as application windows and deadlines. {settings.description}"
    )
    text = templates.line(text)
    return text if len(text) <= MAX_DESCRIPTION else text[: MAX_DESCRIPTION - 1].rstrip() + "…"


def shown_list(
    counts: Counts, slugs: Sequence[str], symbols: Symbols, settings: Settings
) -> dict[str, Any]:
    """A collection as the skill tells of it, with an example of each of its addresses that has a
    file.
    """
    collection, grammar, size = counts.collection, symbols.grammar, settings.page_size
    filters: list[dict[str, Any]] = [
        {
            "name": name,
            "label": collection.filters[name].label,
            "total": len(every),
            "top": every[:MAX_EXAMPLES],
        }
        for name, every in values_by_count(counts, symbols).items()
    ]
    used = [f for f in filters if f["total"] > 1] or [f for f in filters if f["total"]]
    chosen = tuple((f["name"], f["top"][0]["value"]) for f in used)
    one = Query(collection, chosen[:1])
    several = Query(
        collection, (*chosen[:1], *chosen[1:][-1:]), collection.prepared_sorts[-1], _a_word(filters)
    )
    part = one.slice
    assert part is not None
    total = used[0]["top"][0]["count"] if used else counts.total
    answer = orjson.loads(list_bytes(one, [b"null"] * min(total, size), total, size, grammar, None))
    return {
        "of": collection,
        "name": collection.name,
        "count": counts.total,
        "root": collection.root,
        "first": Slice(collection).path(),
        "sorts": [
            (sort, Slice(collection, sort=sort).path()) for sort in collection.prepared_sorts[1:]
        ],
        "record": collection.record_path(slugs[0]) if slugs else None,
        "filters_path": collection.filters_path,
        "filters": [f for f in filters if not f["name"].startswith("tag_")],
        "tags": [f for f in filters if f["name"].startswith("tag_")],
        "patterns": [
            Slice(collection, "<filter>", "<value>").path("<n>"),
            collection.record_path("<slug>"),
            collection.filter_path("<filter>"),
        ],
        "example": part.path(),
        "answer": _json({key: answer[key] for key in ("query", "page", "links")}),
        "value": {
            "path": collection.filter_path(used[0]["name"]),
            "shown": _wordless(used[0]["top"][0]),
        }
        if used
        else None,
        "example_query": settings.origin + grammar.query_url(one),
        "example_words": settings.origin + grammar.query_url(Query(collection, q=several.q)),
        "several": several,
    }


def commands(several: Query, projects: Sequence[str]) -> Iterator[str]:
    """The command line's way to ask the same; every word is plain to a shell."""
    filters = "".join(f" --filter {name}={value}" for name, value in several.filters)
    yield "dashboard"
    yield f"list projects{filters} --sort {several.sort}"
    yield f"search {several.q} --in projects"
    if projects:
        yield f"get projects {projects[0]}"
    yield "calendar --upcoming"


def shown_row(programs: Table) -> dict[str, str] | None:
    """The program with most projects as a list shows it, but for what people worded, and the path
    of that list.
    """
    part = Slice(programs.collection, sort="-projects")
    first = programs.positions(part)[:1]
    if not first:
        return None
    row = orjson.loads(programs.summaries[first[0]])
    return {"path": part.path(), "shown": _wordless(row)}


def refusal(grammar: Grammar) -> dict[str, Any]:
    """What is answered to who asks for a list without saying that a page will do."""
    try:
        grammar.parse(grammar.projects, "")
    except QueryError as error:
        return {"status": error.status, "code": error.code, "detail": error.detail}
    raise AssertionError


def _wordless(shown: Mapping[str, Any]) -> str:
    return _json({key: value for key, value in shown.items() if key not in _WORDED})


def _json(value: Any) -> str:
    """On one line that begins with a brace, so that no text in it ends a block of code."""
    return encode(value).decode().strip()


def _a_word(filters: list[dict[str, Any]]) -> str:
    """A word that finds something where any record has a tag: tags' labels are among the words of a
    record.
    """
    labels = (value["label"] for f in filters if f["name"].startswith("tag_") for value in f["top"])
    return next((word for text in labels for word in words(text)[:1]), "climate")


def shown_families(symbols: Symbols, lists: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each tag family with its most frequent tags, of the first collection that has any."""
    families = []
    for family in list(symbols.tags)[:MAX_FAMILIES]:
        name = f"tag_{family}"
        uses = [(c["of"].many, f) for c in lists for f in c["tags"] if f["name"] == name]
        where, used = next(((c, f) for c, f in uses if f["total"]), uses[0])
        families.append(
            {
                "name": name,
                "label": used["label"],
                "where": where,
                "top": used["top"],
                "total": used["total"],
                "open": family not in symbols.closed,
            }
        )
    return families
