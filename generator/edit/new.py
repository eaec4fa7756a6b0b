"""A new record: its file's text, and where among the others it lies."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from generator.api.names import KIND_OF
from generator.api.text import is_slug, slugify
from generator.edit.changes import Change, Plan, Refused
from generator.edit.layout import ORDER, PLACE
from generator.edit.text import Unchangeable, data_of
from generator.records.dialect import Unusual, parse
from generator.records.folder import Content, scan

#: Fields that are text whatever they look like.
_TEXTS = ("name", "summary", "description", "website", "parent", "program", "organization")


def plan(folder: str, collection: str, fields: Mapping[str, Any], slug: str = "") -> Plan:
    """The file of a new record.  Raises Refused where its slug is none, or taken."""
    content = scan(folder)
    slug = slug or proposed(content, collection, str(fields.get("name", "")))
    kind = KIND_OF[collection]
    if not is_slug(slug):
        better = slugify(slug)
        raise Refused(f'"{slug}" is no slug' + (f': "{better}" is one' if better else ""))
    for source in content.sources[collection]:
        if source.slug == slug:
            raise Refused(f'there is a {kind} "{slug}": {content.shown(source.path)}')
    where = "/".join(filter(None, (collection, _folder(content, collection, slug, fields))))
    return Plan([Change(f"{where}/{slug}.yaml", None, text(fields).encode())], [])


def proposed(content: Content, collection: str, name: str) -> str:
    """A slug for a name that no record of the collection has; "" where the name has no Latin
    letters or digits.
    """
    base, taken = slugify(name)[:96].strip("-"), {s.slug for s in content.sources[collection]}
    numbers = (f"{base}-{number}" for number in range(2, 10_000))
    return base if base not in taken else next(slug for slug in numbers if slug not in taken)


def asked(name: str, written: str) -> Any:
    """What is meant by the value of a field that was written on a command line, as YAML."""
    if name.partition(".")[0] not in _TEXTS:
        try:
            return parse(f"value: {written}\n".encode())["value"]
        except Unusual:
            pass
    return written


def put(fields: dict[str, Any], name: str, value: Any) -> None:
    """Set a field; `tags.topic` is the field `topic` in `tags`.  Raises Refused."""
    *above, last = name.split(".")
    here = fields
    for part in above:
        here = here.setdefault(part, {})
        if not isinstance(here, dict):
            raise Refused(f"{name}: {part} has no fields of its own")
    here[last] = value


def text(fields: Mapping[str, Any]) -> str:
    """A record as YAML, in the one layout."""
    ranks = {name: number for number, name in enumerate(ORDER)}
    ordered = sorted(fields, key=lambda name: ranks.get(name, len(ranks)))
    lines = [line for name in ordered for line in _field(_scalar(name), fields[name], "")]
    return "\n".join(lines) + "\n"


def _field(name: str, value: Any, blanks: str) -> Iterator[str]:
    if isinstance(value, str) and (lines := _literal(value)):
        yield f"{blanks}{name}: {lines[0]}"
        yield from (f"{blanks}{line}" if line else "" for line in lines[1:])
    elif isinstance(value, dict) and value:
        yield f"{blanks}{name}:"
        for key, inner in value.items():
            yield from _field(_scalar(key), inner, f"{blanks}  ")
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        yield f"{blanks}{name}:"
        for item in value:
            first, *rest = [
                line
                for key in sorted(item, key=lambda key: PLACE.index(key) if key in PLACE else 9)
                for line in _field(_scalar(key), item[key], "")
            ]
            yield f"{blanks}  - {first}"
            yield from (f"{blanks}    {line}" for line in rest)
    elif isinstance(value, list):
        flow = f"{blanks}{name}: [{', '.join(map(_scalar, value))}]"
        if len(flow) <= 100 or not value:
            yield flow
        else:
            yield f"{blanks}{name}:"
            yield from (f"{blanks}  - {_scalar(item)}" for item in value)
    else:
        yield f"{blanks}{name}: {_scalar(value)}".rstrip()


def _literal(value: str) -> list[str]:
    """A text over several lines as it stands after `|`; nothing where it would mean another."""
    if "\n" not in value.strip("\n"):
        return []
    lines = [f"|{'' if value.endswith(chr(10)) else '-'}"]
    lines += [f"  {line}" if line else "" for line in value.rstrip("\n").split("\n")]
    try:
        kept = data_of(("a: " + "\n".join(lines) + "\n").encode())["a"] == value
    except Unchangeable:
        kept = False
    return lines if kept else []


def _scalar(value: Any) -> str:
    """One value as YAML: plain where it means the same in a list, after a key and as a key."""
    if value is None:
        return ""
    if not isinstance(value, str):  # a number, a truth, or an empty mapping
        return json.dumps(value)
    plain = re.fullmatch(r"[^\s\"'#&*!|>%@`{}\[\],?:-][^\n#,\[\]{}]*", value)
    if plain and not value.endswith((" ", ":")) and ": " not in value:
        try:
            if parse(f"a: [{value}]\nb: {value}\n".encode()) == {"a": [value], "b": value}:
                return str(value)
        except Unusual:
            pass
    return json.dumps(value, ensure_ascii=False)


def _folder(content: Content, collection: str, slug: str, fields: Mapping[str, Any]) -> str:
    """The folder below the collection's that most records would lie in by the same rule."""
    times = next((fields[name] for name in ("closes", "due", "ends", "starts") if fields.get(name)),
                 "")  # fmt: skip
    rules: dict[str, Callable[[str], str]] = {
        "slug": lambda slug: "",
        "letter": lambda slug: slug[:1],
        "letters": lambda slug: slug[:2],
    }
    kept: Counter[str] = Counter()
    folders: Counter[str] = Counter()
    for source in content.sources[collection]:
        folder = source.path.rpartition("/")[0].partition("/")[2]
        folders[folder] += 1
        for name, rule in rules.items():
            kept[name] += folder == rule(source.slug)
    total = sum(folders.values())
    for name, count in kept.most_common(1):
        if total and count * 2 > total:
            return rules[name](slug)
    for near in (str(fields.get("organization", "")), str(times)[:4]):
        if near and near in folders:
            return near
    return ""
