"""A new record: its text, the folder of its file, and the fields that it still needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from generator.dialect import values
from generator.dialect.folder import Content
from generator.dialect.libyaml import parse
from generator.dialect.parse import Unusual
from generator.edit.changes import FileChange, Plan, Refused
from generator.edit.rename import owner_of_alias
from generator.edit.similar import SimilarRecord, similar_records
from generator.edit.workspace import scan_records
from generator.kinds.declare import Field
from generator.model.kinds import kind_for
from generator.model.settings.registry import Settings
from generator.published.content.read import read_header
from generator.text.words import is_slug, name_slug, word_slug


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
    content = scan_records(folder)
    used, base = {source.slug: source.path for source in content.sources[collection]}, ""
    if not slug:  # room for a number; "" if most of the name is not Latin
        german = read_header(content)[0].settings.slugs == "german"
        base = name_slug(str(fields.get("name", "")), german=german)[:96].strip("-")
        numbers = (f"{base}-{number}" for number in range(2, 10_000))
        free = (slug for slug in (base, *numbers) if slug not in used)
        slug = next(slug for slug in free if owner_of_alias(content, collection, slug) is None)
    if not slug:
        raise Refused("no slug can be made from the name: choose one, like tokyo-robotics")
    if not is_slug(slug):
        better = word_slug(slug)
        raise Refused(f'"{slug}" is not a valid slug' + (f'; write "{better}"' if better else ""))
    if slug in used:
        path = content.display_path(used[slug])
        raise Refused(f'the {content.kinds[collection].noun} "{slug}" already exists: {path}')
    if owner := owner_of_alias(content, collection, slug):
        shown = content.display_path(owner.path)
        raise Refused(f'"{slug}" is an alias in {shown}: its address leads to that record')
    if not duplicate and (same := similar_records(content, collection, slug, fields, base)):
        raise Resembles(slug, same)
    path = path_rule(content, collection)(slug, fields)
    return Plan(
        [
            FileChange(
                path, None, values.record(fields, values.fields_at(path, content.kinds)).encode()
            )
        ],
        [],
        (path,),
    )


def parse_value(field: Field | None, written: str) -> Any:
    """The value of a field written on a command line, read as YAML unless the field is a text, or
    the slug of a record.
    """
    if field is None or field.many or not (field.type in ("text", "prose", "url") or field.refers):
        try:
            return parse(f"value: {written}\n".encode())["value"]
        except Unusual:
            pass
    return written


def set_field(fields: dict[str, Any], name: str, value: Any) -> None:
    """Set a field, like `tags.topic`.  Raises Refused if `tags` is not a mapping."""
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
    records are in such folders, or the name of its owner or a year if that folder exists.
    """
    owner = content.kinds.owner_field(collection)
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
        candidates = (str(fields.get(owner, "")), year)
        return next((folder for folder in candidates if folder and folder in folders), "")

    def path_of(slug: str, fields: Mapping[str, Any]) -> str:
        return "/".join(filter(None, (collection, folder_of(slug, fields), f"{slug}.yaml")))

    return path_of


# --- fields that a new record needs ---------------------------------------------------------------


def missing_fields(settings: Settings, collection: str, fields: Mapping[str, Any]) -> list[Field]:
    """The required fields that a record lacks, with labels that ask for them."""
    declared = settings.kinds[collection]
    written = declared.written
    required = (f for f in written.values() if f.required)
    needed = [
        *(replace(f, label=f.words.text if f.is_own else f.name.capitalize()) for f in required),
        *(replace(written[name], label=words)
          for name, words in kind_for(declared).needs(fields)),
    ]  # fmt: skip
    return [field for field in needed if not _has(fields, field.place)]


def choices_of(settings: Settings, field: Field) -> tuple[str, ...]:
    """The values that a field can have; empty for any values, and for a list."""
    if field.vocabulary is not None:
        return tuple(getattr(settings, field.vocabulary.setting) or ())
    return () if field.many else tuple(field.values)


def read(field: Field, written: str) -> Any:
    """The value of an answer to a question for a field."""
    values = [part.strip() for part in written.split(",")] if field.many else [written]
    if not field.is_own or field.type in ("number", "boolean"):
        values = [parse_value(replace(field, many=False), value) for value in values]
    return values if field.many else values[0]


def _has(fields: Mapping[str, Any], place: tuple[str, ...]) -> bool:
    first, *rest = place
    inner = fields.get(first)
    return rest[0] in inner if rest and isinstance(inner, Mapping) else not rest and first in fields
