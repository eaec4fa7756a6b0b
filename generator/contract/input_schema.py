"""What an author may write in one file, as JSON Schema 2020-12, for editors, forms and a CMS.

A schema refuses nothing that `registry check` takes; what one file alone does not show, as whether
an end lies before its start, it leaves to that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from generator.contract.field_descriptions import EXAMPLES, WORDS
from generator.contract.lock import DIALECT, lock
from generator.grammar.names import COLLECTION_OF, KIND_OF
from generator.model.fields import COUNTRIES, TEXT, Input
from generator.model.kinds import KINDS, REFERENCES, event
from generator.model.settings.registry import Settings
from generator.model.settings.removed import Removals
from generator.model.symbols import Symbols

Schema = dict[str, Any]

#: With more records than this references are held against the form of a slug alone; of so many the
#: slugs are examples.
MOST_SLUGS, MOST_EXAMPLES = 1_000, 5_000

_TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?$"
_TIMES = ("opens", "closes", "due", "starts", "ends")

#: Files that are no records -> their models.
_FILES: Mapping[str, type[Input]] = {"registry": Settings, "removed": Removals}


def kinds() -> list[str]:
    """What an author writes: a record of each kind, registry.yaml and removed.yaml."""
    return [*(KIND_OF[name] for name in KINDS), *_FILES]


def input_schema(
    kind: str, symbols: Symbols | None = None, hosts: Sequence[str] | None = None
) -> Schema:
    """The schema of one kind of file.  With the symbols of a registry it has that one's own fields,
    tags and words, and the slugs that records can refer to; `hosts` are the hosts there are.
    """
    from generator.contract.json_schema import of_model

    if kind in _FILES:
        return _file(kind, hosts)
    collection = COLLECTION_OF[kind]
    models = symbols.models if symbols is not None else {}
    schema: Schema = _plain(of_model(models.get(collection, KINDS[collection].model)))
    shown = lock()["$defs"]
    _describe(schema, shown[f"{kind.capitalize()}Record"])
    _describe(schema["$defs"]["Location"], shown["Location"])
    country = schema["$defs"]["Location"]["properties"]["country"]
    country["enumDescriptions"] = [COUNTRIES[code] for code in country["enum"]]
    if collection == "events":
        _say_times(schema)
    own = schema["properties"].pop("fields")
    words = own.pop("description")
    if symbols is not None:
        _say_vocabulary(schema, collection, symbols)
        if collection not in symbols.grammar.fields:
            own["additionalProperties"] = False
    schema["properties"]["fields"] = {"anyOf": [own, {"type": "null"}], "description": words}
    return {"$schema": DIALECT, **schema, "title": f"One {kind} of a registry"}


def _file(kind: str, hosts: Sequence[str] | None) -> Schema:
    from generator.contract.json_schema import of_model

    model = _FILES[kind]
    schema: Schema = _plain(of_model(model))
    for name, of in {model.__name__: schema, **schema["$defs"]}.items():
        for field, about in of["properties"].items():
            about["description"] = WORDS[name][field]
            _exemplify(field, about)
    if kind == "registry":
        from generator.model.settings.spdx import LICENSES

        own = schema["properties"]
        _first(own["license"])["enum"] = sorted(LICENSES)
        if hosts is not None:
            _first(own["hosts"])["items"] = {"type": "string", "enum": list(hosts)}
    return {"$schema": DIALECT, **schema, "title": f"{kind}.yaml"}


def _describe(schema: Schema, shown: Schema) -> None:
    """Give the fields of an input schema the words, and dates the format, that the published schema
    has for them.
    """
    for name, field in schema["properties"].items():
        field["description"] = shown["properties"][name]["description"]
        _exemplify(name, field)
        for alternative in shown["properties"][name].get("anyOf", ()):
            if alternative.get("format") == "date":
                field["anyOf"][0]["format"] = "date"


def _exemplify(name: str, field: Schema) -> None:
    if name in EXAMPLES:
        field["examples"] = EXAMPLES[name]


def _say_times(schema: Schema) -> None:
    """Which times an event of each kind has, how they are written, and in which zones."""
    own = schema["properties"]
    for name in _TIMES:
        own[name]["anyOf"][0] = {
            "type": "string",
            "pattern": _TIME,
            "errorMessage": "Write YYYY-MM-DD, YYYY-MM-DD HH:MM or YYYY-MM-DD HH:MM:SS.",
        }
    own["timezone"]["anyOf"][0] = {"type": "string", "enum": ["AoE", *sorted(event.zones())]}
    schema["allOf"] = []
    for kind, times in event.TIMES.items():
        needed = event.REQUIRED[kind]
        then: Schema = {name: {"type": "null"} for name in _TIMES if name not in times}
        schema["allOf"].append(
            {
                "if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]},
                "then": {"required": [needed], "properties": {needed: {"type": "string"}, **then}},
            }
        )


def _say_vocabulary(schema: Schema, collection: str, symbols: Symbols) -> None:
    """Hold tags, categories, types and references against those of one registry."""
    own = schema["properties"]
    if collection == "organizations" and symbols.categories:
        _narrow(own["category"], _one_of(symbols.categories))
    if collection == "programs" and symbols.program_types:
        _narrow(own["type"], _one_of(symbols.program_types))
    tags = _first(own["tags"])
    items = tags.pop("additionalProperties")
    tags["properties"] = {}
    tags["additionalProperties"] = False
    for family, label in symbols.grammar.tag_families.items():
        of = {**items, "description": label}
        if family in symbols.closed and symbols.tags[family]:
            of["items"] = _one_of(symbols.tags[family])
        tags["properties"][family] = of
    references = REFERENCES[collection]
    for name in [name for name in own if name in references]:
        known = {s: t.name for s, t in symbols.targets(references[name]).items()}
        if known:
            schema["$defs"][references[name]] = _slugs(known, KIND_OF[references[name]])
            _narrow(own[name], {"$ref": f"#/$defs/{references[name]}"})


def _one_of(labels: Mapping[str, str]) -> Schema:
    return {"type": "string", "enum": list(labels), "enumDescriptions": list(labels.values())}


def _slugs(names: Mapping[str, str], kind: str) -> Schema:
    """References to records, by their slugs and names."""
    ordered = dict(sorted(names.items()))
    if len(ordered) > MOST_SLUGS:
        return {"type": "string", "examples": list(ordered)[:MOST_EXAMPLES]}
    return {
        **_one_of(ordered),
        "errorMessage": f"There was no {kind} of this slug when the schemas were written; after "
        "adding one, run: registry schema --editor .",
    }


def _narrow(field: Schema, words: Schema) -> None:
    """Let the slugs that a field takes, alone or in a list, be those of `words` only."""
    of = _first(field)
    if of.get("type") == "array":
        of["items"] = words
    elif of is field:
        for key in ("type", "pattern", "maxLength"):
            field.pop(key, None)
        field.update(words)
    else:
        field["anyOf"][0] = words


def _first(field: Schema) -> Schema:
    """What a field takes, besides null."""
    first: Schema = field["anyOf"][0] if "anyOf" in field else field
    return first


def resolved(field: Schema, schema: Schema) -> Schema:
    """What a field of a schema takes, besides null; a reference followed."""
    of = _first(field)
    return schema["$defs"][of["$ref"].rpartition("/")[2]] if "$ref" in of else of


def _plain(schema: Any, *, named: bool = False) -> Any:
    """Without titles and null defaults, which editors would offer; `named` are properties, which
    may be called anything.  Keys are those of their pattern, and a description takes any
    characters, for what copying left in it is taken out.
    """
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if named:
        return {name: _plain(part) for name, part in schema.items()}
    more = {"additionalProperties": False} if "patternProperties" in schema else {}
    return more | {
        key: _plain(value, named=key in ("properties", "$defs"))
        for key, value in schema.items()
        if key != "title" and (key, value) not in (("default", None), ("pattern", TEXT))
    }
