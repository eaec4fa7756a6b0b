"""A new record: its text, the folder of its file, and the fields that it still needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from generator.dialect import values
from generator.dialect.folder import Content, scan
from generator.dialect.libyaml import parse
from generator.dialect.parse import Unusual
from generator.edit.changes import FileChange, Plan, Refused
from generator.edit.similar import SimilarRecord, similar_records
from generator.kinds import KIND_OF, KINDS
from generator.model.kinds import KINDS as MODEL_KINDS
from generator.model.settings.own_fields import declared_fields
from generator.model.settings.registry import Settings
from generator.published.content.load import read_header
from generator.text.slugs import name_slug, word_slug
from generator.text.words import is_slug

#: Fields whose values are always text, also "2024" and "true".
_TEXT_FIELDS = ("name", "summary", "description", "website", "parent", "program", "organization")


class Resembles(Refused):
    """A new record looks like existing records (`records`).  `slug` is the slug it would get."""

    def __init__(self, slug: str, records: Sequence[SimilarRecord]):
        looks = "; ".join(f"{alike.file}, which has the same {alike.fields}" for alike in records)
        super().__init__(f"this looks like {looks}")
        self.slug, self.records = slug, records


def plan_record(
    folder: str,
    collection: str,
    fields: Mapping[str, Any],
    slug: str = "",
    *,
    duplicate: bool = False,
) -> Plan:
    """The file of a new record.  Without a `slug`, the record gets one from its name.

    Raises Refused if the slug is invalid or in use, and Resembles if the record looks like an
    existing one, unless `duplicate` is set.
    """
    content = scan(folder)
    base = "" if slug else _slug_for(str(fields.get("name", "")), content)
    slug = slug or _free_slug(content, collection, base)
    if not slug:
        raise Refused("no slug can be made from the name: choose one, like tokyo-robotics")
    if not is_slug(slug):
        better = word_slug(slug)
        raise Refused(f'"{slug}" is not a valid slug' + (f'; write "{better}"' if better else ""))
    for source in content.sources[collection]:
        if source.slug == slug:
            kind = KIND_OF[collection]
            raise Refused(
                f'the {kind} "{slug}" already exists: {content.display_path(source.path)}'
            )
    if not duplicate and (same := similar_records(content, collection, slug, fields, base)):
        raise Resembles(slug, same)
    path = path_rule(content, collection)(slug, fields)
    return Plan([FileChange(path, None, values.record(fields).encode())], [], (path,))


def _free_slug(content: Content, collection: str, base: str) -> str:
    """The slug `base`, or with a number if a record of the collection has it; "" for ""."""
    taken = {source.slug for source in content.sources[collection]}
    numbers = (f"{base}-{number}" for number in range(2, 10_000))
    return base if base not in taken else next(slug for slug in numbers if slug not in taken)


def _slug_for(name: str, content: Content) -> str:
    """The slug for a name, with room for a number; "" if most of it is not Latin."""
    german = read_header(content)[0].settings.slugs == "german"
    return name_slug(name, german=german)[:96].strip("-")


def parse_value(name: str, written: str) -> Any:
    """The value of a field written on a command line, read as YAML unless the field is text."""
    if name.partition(".")[0] not in _TEXT_FIELDS:
        try:
            return parse(f"value: {written}\n".encode())["value"]
        except Unusual:
            pass
    return written


def set_field(fields: dict[str, Any], name: str, value: Any) -> None:
    """Set a field; `tags.topic` is a field of the mapping of tags.

    Raises Refused if that is not a mapping.
    """
    *above, last = name.split(".")
    parent = fields
    for part in above:
        parent = parent.setdefault(part, {})
        if not isinstance(parent, dict):
            raise Refused(f"{name}: {part} cannot have fields")
    parent[last] = value


def path_rule(content: Content, collection: str) -> Callable[[str, Mapping[str, Any]], str]:
    """A function (slug, fields) -> path of a new record.

    It follows the folders of the existing records: none, the first letters of the slug if most
    records are in such folders, or the name of an organization or a year if that folder exists.
    """
    matches: Counter[int] = Counter()
    folders: set[str] = set()
    for source in content.sources[collection]:
        folder = source.path.rpartition("/")[0].partition("/")[2]
        folders.add(folder)
        matches.update(letters for letters in range(3) if folder == source.slug[:letters])
    letters = max(range(3), key=matches.__getitem__)
    is_rule = matches[letters] * 2 > len(content.sources[collection])

    def folder_of(slug: str, fields: Mapping[str, Any]) -> str:
        if is_rule:
            return slug[:letters]
        times = (fields[name] for name in ("closes", "due", "ends", "starts") if fields.get(name))
        year = str(next(times, ""))[:4]
        candidates = (str(fields.get("organization", "")), year)
        return next((folder for folder in candidates if folder and folder in folders), "")

    def path_of(slug: str, fields: Mapping[str, Any]) -> str:
        return "/".join(filter(None, (collection, folder_of(slug, fields), f"{slug}.yaml")))

    return path_of


# --- fields that a new record needs ---------------------------------------------------------------


class MissingField(NamedTuple):
    """A field that a new record needs: its name as for `set_field`, and its label.

    `choices` is empty if any value is allowed.  `own` is the type of an own field, else "".  `many`
    is set for a list.
    """

    field: str
    label: str
    choices: tuple[str, ...] = ()
    own: str = ""
    many: bool = False


def missing_fields(
    settings: Settings, collection: str, fields: Mapping[str, Any]
) -> list[MissingField]:
    """The required fields that a record lacks, in the order of its fields."""
    return [need for need in _needs(settings, collection, fields) if not _has(fields, need.field)]


def read(need: MissingField, written: str) -> Any:
    """The value of an answer to a question for a needed field."""
    values = [part.strip() for part in written.split(",")] if need.many else [written]
    if need.own in ("", "number", "boolean"):
        values = [parse_value(need.field, value) for value in values]
    return values if need.many else values[0]


def _needs(
    settings: Settings, collection: str, fields: Mapping[str, Any]
) -> Iterator[MissingField]:
    declared = KINDS[collection]
    choices = {name: f.values for name, f in declared.written.items() if f.values}
    for name, of in declared.vocabularies.items():
        choices[name] = getattr(settings, of.setting) or {}
    for name, field in settings.models()[collection].model_fields.items():
        if field.is_required():
            yield MissingField(name, name.capitalize(), tuple(choices.get(name, ())))
    for name, words in MODEL_KINDS[collection].needs(fields):
        yield MissingField(name, words)
    for key, own in declared_fields(settings.fields).get(collection, {}).items():
        if own.required:
            label = f"{own.label} ({own.unit})" if own.unit else own.label
            values = () if own.many else tuple(own.values or ())
            yield MissingField(f"fields.{key}", label, values, own.type, own.many)


def _has(fields: Mapping[str, Any], name: str) -> bool:
    first, _, last = name.partition(".")
    inner = fields.get(first)
    return last in inner if last and isinstance(inner, Mapping) else not last and first in fields
