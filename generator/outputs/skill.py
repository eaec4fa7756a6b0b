"""skill.md: an Agent Skill (https://agentskills.io/specification) that says how to read this
registry; and the index by which agents discover it.

/skill.md and the file under /.well-known/ have the same bytes.  The index has their digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import quote

from generator import SCHEMA_VERSION
from generator.contract import templates
from generator.contract.artifact import Artifact, encode_json
from generator.grammar import paths
from generator.grammar.filters import MAX_VALUES
from generator.grammar.grammar import ANY_TAG, Grammar
from generator.grammar.limits import clip
from generator.grammar.query import Count, Query, Rows, Search, Slice
from generator.grammar.routes import service_paths
from generator.kinds import KINDS
from generator.kinds.continents import CONTINENTS
from generator.kinds.every import REFERRED
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.coverage import count_filled, fields_to_count
from generator.model.tables.facets import (
    fullest_slice,
    search_word,
    tags_by_family,
    top_values,
    values_by_count,
)
from generator.model.tables.table import Counts, Table
from generator.search.synonyms import first_pair
from generator.text.words import slugify, split_words

ADDRESSES = (paths.SKILL, "/.well-known/agent-skills/")

DISCOVERY = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
MAX_BYTES, MAX_NAME, MAX_DESCRIPTION = 8 * 1024, 64, 1024
#: (filters of a collection, and a third of the fields that no record has; values of a filter; bytes
#: of the registry's description; whether addresses have the base URL), the largest first: the first
#: that fits into MAX_BYTES is used.
_CUTS = (
    *((filters, values, 300, True) for filters, values in ((40, 4), (40, 3), (20, 3), (15, 2))),
    *((filters, 2, 100, True) for filters in (15, 8)),
    *((filters, 1, 100, True) for filters in (10, 8, 6, 4, 3)),
    *((filters, 1, 50, False) for filters in (6, 3, 0)),
)
#: As many filters are named that are not in a table.
_NAMED = 12
#: With this many bytes of it, the skill's own description may have all of the registry's.
_AMPLE = 300


def render(
    settings: Settings,
    symbols: Symbols,
    counts: Mapping[str, Counts],
    tables: Mapping[str, Table],
    coverage: Mapping[str, Mapping[int, int]],
    functions: bool,
    size_of: Callable[[str], int | None],
) -> Iterator[Artifact]:
    name = skill_name(settings.name)
    used = {
        key: {facet: rows for facet, rows in values_by_count(each, symbols).items() if rows}
        for key, each in counts.items()
    }
    no_record_has = _unfilled(coverage, symbols.grammar)
    # Once for all cuts: a size may be that of a file that is made for it.
    size = cache(lambda path: size_in_words(size_of(path)))
    shared = {"name": name, "size": size, **_registry(settings, symbols.grammar, functions)}
    for filters, values, about, absolute in _CUTS:
        most = None if about == _AMPLE else about
        description = skill_description(settings, symbols.grammar, most)
        collections = [
            _collection(each, used[key], tables[key].slugs, symbols, filters, values)
            for key, each in counts.items()
        ]
        skill = templates.render_template(
            "skill.md",
            **shared,
            description=description,
            # Of little room the description at the top takes what there is.
            about=clip(templates.line(settings.description), about) if about == _AMPLE else "",
            no_record_has=_some(no_record_has, filters * 3),
            **_records(collections, symbols.grammar),
            **_examples(collections, settings, symbols.grammar, absolute, bool(filters)),
        )
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
    yield Artifact(paths.AGENT_SKILLS, encode_json({"$schema": DISCOVERY, "skills": [entry]}))


def _registry(settings: Settings, grammar: Grammar, functions: bool) -> dict[str, Any]:
    """What the template needs of the registry, whatever room there is."""
    home = settings.origin + grammar.prefix
    return {
        "license": settings.license,
        "metadata": {"registry": templates.line(settings.name), "schema_version": SCHEMA_VERSION},
        "title": settings.name,
        "page_size": settings.page_size,
        "home": home,
        "mcp": home + paths.MCP if functions and settings.origin else None,
        "paths": paths,
        "selection": next(iter(service_paths("feed", grammar)), None),
        "grammar": grammar,
        "slice": Slice,
        "max_values": MAX_VALUES,
        "functions": functions,
    }


def _records(collections: list[dict[str, Any]], grammar: Grammar) -> dict[str, Any]:
    """What the template needs of the collections and their values."""
    filled = [c for c in collections if c["count"]]
    named = {c["name"]: c for c in collections}
    projects, programs, events = named["projects"], named["programs"], named["events"]
    owners = [c["of"].many for c in filled if c["name"] in REFERRED]
    tags = any(True for c in filled for _ in tags_by_family(c["used"]))
    searched = ["name", "former names", "summary", "description", *(["tags"] if tags else [])]
    searched += ["places", "countries", "status"]
    searched += [f"names of {templates.joined(owners)}"] if owners else []
    return {
        "filled": filled,
        "empty": templates.joined([c["of"].many for c in collections if not c["count"]], "or"),
        "renamed": [c["of"] for c in filled if c["of"].many != c["name"]],
        "searched": templates.joined(searched, "or"),
        "prepared": dict.fromkeys(sort for c in filled for sort in c["sorts"]),
        "sorts": dict.fromkeys(sort for c in filled for sort in c["all_sorts"]),
        "ranged": _ranged(filled),
        "fields": _fields(filled),
        "place": _places(projects),
        "grouped": bool(programs["count"] and projects["count"]),
        "twins": _twins(projects),
        "same_tag": _same_tag(projects),
        "newest": bool(programs["count"]),
        "upcoming": grammar.upcoming.path() if events["count"] else None,
    }


def _examples(
    collections: list[dict[str, Any]],
    settings: Settings,
    grammar: Grammar,
    absolute: bool,
    ample: bool,
) -> dict[str, Any]:
    """Addresses and commands, as examples; with the least room, one count and no names to match."""
    site = settings.origin + grammar.prefix if absolute else ""
    site_name = site if settings.origin and absolute else "SITE"
    named = {c["name"]: c for c in collections}
    queried = next((c for c in collections if c["count"]), named["projects"])
    counts = _counts(queried)[: 3 if ample else 1]
    commands = _commands(
        _combined_query(queried),
        next(iter(counts), None),
        queried["slugs"],
        bool(named["events"]["count"]),
    )
    return {
        "site": site,
        "site_name": site_name,
        "example": _filtered_slice(queried).path(),
        **_addresses(queried, counts, grammar, site),
        "matched": ample,
        "commands": [f"registry {command} --from {site_name}" for command in commands],
    }


def _unfilled(coverage: Mapping[str, Mapping[int, int]], grammar: Grammar) -> list[str]:
    """The fields that no record has, of the collections with records."""
    given: dict[str, int] = {}
    for name in (name for name in grammar.collections if name in grammar.filled):
        counts = count_filled(coverage[name], fields_to_count(name, grammar))
        given |= {field: count + given.get(field, 0) for field, count in counts.items()}
    return [field for field, count in given.items() if not count]


def _some(fields: Sequence[str], most: int) -> str:
    """The first `most` fields as code, and how many more there are."""
    names = [f"`{name}`" for name in fields[:most]]
    more = len(fields) - len(names)
    if more:
        names.append(f"{more} more field{'s' * (more > 1)}")
    return templates.joined(names, "or")


def _ranged(filled: list[dict[str, Any]]) -> dict[str, None]:
    """The names of the filters that take ranges, in order."""
    return dict.fromkeys(f.name for c in filled for f in c["of"].filters.values() if f.range_form)


def _fields(filled: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Collection -> the fields of its rows that are not in the lists of filters; "" has those of
    every collection.  Numbers of records of an empty collection are left out.
    """
    empty = KINDS.keys() - {c["name"] for c in filled}
    every = {
        c["name"]: [n for n in c["of"].row_fields if n not in {*c["of"].listed_filters, *empty}]
        for c in filled
    }
    common = [n for n in next(iter(every.values()), ()) if all(n in of for of in every.values())]
    own = {name: [field for field in of if field not in common] for name, of in every.items()}
    return {"": common, **own}


