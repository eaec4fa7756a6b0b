"""What a record of a registry must have and has not: asked of the models, of which nothing is said
twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from generator.edit.new import asked
from generator.records.kinds import KINDS
from generator.records.kinds.event import REQUIRED, TIMES
from generator.records.own import declared
from generator.records.settings import Settings


class Need(NamedTuple):
    """A field, as `edit.new.put` names it, what people call it, and what can be chosen, where not
    anything can; `own` is the type of an own field, `many` whether it is a list.
    """

    field: str
    label: str
    choices: tuple[str, ...] = ()
    own: str = ""
    many: bool = False


def needed(settings: Settings, collection: str, fields: Mapping[str, Any]) -> list[Need]:
    """What a record with these fields lacks, in the order of its fields."""
    return [need for need in _needs(settings, collection, fields) if not _has(fields, need.field)]


def read(need: Need, written: str) -> Any:
    """What is meant by an answer."""
    values = [part.strip() for part in written.split(",")] if need.many else [written]
    if need.own in ("", "number", "boolean"):
        values = [asked(need.field, value) for value in values]
    return values if need.many else values[0]


def _needs(settings: Settings, collection: str, fields: Mapping[str, Any]) -> Iterator[Need]:
    choices = {
        **KINDS[collection].fixed,
        "category": settings.organization_categories or {},
        "type": settings.program_types or {},
    }
    for name, field in settings.models()[collection].model_fields.items():
        if field.is_required():
            yield Need(name, name.capitalize(), tuple(choices.get(name, ())))
    if collection == "events" and (time := REQUIRED.get(str(fields.get("kind")))):
        yield Need(time, f"{time.capitalize()} (YYYY-MM-DD or with HH:MM)")
        times = {str(fields.get(name, "")) for pair in TIMES.values() for name in pair}
        if any(":" in time for time in times):
            yield Need("timezone", "Time zone (like Europe/Oslo, or AoE)")
    for key, own in declared(settings.fields).get(collection, {}).items():
        if own.required:
            label = f"{own.label} ({own.unit})" if own.unit else own.label
            values = () if own.many else tuple(own.values or ())
            yield Need(f"fields.{key}", label, values, own.type, own.many)


def _has(fields: Mapping[str, Any], name: str) -> bool:
    first, _, last = name.partition(".")
    inner = fields.get(first)
    return last in inner if last and isinstance(inner, Mapping) else not last and first in fields
