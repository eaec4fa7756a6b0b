"""The JSON Schemas (2020-12) of files that authors write, for editors, forms and a CMS.

A schema accepts every file that `registry check` accepts.  It leaves comparisons to the check, for
instance of the start and the end of an event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from generator.contract.lock import DIALECT, locked_schemas
from generator.kinds import Kinds
from generator.kinds.declare import Declared, placed
from generator.kinds.models import Input
from generator.kinds.types import COUNTRIES, TEXT
from generator.model.kinds import kind_for
from generator.model.settings.list_files import removals_model
from generator.model.settings.own_fields import currencies, record_model
from generator.model.settings.registry import settings_model
from generator.model.symbols import Symbols
from generator.problems.codes import acceptable

#: Model with a key for each collection -> the description of these keys.
DESCRIPTIONS_OF_EACH = {
    "CollectionNouns": "The words for {}.",
    "CollectionLabels": "The labels of shared fields of {}, by field.",
    "CollectionFields": "The own fields of {}, by key.",
    "LeastRecords": "The least number of {}.",
    "LeastFilled": "The least shares for {}.",
    "CountryBounds": "The limits for {} by country: codes in lower case.",
    "TagBounds": "The limits for {} by tag family and tag.",
}
#: Model -> field -> description.
DESCRIPTIONS: Mapping[str, Mapping[str, str]] = {
    "Settings": {
        "name": "The name of the registry.",
        "description": "What the registry is about.",
        "base_url": "The published address: an http or https URL without query and fragment.",
        "license": "The licence of the data: an identifier of the SPDX License List.",
        "contact": "The contact: a URL or an e-mail address.",
        "page_size": "How many records a page of a list has.",
        "tag_families": "The tag families. A family with `tags` allows only these tags.",
        "organization_categories": "The values of `category` of organizations, as slug: label.",
        "program_types": "The values of `type` of programs, as slug: label.",
        "event_stages": "The values of `stage` of events, as slug: label, in their order in time.",
        "nouns": "The words of this registry for its records.",
        "labels": "What the site calls shared fields, as {projects: {year: Founded}}.",
        "language": "The language of the texts, as a BCP 47 tag.",
        "slugs": "How names become slugs: with german, ä, ö and ü are spelled ae, oe and ue.",
        "kinds": "Own kinds: kinds of records that only this registry has, by folder.",
        "without_kinds": "Kinds that this registry leaves out: projects, programs and so on.",
        "fields": "Own fields: fields that only the records of this registry have.",
        "hosts": "The hosts for which the build writes rules.",
        "feeds": "Filters of events that also have a calendar feed for each value.",
        "publish": "Files that are published on request.",
        "leave_out": "Files that are not published: sorts, contexts, event_pages, or a feature.",
        "accept": "Warnings that are accepted in the whole registry, as code: reason.",
        "release": "The latest version to cite; registry release writes it.",
        "allow_loss": "Whether a build may have any number of records less than the last one.",
        "guards": "How many records a publish may lose, and how many it must have.",
        "site": "The site for people; false builds none.",
        "repository": "The page of the repository, where people edit records.",
        "signing": "The keys that sign the published manifest, and how long a manifest is valid.",
    },
    "Release": {"version": "The version.", "date": "The day of the release."},
    "Signing": {
        "keys": "The public keys, as printed by registry key show.",
        "handovers": "The replacements of keys, as printed by registry key hand-over.",
        "days": "For how many days a manifest is valid.",
    },
    "HandOver": {
        "old": "The key that was trusted until then.",
        "new": "The key that is trusted now.",
        "signature": "The signature of the old key.",
    },
    "TagFamily": {
        "label": "The label of the family.",
        "description": "What the tags of this family describe.",
        "tags": "The allowed tags, each with its label. Without this list, any slug is allowed.",
        "labels": "The labels of some tags, if any slug is allowed.",
    },
    "Nouns": {
        "one": "The word for one record, as within a sentence.",
        "many": "The word for several records, as within a sentence.",
    },
    "KindDeclaration": {
        "one": "The word for one record, like investor.",
        "nouns": "The words for one record and for several, by language: {de: [Rezept, Rezepte]}.",
        "has": "Which shared fields the records have. Default: website and tags.",
        "badge": "The field that lists show beside the name.",
        "schema_org": "The type of the records at schema.org. Default: Thing.",
        "contexts": "Whether each record has a context, a text to paste into a prompt.",
        "retired": "The month from which the kind may be gone, like 2027-01.",
        "fields": "The fields of its records, by key.",
    },
    "Declaration": {
        "label": "The label of the field.",
        "type": "The type of the value. A record is a relation: the slug of another record.",
        "of": "The kind of the records that a relation refers to, like investors.",
        "many": "Whether a record has a list of values; only for text, url, choice and record.",
        "required": "Whether every record must have it.",
        "unit": "The unit of a number, like USD.",
        "summary": "Whether lists show it.",
        "currency": "The currency of money: a code of ISO 4217, like EUR.",
        "filter": "Whether it is a filter; not for text and url. A relation may name its filter.",
        "sort": "Whether it makes sorts; only for number, money and date.",
        "values": "The values of a choice, each with its label. Without it, any slug is allowed.",
        "reverse": "What the records that refer to one are called on its page, like Portfolio.",
        "through": "Filters of the other kind that its records get, too, like [location].",
        "retired": "The month from which the field may be gone, like 2027-01.",
    },
    "SiteSettings": {
        "accent": "The colour of links and buttons, in quotes: '#0b6e4f'.",
        "lead": "The collection that the home page begins with. Default: the largest.",
        "navigation": "More links in the header.",
        "footer": "A few words of Markdown at the foot of every page.",
    },
    "Link": {"label": "The text of the link.", "href": "The address: an http or https URL."},
    "Guards": {
        "lost": "The share of the records of a collection that one publish may lose.",
        "filled_lost": "How far the share of records with a website, a text and so on may fall.",
        "values_lost": "The share of the records of a country or a tag that one publish may lose.",
        "least": "The least number of records of a collection.",
        "filled": "The least share of records with a website, a text and so on.",
        "countries": "The least and the most records of a country.",
        "tags": "The least and the most records of a tag.",
    },
    "Filled": {
        "website": "The least share of records with a website.",
        "text": "The least share of records with a summary or a description.",
        "places": "The least share of records with a place.",
        "tags": "The least share of records with a tag.",
        "sources": "The least share of records with a source.",
        "year": "The least share of records with a year.",
    },
    "Bounds": {"least": "The least number of records.", "most": "The most records."},
    "Removals": {"removed": "The records that were removed for good."},
    "Removal": {
        "kind": "The kind of the record.",
        "slug": "The slug of the record. No other record can have it.",
        "date": "The day of the removal.",
        "reason": "The reason, in one line.",
    },
    "Repository": {
        "url": "The repository's page.",
        "branch": "The published branch.",
        "folder": "The folder with registry.yaml in the repository.",
    },
}

#: Field of registry.yaml or of a place -> examples.
EXAMPLES: Mapping[str, list[Any]] = {
    "region": ["Vestland"],
    "city": ["Bergen"],
    "base_url": ["https://registry.example.org"],
    "contact": ["registry@example.org"],
    "language": ["en"],
    "accent": ["#0b6e4f"],
}


Schema = dict[str, Any]

#: With more records than MOST_SLUGS, references may be any slugs; at most MOST_EXAMPLES of the
#: slugs are examples.
MOST_SLUGS, MOST_EXAMPLES = 1_000, 5_000

#: Other files than records -> what makes their models.
_FILES: Mapping[str, Callable[[Kinds], type[Input]]] = {
    "registry": settings_model,
    "removed": removals_model,
}


def file_kinds(kinds: Kinds) -> list[str]:
    """The kinds of files: a record of each kind, registry.yaml and removed.yaml."""
    return [*(kinds[name].kind for name in kinds.referred_first), *_FILES]


def input_schema(
    kind: str, kinds: Kinds, symbols: Symbols | None = None, hosts: Sequence[str] | None = None
) -> Schema:
    """The schema of one kind of file.  With `symbols`, it has the own fields, tags and vocabulary
    of their registry, and the slugs for references.  `hosts` are all hosts, for registry.yaml.
    """
    if kind in _FILES:
        return _file(kind, kinds, hosts)
    collection = kinds.collection_of[kind]
    declared = kinds[collection]
    model = record_model(declared) if symbols is None else symbols.model(collection)
    schema: Schema = _plain(model.model_json_schema())
    properties = schema["properties"]
    order = placed(properties, declared.fields)
    schema["properties"] = {name: properties[name] for name in order}
    own = schema["properties"].pop("fields", None)  # an own kind has its fields at the top
    _describe(schema, declared)
    if "Location" in schema.get("$defs", {}):
        _describe_places(schema["$defs"]["Location"], kinds)
    kind_for(declared).narrow(schema)
    if symbols is not None:
        within = value_schema(own, schema).get("properties", {}) if own else {}
        _limit_values(schema, declared, symbols, within)
        if own is not None and not declared.own:
            own["additionalProperties"] = False
    _first(schema["properties"]["accept"])["items"] = _enum(acceptable())
    words = "The registry's own fields, by key."
    if own is not None:
        schema["properties"]["fields"] = {"anyOf": [own, {"type": "null"}], "description": words}
    return {"$schema": DIALECT, **schema, "title": f"One {kind} of a registry"}


def _file(kind: str, kinds: Kinds, hosts: Sequence[str] | None) -> Schema:
    model = _FILES[kind](kinds)
    schema: Schema = _plain(model.model_json_schema())
    for name, definition in {model.__name__: schema, **schema["$defs"]}.items():
        for field, field_schema in definition["properties"].items():
            if "description" not in field_schema:
                of_each = DESCRIPTIONS_OF_EACH.get(name, "").format(field)
                field_schema["description"] = of_each or DESCRIPTIONS[name][field]
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
        declared = schema["$defs"]["Declaration"]["properties"]
        _first(declared["of"])["examples"] = list(kinds)
        _first(declared["currency"])["enum"] = sorted(currencies())
        first = [*kinds.left_out, *(name for name, of in kinds.items() if not of.is_own)]
        _first(properties["without_kinds"])["items"] = {"type": "string", "enum": first}
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
            _first(field)["format"] = "date"


def _describe_places(location: Schema, kinds: Kinds) -> None:
    """Add the descriptions of the parts of a place, and the names of countries."""
    published = locked_schemas(kinds)["$defs"]["Location"]["properties"]
    for name, field in location["properties"].items():
        field["description"] = published[name]["description"]
        _add_examples(name, field)
    country = location["properties"]["country"]
    country["enumDescriptions"] = [COUNTRIES[code] for code in country["enum"]]


def _add_examples(name: str, field: Schema) -> None:
    if name in EXAMPLES:
        field["examples"] = EXAMPLES[name]


def _limit_values(
    schema: Schema, declared: Declared, symbols: Symbols, own: Mapping[str, Schema]
) -> None:
    """Limit tags, categories, types, stages and references to those of one registry.  `own` are
    the fields below `fields`.
    """
    properties = schema["properties"]
    for name, of in declared.vocabularies.items():
        if words := symbols.vocabulary(of.name):
            _narrow(properties[name], _enum(words))
    kinds = symbols.grammar.kinds
    for name, added in kinds.added_keyed.items():
        if name in properties:
            added.limit(_first(properties[name]), symbols)
    if "tags" in properties:
        _limit_tags(_first(properties["tags"]), symbols)
    for f in (f for f in declared.own if f.values and declared.is_own):
        _narrow(properties[f.name], _enum(f.values))
    for name, target in declared.references.items():
        names = {slug: record.name for slug, record in symbols.targets(target).items()}
        if names:
            schema.setdefault("$defs", {})[target] = _slugs(names, kinds[target].kind)
            field = properties[name] if name in properties else own[declared.fields[name].place[-1]]
            _narrow(field, {"$ref": f"#/$defs/{target}"})


def _limit_tags(tags: Schema, symbols: Symbols) -> None:
    items = tags.pop("additionalProperties")
    tags["properties"] = {}
    tags["additionalProperties"] = False
    for family, label in symbols.grammar.tag_families.items():
        family_schema = {**items, "description": label}
        if family in symbols.closed_families and symbols.tags[family]:
            family_schema["items"] = _enum(symbols.tags[family])
        tags["properties"][family] = family_schema


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
