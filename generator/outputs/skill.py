"""skill.md: an Agent Skill (https://agentskills.io/specification) that says how to read this
registry; and the index by which agents discover it.

/skill.md and the file under /.well-known/ have the same bytes.  The index has their digest.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import quote

from generator import SCHEMA_VERSION
from generator.contract import templates
from generator.contract.artifact import Artifact, encode_json
from generator.grammar import paths
from generator.grammar.filters import MAX_VALUES
from generator.grammar.grammar import ANY_TAG, Collection, Grammar
from generator.grammar.limits import clip
from generator.grammar.query import Count, Query, Rows, Search, Slice
from generator.grammar.routes import service_paths
from generator.kinds import Kinds
from generator.kinds.continents import CONTINENTS
from generator.kinds.types import COUNTRY_SLUGS
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables import facets
from generator.model.tables.coverage import count_filled, fields_to_count, without_values
from generator.model.tables.programs import has_seasons
from generator.model.tables.table import Counts, Table
from generator.search.vocabulary import first_pair
from generator.text.words import slugify

ADDRESSES = (paths.SKILL, "/.well-known/agent-skills/")

DISCOVERY = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
MAX_BYTES, MAX_NAME, MAX_DESCRIPTION = 8 * 1024, 64, 1024
#: With so few names in a list no collection has a list of its own; with the fewest, its filters are
#: not told.
_FEW, _FEWEST = 5, 2
#: (filters of a collection, and a third of the fields that no record has; values of a filter; bytes
#: of the registry's description; whether addresses have the base URL; names in other lists), the
#: largest first: the first that fits into MAX_BYTES is used.
_ALL = 10_000
_CUTS = (
    *((*of, 300, True, _ALL) for of in ((40, 4), (40, 3), (20, 3), (15, 2))),
    *((filters, 2, 100, True, _ALL) for filters in (15, 8)),
    *((filters, 1, 100, True, _ALL) for filters in (10, 8, 6, 4, 3)),
    *((filters, 1, 50, False, _ALL) for filters in (6, 3, 0)),
    *((0, 1, 50, False, names) for names in (12, _FEW, _FEWEST)),
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
        key: {facet: rows for facet, rows in facets.values_by_count(each, symbols).items() if rows}
        for key, each in counts.items()
    }
    no_record_has, series = _unfilled(coverage, symbols.grammar), symbols.grammar.kinds.series
    # Once for all cuts: a size may be that of a file that is made for it.
    size = cache(lambda path: size_in_words(size_of(path)))
    shared = {"name": name, "size": size, **_registry(settings, symbols.grammar, functions)}
    for filters, values, about, absolute, names in _CUTS:
        most = None if about == _AMPLE else about
        description = skill_description(settings, symbols.grammar, most)
        collections = [
            _collection(each, used[key], tables[key], symbols, settings, filters, values, names)
            for key, each in counts.items()
        ]
        skill = templates.render_template(
            "skill.md",
            **shared,
            description=description,
            # Of little room the description at the top takes what there is.
            about=clip(templates.line(settings.description), about) if about == _AMPLE else "",
            no_record_has=_some(no_record_has, max(6, filters * 3)),
            **_records(collections, symbols.grammar, names),
            **_examples(collections, settings, symbols.grammar, absolute, bool(filters)),
            seasons=series in tables and has_seasons(tables[series]),
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
        "mcp": home + paths.MCP if functions else None,
        "paths": paths,
        "selection": next(iter(service_paths("feed", grammar)), None),
        "grammar": grammar,
        "slice": Slice,
        "max_values": MAX_VALUES,
        "functions": functions,
    }


def _records(collections: list[dict[str, Any]], grammar: Grammar, names: int) -> dict[str, Any]:
    """What the template needs of the collections and their values, with at most so many names in a
    list.
    """
    filled, first, kinds = [c for c in collections if c["count"]], collections[0], grammar.kinds
    held = {c["name"] for c in filled}
    owners = [c["of"].many for c in filled if c["name"] in grammar.kinds.referred]
    tags = any(True for c in filled for _ in facets.used_tags(c["used"]))
    searched = ["name", "former names", "summary", "description", *(["tags"] if tags else [])]
    for name in (name for name in kinds.searched if name != "tags"):
        searched += ["places", "countries"] if name == "places" else [name.replace("_", " ")]
    few = [*owners[:names], *(["others"] if len(owners) > names else [])]
    searched += [f"names of {templates.joined(few)}"] if owners else []
    sorts = dict.fromkeys(sort for c in filled for sort in c["all_sorts"])
    stats = dict.fromkeys(name for c in filled for name in c["stats"])
    fields = _fields(filled, grammar)
    given = [sorts, stats, *fields.values()]
    return {
        "filled": filled,
        "retired": templates.joined(_retired(kinds), "and"),
        "empty": templates.joined([c["of"].many for c in collections if not c["count"]], "or"),
        "renamed": [c["of"] for c in filled if c["of"].many != c["name"]],
        "searched": templates.joined(searched, "or"),
        "prepared": dict.fromkeys(sort for c in filled for sort in c["sorts"]),
        "sorts": list(sorts)[:names],
        "ranged": list(dict.fromkeys(name for c in filled for name in c["ranged"]))[:names],
        "stats": list(stats)[:names],
        "fields": {of: each[:names] for of, each in fields.items() if names > _FEW or not of},
        "cut": any(len(each) > names for each in given) or names <= _FEW,
        "place": _places(first),
        "ranked": next((f.path[-1] for c in filled for f in c["of"].declared.counters), None),
        "passing": next((p for c in filled for p in _passing(c["of"])), None),
        "grouped": held >= {kinds.series, kinds.counted},
        "twins": _twins(first),
        "same_tag": _same_tag(first),
        "upcoming": grammar.upcoming.path() if kinds.timed in held else None,
    }


def _passing(c: Collection) -> Iterator[tuple[str, str, str]]:
    """The filters by what the records have that those of a collection refer to: its name, that of
    the other filter, and that of the relation.
    """
    for f in c.declared.own:
        yield from ((f"{f.filter}_{name}", name, f.filter) for name in f.through)


def _examples(
    collections: list[dict[str, Any]],
    settings: Settings,
    grammar: Grammar,
    absolute: bool,
    ample: bool,
) -> dict[str, Any]:
    """Addresses of queries, as examples; with the least room, one count and no names to match."""
    site = settings.origin + grammar.prefix if absolute else ""
    filled = [c for c in collections if c["count"]]
    queried = (filled or collections)[0]
    asked = [*_queries(queried)]
    match = service_paths("match", grammar) if ample else ()
    return {
        "site": site,
        "site_name": site if settings.origin and absolute else "SITE",
        "example": _filtered_slice(queried).path(),
        "queries": [
            (site + grammar.query_url(query).removeprefix(grammar.prefix), words)
            for query, words in asked[: None if ample else 3]
        ],
        "search": f"{site}{Search(_search_word(queried)).url}",
        "match": next((_matching(p, site, queried) for p in match if _is_of(p, queried)), None),
        "by": next((name for name, _ in facets.top_values(queried["used"])), ""),
    }


def _is_of(path: str, c: dict[str, Any]) -> bool:
    return path.endswith(f"/{c['name']}")


def _matching(path: str, site: str, c: dict[str, Any]) -> str:
    """The address that matches the first slug."""
    asked = encode_json({"q0": {"query": next(iter(c["slugs"]), "")}}).decode().strip()
    return f"{site}{path}?queries={quote(asked, safe=':')}"


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


def _retired(kinds: Kinds) -> list[str]:
    """The kinds and own fields that will be gone, each with its last month."""
    found = [(name, of.retired) for name, of in kinds.items()]
    found += [(f"{n}.{f.path[-1]}", f.retired) for n, of in kinds.items() for f in of.own]
    return [f"`{name}` ({month})" for name, month in found if month]


def _fields(filled: list[dict[str, Any]], grammar: Grammar) -> dict[str, list[str]]:
    """Collection -> the fields of its rows that are not in the lists of filters; "" has those of
    every collection.  Numbers of records of an empty collection are left out.
    """
    empty = grammar.collections.keys() - {c["name"] for c in filled}
    left_out = {c["name"]: empty | c["of"].listed_filters.keys() for c in filled}
    every = {
        c["name"]: [n for n in c["of"].row_fields if n not in left_out[c["name"]]] for c in filled
    }
    common = [n for n in next(iter(every.values()), ()) if all(n in of for of in every.values())]
    own = {name: [field for field in of if field not in common] for name, of in every.items()}
    return {"": common, **own}


def _queries(c: dict[str, Any]) -> Iterator[tuple[Query | Rows | Count, str]]:
    """Queries as examples, each with what it shows, the most important first. All use values that
    records have.
    """
    of, used, top = c["of"], c["used"], facets.top_values(c["used"])
    # The names of the first records, with the greatest number that there is a sort for.
    sort = next((sort for sort in reversed(c["all_sorts"]) if sort.startswith("-")), "")
    fields = ("name", sort[1:]) if sort else ("name",)
    family, tag = next(((n, v) for n, v in top if n.startswith("tag_")), ("", ""))
    two = tuple(dict([*top[:1], *top[-1:]]).items())
    yield Query(of, two, sort=[of.sorts[0], *c["sorts"]][-1]), "whole summaries"
    words = "8 `fields` of up to 50 records, then `start=50`"
    any_tag = "; `tag` is a tag of any family" if tag else ""
    filters = ((ANY_TAG, tag),) if tag else tuple(top[:1])
    yield Rows(of, filters, sort=sort, fields=fields, limit=5), f"up to {words}{any_tag}"
    for name, _ in top[:1]:
        places = (place["value"] for place in used.get("location", ()))
        continent = next((place for place in places if place in CONTINENTS), None)
        placed = (("location", continent),) if continent else ()
        per = next((other for other, _ in reversed(top[1:])), None)
        words = "for each value of `by` the most frequent of `per`" if per else "for each value"
        yield Count(of, placed, by=(name,), per=per), words
    if tag:
        words = (
            "what goes with it; else a filter does not narrow its own counts, and `selected` is "
        )
        within = (("within", "true"),)
        yield Count(of, ((family, tag),), by=(family,), more=within), f"{words}what you asked for"
    by = ("year",) if "year" in used else tuple(name for name, _ in top[:1])
    if by == ("year",) and "location" in used:
        more = (("level", "country"), ("top", "3"))
        words = "the largest three of each year; `level` is also `continent`, `region` or `city`"
        yield Count(of, by=by, per="location", more=more), words
    number = next((name for name in c["stats"] if name not in by), None)
    if number:
        words = "`n`, `sum`, `min`, `median` and `max`, also without `by`"
        yield Count(of, by=by, more=(("stat", number),)), words
    if country := _country(c):
        yield Count(of, by=("location",), like=country), "values by a word: it and its places"


def _country(c: dict[str, Any]) -> str | None:
    """The name of a country with several places."""
    places = {place["value"]: place["label"].lower() for place in c["used"].get("location", ())}
    countries = [slug for slug in places if slug in COUNTRY_SLUGS and places[slug].isalpha()]
    several = (slug for slug in countries if any(p.startswith(f"{slug}-") for p in places))
    return next((places[slug] for slug in several), None)


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
    if grammar.kinds.timed in grammar.filled:
        find = f"to find {grammar.timed.many} such as application windows and deadlines"
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
    table: Table,
    symbols: Symbols,
    settings: Settings,
    filters: int,
    values: int,
    names: int,
) -> dict[str, Any]:
    """What the template needs of a collection: with the filters that have several values."""
    c = counts.collection
    absent = without_values(c, table.coverage, symbols.grammar)
    # The filters with the most frequent values, in their own order.
    several = [name for name, rows in used.items() if len(rows) > 1]
    most_first = sorted(several, key=lambda name: -used[name][0]["count"])
    listed = [name for name in several if name in most_first[:filters]]
    others = [name for name in several if name not in listed]
    return {
        "of": c,
        "name": c.name,
        "count": counts.total,
        "slugs": table.slugs,
        "fullest": facets.fullest_slice(counts, symbols),
        "sorts": [s for s in c.prepared_sorts[1:] if s[1:] not in absent],
        "all_sorts": [c.sorts[0], *(s for s in c.sorts[1:] if s.strip("-") not in absent)],
        "ranged": [n for n, f in c.query_filters.items() if f.range_form and n not in absent],
        "stats": [name for name in c.stats if name not in absent],
        "used": used,
        "more": len(others) if names > _FEWEST else 0,
        "more_names": others if len(others) <= min(_NAMED, names) else [],
        "filters": [_filter(c, name, used[name], values, settings) for name in listed],
        "some_queried": any(not c.filters[name].prepared for name in listed),
    }


def _filter(
    c: Collection, name: str, rows: list[dict[str, Any]], values: int, settings: Settings
) -> dict[str, Any]:
    """What the template needs of a filter: at most so many of its values."""
    label = settings.label(c.declared, name) or c.filters[name].label
    top = (_spread(rows) if name == "location" else rows)[:values]
    return {
        "name": name,
        "label": label,
        "queried": not c.filters[name].prepared,
        "told": label.lower().replace(" ", "_") in name,
        "top": top,
        "more": len(rows) - len(top),
    }


def _filtered_slice(c: dict[str, Any]) -> Slice:
    for name, value in facets.top_values(c["used"]):
        if c["of"].filters[name].prepared:
            return Slice(c["of"], name, value)
    return Slice(c["of"])


def _search_word(c: dict[str, Any]) -> str:
    known = [slug.partition("-")[0] for slug in c["slugs"][:1] if c["of"].declared.is_own]
    return facets.search_word(c["used"], c["of"]) or next(iter(known), "climate")


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
    pairs = (first_pair(tag["value"] for tag in tags) for tags in facets.used_tags(c["used"]))
    return next(filter(None, pairs), None)


def _same_tag(c: dict[str, Any]) -> str | None:
    """The most frequent tag that several families have."""
    tags = [tag for of_family in facets.used_tags(c["used"]) for tag in of_family]
    seen = Counter(tag["value"] for tag in tags)
    several = [(-tag["count"], tag["value"]) for tag in tags if seen[tag["value"]] > 1]
    return min(several)[1] if several else None