def _counts(c: dict[str, Any]) -> list[Count]:
    """Counts as examples: by the values of a filter, each by those of another, if possible of a
    continent; in a range of years; of the values with a word that begins with some letters.
    """
    used, top = c["used"], top_values(c["used"])
    places = (place["value"] for place in used.get("location", ()))
    continent = next((place for place in places if place in CONTINENTS), None)
    placed = (("location", continent),) if continent else ()
    counts = []
    for name, _ in top[:1]:
        per = next((other for other, _ in reversed(top[1:])), None)
        counts.append(Count(c["of"], placed, by=(name,), per=per))
    if years := sorted(v["value"] for v in used.get("year", ())):
        years_filter = ("year", f"{years[-6:][0]}..{years[-1]}")
        counts.append(Count(c["of"], (years_filter,), by=("year",)))
    for name, _ in top[:1]:
        counts.append(Count(c["of"], by=(name,), like=_begun(used[name])))
    return counts


def _addresses(
    queried: dict[str, Any], counts: list[Count], grammar: Grammar, site: str
) -> dict[str, Any]:
    """Addresses of queries, as examples: `list`, `rows`, `search` and `match` are one address each,
    `counts` several. All use values that records have.
    """

    def address(query: Query | Rows | Count) -> str:
        return site + grammar.query_url(query).removeprefix(grammar.prefix)

    c, used, top = queried["of"], queried["used"], top_values(queried["used"])
    # The names of the first records, with the greatest number that there is a sort for.
    sort = next((sort for sort in reversed(queried["all_sorts"]) if sort.startswith("-")), "")
    fields = ("name", sort[1:]) if sort else ("name",)
    tag = next((rows[0]["value"] for rows in tags_by_family(used)), None)
    tagged = ((ANY_TAG, tag),) if tag else tuple(top[:1])
    match = next((p for p in service_paths("match", grammar) if p.endswith(f"/{c.name}")), None)
    asked = encode_json({"q0": {"query": next(iter(queried["slugs"]), "")}}).decode().strip()
    return {
        "list": address(_combined_query(queried)),
        "rows": address(Rows(c, tagged, sort=sort, fields=fields, limit=5)),
        "counts": [address(count) for count in counts],
        "search": f"{site}{Search(_search_word(queried)).url}",
        "match": match and f"{site}{match}?queries={quote(asked, safe=':')}",
        "tagged": bool(tag),
    }


