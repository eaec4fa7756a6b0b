"""What commits changed in records: fields with their values before and after, for the site.

Values come from earlier commits and are not trusted: they are cut, and everything is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from generator.dialect.parse import Unusual
from generator.kinds import Kinds

#: The values of a field, as text.
Texts = tuple[str, ...]
#: Field -> its values before and after.
Fields = dict[str, tuple[Texts, Texts]]

#: The most fields of a change, the most values of a field, and the most characters of a value.
MAX_FIELDS, MAX_VALUES, MAX_LENGTH = 12, 12, 160
#: The most names of fields of a change; keys that no field can have are left out.
MAX_NAMES = 100
_is_field = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,49}(?:\.[A-Za-z][A-Za-z0-9_-]{0,49})?").fullmatch
#: The keys of a place, from the narrowest.
_PLACE = ("city", "region", "country")


def differences(old: Any, new: Any, kinds: Kinds) -> Fields:
    """Field -> its values before and after, if they differ between the data of two versions."""
    before, after = _fields(old, kinds), _fields(new, kinds)
    fields = dict.fromkeys([*before, *after])
    pairs = {field: (before.get(field, ()), after.get(field, ())) for field in fields}
    return {field: values for field, values in pairs.items() if values[0] != values[1]}


def shortened(fields: Fields) -> list[tuple[str, Texts, Texts]]:
    """Differences for the site, in the order of the record: few, with short values."""
    return [(field, _cut(old), _cut(new)) for field, (old, new) in fields.items()][:MAX_FIELDS]


def field_names(fields: Fields) -> list[str]:
    """The names of the fields that differ, sorted."""
    return sorted(filter(_is_field, fields))[:MAX_NAMES]


def parse(raw: bytes) -> Any:
    """The data of a YAML file; None or a part of the data if it has faults."""
    from generator.dialect.libyaml import parse as parse_fast

    try:
        return parse_fast(raw)
    except Unusual:
        from generator.dialect.examine import examine

        return examine(raw).data


def _fields(data: Any, kinds: Kinds) -> dict[str, Texts]:
    """Field -> its values as text, without empty fields."""
    if not isinstance(data, Mapping):
        return {}
    fields = {}
    for key, value in data.items():
        if key in kinds.unpublished:
            continue
        nested = key in kinds.keyed and isinstance(value, Mapping)
        for name, part in value.items() if nested else [("", value)]:
            texts = tuple(_texts(part))
            if texts:
                fields[f"{key}.{name}" if name else str(key)] = texts
    return fields


def _texts(value: Any) -> Iterator[str]:
    if value is None:
        return
    if isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, Mapping):
        keys = [*_PLACE, *(key for key in value if key not in _PLACE)]
        yield ", ".join(str(value[key]) for key in keys if value.get(key) is not None)
    else:
        yield str(value).lower() if isinstance(value, bool) else str(value).strip()


def _cut(values: Texts) -> Texts:
    short = [v if len(v) <= MAX_LENGTH else f"{v[: MAX_LENGTH - 1]}…" for v in values]
    return (*short[:MAX_VALUES], *(["…"] if len(short) > MAX_VALUES else []))
