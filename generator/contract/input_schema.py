"""The JSON Schemas (2020-12) of files that authors write, for editors, forms and a CMS.

A schema accepts every file that `registry check` accepts.  It leaves comparisons to the check, for
instance of the start and the end of an event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from generator.contract.field_descriptions import DESCRIPTIONS, EXAMPLES
from generator.contract.lock import DIALECT, locked_schemas
from generator.kinds import COLLECTION_OF, KIND_OF
from generator.kinds.declare import Declared, placed
from generator.kinds.every import ADDED_KEYED, COLLECTIONS, REFERENCES
from generator.kinds.models import Input, model_of
from generator.kinds.types import COUNTRIES, TEXT
from generator.model.kinds import KINDS
from generator.model.settings.registry import Settings
from generator.model.settings.removed import Removals
from generator.model.symbols import Symbols
from generator.problems.codes import acceptable

Schema = dict[str, Any]

#: With more records than MOST_SLUGS, references may be any slugs; at most MOST_EXAMPLES of the
#: slugs are examples.
MOST_SLUGS, MOST_EXAMPLES = 1_000, 5_000

#: Other files than records -> their models.
_FILES: Mapping[str, type[Input]] = {"registry": Settings, "removed": Removals}


def file_kinds() -> list[str]:
    """The kinds of files: a record of each kind, registry.yaml and removed.yaml."""
    return [*(KIND_OF[name] for name in COLLECTIONS), *_FILES]


def input_schema(
    kind: str, symbols: Symbols | None = None, hosts: Sequence[str] | None = None
) -> Schema:
    """The schema of one kind of file.  With `symbols`, it has the own fields, tags and vocabulary
    of their registry, and the slugs for references.  `hosts` are all hosts, for registry.yaml.
    """
    if kind in _FILES:
        return _file(kind, hosts)
    collection = COLLECTION_OF[kind]
    models = symbols.models if symbols is not None else {}
    model = models.get(collection, KINDS[collection].model)
    schema: Schema = _plain(model_of(model).model_json_schema())
    properties = schema["properties"]
    order = placed(properties, KINDS[collection].declared.fields)
    schema["properties"] = {name: properties[name] for name in order}
    _describe(schema, KINDS[collection].declared)
    _describe_places(schema["$defs"]["Location"])
    KINDS[collection].narrow(schema)
    own = schema["properties"].pop("fields")
    description = own.pop("description")
    if symbols is not None:
        _limit_values(schema, collection, symbols)
        if collection not in symbols.grammar.fields:
            own["additionalProperties"] = False
    _first(schema["properties"]["accept"])["items"] = _enum(acceptable())
    fields = {"anyOf": [own, {"type": "null"}], "description": description}
    schema["properties"]["fields"] = fields
    return {"$schema": DIALECT, **schema, "title": f"One {kind} of a registry"}


def _file(kind: str, hosts: Sequence[str] | None) -> Schema:
    model = _FILES[kind]
    schema: Schema = _plain(model.model_json_schema())
    for name, definition in {model.__name__: schema, **schema["$defs"]}.items():
        for field, field_schema in definition["properties"].items():
            if "description" not in field_schema:
                field_schema["description"] = DESCRIPTIONS[name][field]
            _add_examples(field, field_schema)
    if kind == "registry":
        from generator.model.settings.spdx import LICENSES

        properties = schema["properties"]
        _first(properties["license"])["enum"] = sorted(LICENSES)
        accept = _first(properties["accept"])
        reason = accept.pop("additionalProperties")
        codes = {code: {**reason, "description": words} for code, words in acceptable().items()}
        accept |= {"properties": codes, "additionalProperties": False}
        accept.pop("propertyNames", None)
        if hosts is not None:
            _first(properties["hosts"])["items"] = {"type": "string", "enum": list(hosts)}
    return {"$schema": DIALECT, **schema, "title": f"{kind}.yaml"}


def _describe(schema: Schema, declared: Declared) -> None:
    """Add the descriptions and examples of fields, and the format of dates."""
    for name, field in schema["properties"].items():
        of = declared.written[name]
        field["description"] = of.words.text
        if of.words.example is not None:
            field["examples"] = [of.words.example]
        if of.type == "date":
            field["anyOf"][0]["format"] = "date"


def _describe_places(location: Schema) -> None:
    """Add the descriptions of the parts of a place, and the names of countries."""
    published = locked_schemas()["$defs"]["Location"]["properties"]
    for name, field in location["properties"].items():
        field["description"] = published[name]["description"]
        _add_examples(name, field)
    country = location["properties"]["country"]
    country["enumDescriptions"] = [COUNTRIES[code] for code in country["enum"]]


def _add_examples(name: str, field: Schema) -> None:
    if name in EXAMPLES:
        field["examples"] = EXAMPLES[name]


def _limit_values(schema: Schema, collection: str, symbols: Symbols) -> None:
    """Limit tags, categories, types, stages and references to those of one registry."""
    properties = schema["properties"]
    for name, of in KINDS[collection].declared.vocabularies.items():
        if words := symbols.vocabulary(of.name):
            _narrow(properties[name], _enum(words))
    for name, added in ADDED_KEYED.items():
        if name in properties:
            added.limit(_first(properties[name]), symbols)
    tags = _first(properties["tags"])
    items = tags.pop("additionalProperties")
    tags["properties"] = {}
    tags["additionalProperties"] = False
    for family, label in symbols.grammar.tag_families.items():
        family_schema = {**items, "description": label}
        if family in symbols.closed_families and symbols.tags[family]:
            family_schema["items"] = _enum(symbols.tags[family])
        tags["properties"][family] = family_schema
    references = REFERENCES[collection]
    for name in [name for name in properties if name in references]:
        target = references[name]
        names = {slug: record.name for slug, record in symbols.targets(target).items()}
        if names:
            schema["$defs"][target] = _slugs(names, KIND_OF[target])
            _narrow(properties[name], {"$ref": f"#/$defs/{target}"})


def _enum(labels: Mapping[str, str]) -> Schema:
    return {"type": "string", "enum": list(labels), "enumDescriptions": list(labels.values())}


def _slugs(names: Mapping[str, str], kind: str) -> Schema:
    """The schema of references to records with these slugs -> names."""
    ordered = dict(sorted(names.items()))
    if len(ordered) > MOST_SLUGS:
        return {"type": "string", "examples": list(ordered)[:MOST_EXAMPLES]}
    return {
        **_enum(ordered),
        "errorMessage": f"There was no {kind} of this slug when the schemas were written; after "
        "adding one, run: registry schema --editor .",
    }


def _narrow(field: Schema, values: Schema) -> None:
    """Limit the slugs of a field, alone or in a list, to the schema `values`."""
    value = _first(field)
    if value.get("type") == "array":
        value["items"] = values
    elif value is field:
        for key in ("type", "pattern", "maxLength"):
            field.pop(key, None)
        field.update(values)
    else:
        field["anyOf"][0] = values


def _first(field: Schema) -> Schema:
    """The schema of a field's value, without null."""
    first: Schema = field["anyOf"][0] if "anyOf" in field else field
    return first


def value_schema(field: Schema, schema: Schema) -> Schema:
    """The schema of a field's value, without null, and with its reference resolved."""
    value = _first(field)
    return schema["$defs"][value["$ref"].rpartition("/")[2]] if "$ref" in value else value


def _plain(schema: Any, *, named: bool = False) -> Any:
    """A schema without titles and null defaults, which editors would offer.  `named` is a mapping
    of properties, which may have any name.

    Keys outside `patternProperties` are errors.  The pattern of texts is left out, because the
    reader removes the characters that it forbids.
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