def _begun(rows: Sequence[Mapping[str, Any]]) -> str:
    """The first three letters of a word of the most frequent value."""
    label, value = rows[0]["label"], rows[0]["value"]
    return str([*split_words(label), value][0][:3])


def skill_name(registry: str) -> str:
    """A slug of at most 64 characters; "registry" for a name without Latin letters or digits."""
    return slugify(registry)[:MAX_NAME].strip("-") or "registry"


def skill_description(settings: Settings, grammar: Grammar, most: int | None = None) -> str:
    """What the skill does and when to use it, in at most 1,024 characters; last the registry's
    description, cut to `most` bytes.
    """
    listed = [c for c in grammar.collections.values() if c.name in grammar.filled]
    nouns = [c.many for c in listed or grammar.collections.values()]
    undated = [c.many for c in listed if not c.declared.timed]
    uses = [f"to look up or list its {templates.joined(undated)}", "to count or filter them"]
    if grammar.events.name in grammar.filled:
        find = f"to find {grammar.events.many} such as application windows and deadlines"
        uses = [*uses, find] if undated else [find, "to count or filter them"]
    content = templates.joined(nouns)
    text = f"Reads {settings.name}, a registry of {content}, from its static JSON API. "
    if listed:
        text += f"Use it {', '.join(uses[:-1])}, and {uses[-1]}. "
    about = settings.description if most is None else clip(settings.description, most)
    text = templates.line(text + about)
    return text if len(text) <= MAX_DESCRIPTION else text[: MAX_DESCRIPTION - 1].rstrip() + "…"


def size_in_words(size: int | None) -> str:
    """A number of bytes as text, a dash without one."""
    return f"{size / 1000:.{1 if size < 9950 else 0}f} KB" if size is not None else "–"


