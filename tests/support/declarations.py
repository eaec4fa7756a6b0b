"""Random registries that declare kinds, with records, and what is right of them by brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from support.registries import Content

_WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "islet", "jade")
#: Collections and their singulars; beside the four, or without them.
_NAMES = {"boats": "boat", "sea-ports": "sea-port", "crews": "crew-member", "sheep": "sheep"}
_PARTS = ("tags", "locations", "website", "logo", "year")
_FOUR = ("projects", "programs", "organizations", "events")
_PLACES = ({"country": "NO", "city": "Bergen"}, {"country": "US", "region": "CA", "city": "Fresno"})
_CHOICES = {"red": "Red", "green": "Green: dark", "blue": "Blue"}
_PLAIN = ("text", "number", "boolean", "date", "url", "choice", "money")
_SINGLE = ("number", "boolean", "date", "money")


def registry(random: Random) -> dict[str, dict[str, Any]]:
    """A content that has no fault: 1 to 3 own kinds, and projects in every second one."""
    names = random.sample(sorted(_NAMES), random.randint(1, 3))
    four = random.random() < 0.5
    settings: dict[str, Any] = {
        "name": "Random kinds",
        "description": "Made by chance.",
        "page_size": 10,
        "tag_families": {"topic": {"label": "Topic"}},
        "without_kinds": [name for name in _FOUR if not (four and name == "projects")],
    }
    slugs = {
        name: [f"{name}-{n}" for n in range(random.randint(0, 14))]
        for name in (*(["projects"] if four else []), *names)
    }
    settings["kinds"] = {name: _kind(random, name, [*slugs]) for name in names}
    if four and random.random() < 0.7:
        fields = {"shown_by": _relation(random, "projects", [*slugs], set())}
        settings["fields"] = {"projects": fields}
    own = {name: of.get("fields", {}) for name, of in settings["kinds"].items()}
    own["projects"] = settings.get("fields", {}).get("projects", {})
    records = {
        name: {slug: _record(random, name, slug, settings, own[name], slugs) for slug in members}
        for name, members in slugs.items()
    }
    return {"registry": settings, **records}


def _kind(random: Random, name: str, targets: list[str]) -> dict[str, Any]:
    kind: dict[str, Any] = {"one": _NAMES[name]}
    if random.random() < 0.8:
        kind["has"] = random.sample(_PARTS, random.randint(0, len(_PARTS)))
    fields: dict[str, Any] = {}
    for n in range(random.randint(0, 4)):
        of = random.choice(_PLAIN)
        declared: dict[str, Any] = {"label": f"Label {n}", "type": of}
        declared |= {"currency": "EUR"} if of == "money" else {}
        declared |= {"values": _CHOICES} if of == "choice" and random.random() < 0.5 else {}
        if of not in ("text", "url") and random.random() < 0.7:
            declared["filter"] = True
        if of in ("number", "money", "date") and random.random() < 0.5:
            declared["sort"] = True
        if of not in _SINGLE and random.random() < 0.4:
            declared["many"] = True
        if random.random() < 0.5:
            declared["summary"] = True
        fields[f"own_{of}_{n}"] = declared
    taken: set[str] = set()
    for n in range(random.randint(0, 3)):
        fields[f"of_{n}"] = _relation(random, name, targets, taken)
    return {**kind, "fields": fields} if fields else kind


def _relation(
    random: Random, collection: str, targets: list[str], taken: set[str]
) -> dict[str, Any]:
    """A relation whose filter, if any, no other relation of its kind has."""
    of = random.choice(targets)
    declared: dict[str, Any] = {"label": f"Of {of}", "type": "record", "of": of}
    if random.random() < 0.5:
        declared["many"] = True
    if random.random() < 0.5:
        declared["summary"] = True
    if random.random() < 0.8:
        plain = of not in taken and of != collection and of != "projects"
        declared["filter"] = True if plain else f"by_{len(taken)}"
        taken.add(of if plain else declared["filter"])
        if random.random() < 0.5:
            declared["reverse"] = f"Has {collection}"
    return declared


def _record(
    random: Random,
    collection: str,
    slug: str,
    settings: Mapping[str, Any],
    fields: Mapping[str, Mapping[str, Any]],
    slugs: Mapping[str, list[str]],
) -> dict[str, Any]:
    record: dict[str, Any] = {"name": f"{random.choice(_WORDS).title()} {slug.rpartition('-')[2]}"}
    kind = settings["kinds"].get(collection)
    has = kind.get("has", ["website", "tags"]) if kind else ["tags", "year", "locations"]
    parts = {
        "tags": lambda: {"topic": random.sample(_WORDS, random.randint(1, 3))},
        "locations": lambda: [random.choice(_PLACES)],
        "website": lambda: f"https://{slug}.example/",
        "year": lambda: random.randint(1900, 2020),
    }
    record |= {p: make() for p, make in parts.items() if p in has and random.random() < 0.7}
    own: dict[str, Any] = {}
    for key, of in fields.items():
        known = slugs[of["of"]] if of["type"] == "record" else []
        if random.random() < 0.3 or (of["type"] == "record" and not known):
            continue
        several = random.randint(1, 3) if of.get("many") else 1
        values = list(dict.fromkeys(_value(random, of, known) for _ in range(several)))
        own[key] = values if of.get("many") else values[0]
    if not own:
        return record
    return {**record, **own} if kind else {**record, "fields": own}


def _value(random: Random, of: Mapping[str, Any], known: list[str]) -> Any:
    return {
        "text": lambda: random.choice(("a: b", "# no comment", "Übung", "yes", "1.50")),
        "number": lambda: random.choice((-3, 0, 1.5, 12)),
        "money": lambda: random.choice((0, 99.5, 2_500_000)),
        "boolean": lambda: random.random() < 0.5,
        "date": lambda: f"20{random.randint(10, 26)}-0{random.randint(1, 9)}-17",
        "url": lambda: f"https://{random.choice(_WORDS)}.example/",
        "choice": lambda: random.choice(sorted(_CHOICES)),
        "record": lambda: random.choice(known),
    }[of["type"]]()


# --- what is right --------------------------------------------------------------------------------


def kind_of(content: Content, collection: str) -> str:
    """The kind in documents."""
    declared = content["registry"]["kinds"].get(collection)
    return declared["one"].replace("-", "_") if declared else collection.removesuffix("s")


def fields_of(content: Content, collection: str) -> Mapping[str, Mapping[str, Any]]:
    """The own fields of a collection."""
    settings = content["registry"]
    if collection in settings["kinds"]:
        found: Mapping[str, Any] = settings["kinds"][collection].get("fields", {})
        return found
    return settings.get("fields", {}).get(collection, {})


def values_of(content: Content, collection: str, slug: str, key: str) -> list[Any]:
    """The values that the file of a record has."""
    record = content[collection][slug]
    own = record if collection in content["registry"]["kinds"] else record.get("fields", {})
    value = own.get(key)
    return value if isinstance(value, list) else [] if value is None else [value]


def filter_of(content: Content, key: str, of: Mapping[str, Any]) -> str:
    """The name of the filter of a relation; "" without one."""
    given = of.get("filter")
    return kind_of(content, of["of"]) if given is True else given or ""


def tallies(content: Content, collection: str) -> dict[str, dict[str, int]]:
    """Filter of an own field with words as its values -> value -> number of records."""
    found = {}
    for key, of in fields_of(content, collection).items():
        name = key
        if of["type"] == "record":
            name = filter_of(content, key, of)
        elif of["type"] not in ("choice", "boolean") or not of.get("filter"):
            continue
        if name:
            every = (values_of(content, collection, slug, key) for slug in content[collection])
            words = [{str(v).lower() if isinstance(v, bool) else v for v in one} for one in every]
            found[name] = dict(Counter(word for one in words for word in one))
    return found


def counts(content: Content, collection: str) -> dict[str, dict[str, int]]:
    """Slug -> key of a relation to the collection -> number of records that refer to the record."""
    found: dict[str, dict[str, int]] = {slug: {} for slug in content[collection]}
    for other in content:
        if other == "registry":
            continue
        for key, of in fields_of(content, other).items():
            name = filter_of(content, key, of) if of["type"] == "record" else ""
            if name and of["of"] == collection:
                full = other if of["filter"] is True else f"{other}_{name}"
                for slug, one in found.items():
                    every = (values_of(content, other, s, key) for s in content[other])
                    one[full] = sum(slug in values for values in every)
    return found
