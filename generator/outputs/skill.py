"""skill.md: how an agent reads this registry, in order, as an Agent Skill, and where agents
discover it.

The specification: https://agentskills.io/specification.  /skill.md and the file under /.well-known/
have the same bytes, whose digest the discovery index gives.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator import SCHEMA_VERSION
from generator.agent.synonyms import first_pair
from generator.contract import templates
from generator.contract.artifact import Artifact, encode
from generator.grammar import paths
from generator.grammar.grammar import Grammar
from generator.grammar.limits import clipped
from generator.grammar.query import Count, Query, Slice
from generator.grammar.refusals import PROBLEMS
from generator.grammar.text import slugify, words
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.facets import values_by_count
from generator.model.tables.table import Counts

DISCOVERY = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
MAX_BYTES, MAX_NAME, MAX_DESCRIPTION = 8 * 1024, 64, 1024
#: (filters of a collection, values of a filter, bytes of the registry's own words here and there,
#: whether addresses have the base URL); the first that fits into MAX_BYTES is taken.
_CUTS = (
    *((filters, values, 300, True) for filters, values in ((40, 4), (40, 3), (20, 3), (15, 2))),
    *((filters, values, 100, True) for filters, values in ((15, 2), (10, 1), (6, 1), (3, 1))),
    *((filters, 1, 50, False) for filters in (6, 3, 0)),
)
#: Where the registry's own words have more room, the description of the skill takes all it may.
_AMPLE = 300

Sizes = Mapping[str, tuple[int, int]]


def render(
    settings: Settings,
    symbols: Symbols,
    counts: Mapping[str, Counts],
    slugs: Mapping[str, Sequence[str]],
    sizes: Sizes,
) -> Iterator[Artifact]:
    name = skill_name(settings.name)
    for filters, values, about, absolute in _CUTS:
        description = skill_description(
            settings, symbols.grammar, None if about == _AMPLE else about
        )
        shown = [_collection(of, symbols, sizes, filters, values) for of in counts.values()]
        skill = _skill(name, description, settings, symbols, shown, slugs, sizes, about, absolute)
        if len(skill) <= MAX_BYTES:
            break
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


def _skill(
    name: str,
    description: str,
    settings: Settings,
    symbols: Symbols,
    shown: list[dict[str, Any]],
    slugs: Mapping[str, Sequence[str]],
    sizes: Sizes,
    about: int,
    absolute: bool,
) -> bytes:
    grammar, home = symbols.grammar, settings.origin + symbols.grammar.prefix
    site, site_name = home if absolute else "", home if settings.origin else "SITE"

    def address(query: Query | Count) -> str:
        return site + grammar.query_url(query).removeprefix(grammar.prefix)

    filled = [c for c in shown if c["count"]]
    projects, programs, _, events = shown
    asked = filled[0] if filled else projects
    several = _several(asked)
    return templates.render(
        "skill.md",
        name=name,
        description=description,
        license=settings.license,
        metadata={"registry": templates.line(settings.name), "schema_version": SCHEMA_VERSION},
        title=settings.name,
        about=clipped(templates.line(settings.description), about),
        page_size=settings.page_size,
        home=home,
        site=site,
        site_name=site_name,
        paths=paths,
        problems=PROBLEMS,
        filled=filled,
        grammar=grammar,
        size=lambda surface: size_of(sizes, surface),
        renamed=[c for c in grammar.collections.values() if c.many != c.name],
        example=_one(asked).path(),
        queries=[address(_list(asked)), address(several)],
        count=address(_count(asked)),
        prepared=dict.fromkeys(sort for c in filled for sort in c["sorts"]),
        sorts=dict.fromkeys(sort for c in filled for sort in c["of"].sorts),
        ranged=dict.fromkeys(f.name for c in filled for f in c["of"].filters.values() if f.ranges),
        commands=[
            f"registry {command} --from {site_name}"
            for command in commands(several, slugs[asked["name"]], bool(events["count"]))
        ],
        place=_places(projects),
        grouped=bool(programs["count"]),
        twins=_twins(projects),
        newest=bool(programs["count"]),
        upcoming=grammar.upcoming.path() if events["count"] else None,
    )


def skill_name(registry: str) -> str:
    """A slug of at most 64 characters; "registry" for a name without any Latin letter or digit."""
    return slugify(registry)[:MAX_NAME].strip("-") or "registry"


def skill_description(settings: Settings, grammar: Grammar, most: int | None = None) -> str:
    """What the skill does and when to use it, cut to 1,024 characters; at most so many bytes of the
    registry's own words come last.
    """
    projects, programs, organizations, events = (c.many for c in grammar.collections.values())
    text = (
        f"Reads {settings.name}, a registry of {projects}, {programs}, {organizations} and "
        f"{events}, from its static JSON API. Use it to look up or list its {projects}, "
        f"{programs} and {organizations}, to count or filter them, and to find "
        f"{events} such as application windows and deadlines. "
    )
    own = settings.description if most is None else clipped(settings.description, most)
    text = templates.line(text + own)
    return text if len(text) <= MAX_DESCRIPTION else text[: MAX_DESCRIPTION - 1].rstrip() + "…"


def size_of(sizes: Sizes, surface: str) -> str:
    """The mean size of the files of a surface, in words."""
    files, total = sizes.get(surface, (0, 0))
    mean = -(-total // files) if files else 0
    return f"{mean / 1000:.{1 if mean < 9950 else 0}f} KB"


def told(sizes: Sizes) -> dict[str, str]:
    """What may be told of sizes."""
    return {surface: size_of(sizes, surface) for surface in sizes}


def _collection(
    of: Counts, symbols: Symbols, sizes: Sizes, filters: int, values: int
) -> dict[str, Any]:
    """A collection as the skill tells of it: its patterns, and the filters that any record has."""
    c, every = of.collection, values_by_count(of, symbols)
    used = {name: shown for name, shown in every.items() if shown}
    return {
        "of": c,
        "name": c.name,
        "count": of.total,
        "sorts": c.prepared_sorts[1:],
        "used": used,
        "more": len(used) - len(list(used)[:filters]),
        "filters": [
            {
                "name": name,
                "label": c.filters[name].label,
                "told": _plain(c.filters[name].label) in name,
                "total": len(used[name]),
                "path": c.filter_path(name),
                "top": used[name][:values],
            }
            for name in list(used)[:filters]
        ],
    }


def _plain(label: str) -> str:
    return label.lower().replace(" ", "_")


def _chosen(c: dict[str, Any]) -> list[tuple[str, str]]:
    """The most frequent value of each filter that tells records apart, else of any."""
    used = {name: shown for name, shown in c["used"].items() if len(shown) > 1} or c["used"]
    return [(name, shown[0]["value"]) for name, shown in used.items()]


def _one(c: dict[str, Any]) -> Slice:
    """A list of the collection that has a file."""
    for name, value in _chosen(c)[:1]:
        return Slice(c["of"], name, value)
    return Slice(c["of"])


def _list(c: dict[str, Any]) -> Query:
    return Query(c["of"], tuple(_chosen(c)[:1]))


def _several(c: dict[str, Any]) -> Query:
    """Several things asked at once: two filters, a word and a sort."""
    chosen = _chosen(c)
    return Query(c["of"], (*chosen[:1], *chosen[1:][-1:]), c["of"].prepared_sorts[-1], _a_word(c))


def _count(c: dict[str, Any]) -> Count:
    chosen = _chosen(c)
    return Count(c["of"], tuple(chosen[:1]), by=tuple(name for name, _ in chosen[1:][-2:]))


def _a_word(c: dict[str, Any]) -> str:
    """A word that finds something where any record has a tag: tags' labels are among the words of a
    record.
    """
    tags = (shown for name, shown in c["used"].items() if name.startswith("tag_"))
    labels = (value["label"] for shown in tags for value in shown)
    return next((word for text in labels for word in words(text)[:1]), "climate")


def _places(c: dict[str, Any]) -> list[str]:
    """A country, a region in it and a city in that, as far as there are any."""
    known = [value["value"] for value in c["used"].get("location", [])]
    chain: list[str] = []
    for _ in range(3):
        above = f"{chain[-1]}-" if chain else ""
        chain += [place for place in known if place.startswith(above) and place != "remote"][:1]
    return list(dict.fromkeys(chain))


def _twins(c: dict[str, Any]) -> tuple[str, str] | None:
    """Two tags of one family that mean nearly the same."""
    tags = (shown for name, shown in c["used"].items() if name.startswith("tag_"))
    return next(filter(None, (first_pair(v["value"] for v in shown) for shown in tags)), None)


def commands(several: Query, slugs: Sequence[str], events: bool) -> Iterator[str]:
    """The command line's way to ask the same; every word is plain to a shell."""
    filters = "".join(f" --filter {name}={value}" for name, value in several.filters)
    name = several.collection.name
    yield "dashboard"
    yield f"list {name}{filters} --sort {several.sort}"
    yield f"search {several.q} --in {name}"
    if slugs:
        yield f"get {name} {slugs[0]}"
    if events:
        yield "calendar --upcoming"