def _collection(
    counts: Counts,
    used: Mapping[str, list[dict[str, Any]]],
    slugs: Sequence[str],
    symbols: Symbols,
    filters: int,
    values: int,
) -> dict[str, Any]:
    """What the template needs of a collection: with the filters that records have values for."""
    c = counts.collection
    empty = symbols.grammar.collections.keys() - symbols.grammar.filled
    # The filters with the most frequent values, in their own order.
    most_first = sorted(used, key=lambda name: -used[name][0]["count"])
    listed = [name for name in used if name in most_first[:filters]]
    others = [name for name in used if name not in listed]
    return {
        "of": c,
        "name": c.name,
        "count": counts.total,
        "slugs": slugs,
        "fullest": fullest_slice(counts, symbols),
        "sorts": [s for s in c.prepared_sorts[1:] if s[1:] not in empty],
        "all_sorts": [s for s in c.sorts if s[1:] not in empty],
        "used": used,
        "more": len(others),
        "more_names": others if len(others) <= _NAMED else [],
        "filters": [
            {
                "name": name,
                "label": c.filters[name].label,
                "queried": not c.filters[name].prepared,
                "told": c.filters[name].label.lower().replace(" ", "_") in name,
                "total": len(used[name]),
                "path": c.filter_path(name),
                "top": _spread(used[name])[:values] if name == "location" else used[name][:values],
            }
            for name in listed
        ],
    }


def _filtered_slice(c: dict[str, Any]) -> Slice:
    for name, value in top_values(c["used"]):
        if c["of"].filters[name].prepared:
            return Slice(c["of"], name, value)
    return Slice(c["of"])


def _search_word(c: dict[str, Any]) -> str:
    return search_word(c["used"]) or "climate"


def _combined_query(c: dict[str, Any]) -> Query:
    """A query with two filters, a word and a sort."""
    top = top_values(c["used"])
    word = _search_word(c)
    return Query(c["of"], (*top[:1], *top[1:][-1:]), [c["of"].sorts[0], *c["sorts"]][-1], word)


def _spread(places: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The most frequent place of each country, then the other places; without continents."""
    countries: dict[str, Mapping[str, Any]] = {}
    smaller = [place for place in places if place["value"] not in CONTINENTS]
    for place in smaller:
        countries.setdefault(place["value"].partition("-")[0], place)
    firsts = {place["value"]: place for place in countries.values()}
    return [*firsts.values(), *(place for place in smaller if place["value"] not in firsts)]


def _places(c: dict[str, Any]) -> list[str]:
    """The slugs of continents, of a country, of a region in another country and of a city in a
    third, as far as records have them.
    """
    values = [place["value"] for place in c["used"].get("location", [])]
    continents = [slug for slug in values if slug in CONTINENTS]
    slugs = [slug for slug in values if slug not in continents and slug != "remote"]

    def depth(slug: str) -> int:
        parts = slug.split("-")
        return sum("-".join(parts[:end]) in slugs for end in range(1, len(parts)))

    chosen: list[str] = []
    for wanted in range(3):
        elsewhere = [s for s in slugs if not any(s[:2] == other[:2] for other in chosen)]
        chosen += [slug for slug in elsewhere or slugs if depth(slug) == wanted][:1]
    return [*continents, *dict.fromkeys(chosen)]


def _twins(c: dict[str, Any]) -> tuple[str, str] | None:
    """Two tags of one family that mean nearly the same."""
    pairs = (first_pair(tag["value"] for tag in tags) for tags in tags_by_family(c["used"]))
    return next(filter(None, pairs), None)


def _same_tag(c: dict[str, Any]) -> str | None:
    """The most frequent tag that several families have."""
    seen: dict[str, int] = {}
    for tags in tags_by_family(c["used"]):
        for tag in tags:
            seen[tag["value"]] = seen.get(tag["value"], 0) + 1
    values = sorted(
        (v for tags in tags_by_family(c["used"]) for v in tags),
        key=lambda v: (-v["count"], v["value"]),
    )
    return next((v["value"] for v in values if seen[v["value"]] > 1), None)


def _commands(
    several: Query, count: Count | None, slugs: Sequence[str], events: bool
) -> Iterator[str]:
    """The same queries as commands of the command line.  No word needs quoting in a shell."""
    name = several.collection.name
    yield "dashboard"
    if count:
        per = f" --per {count.per}" if count.per else ""
        yield f"count {name}{_options(count)} --by {','.join(count.by)}{per}"
    yield f"list {name}{_options(several)} --sort {several.sort}"
    yield f"search {several.q}"
    if slugs:
        yield f"get {name} {slugs[0]}"
    if events:
        yield "calendar --upcoming"


def _options(query: Query | Count) -> str:
    """The first filter as an option."""
    return "".join(f" --filter {name}={value}" for name, value in query.filters[:1])
