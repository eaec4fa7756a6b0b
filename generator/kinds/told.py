"""The kinds of a registry as its index.json tells them, and the kinds of a registry that somebody
else publishes, of which nothing is believed that breaks a rule.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import orjson

from generator.kinds import Kinds
from generator.kinds.own import HAS, OWN_TYPES, field_settings, kind_settings
from generator.kinds.rules import MAX_FIELDS, TYPES_WITH, broken_rules, is_name
from generator.kinds.types import LINE, MAX_ITEMS, MONTH, NOUN, OWN_KEY, SCHEMA_TYPE
from generator.text.words import SLUG

#: The most bytes of what index.json tells of kinds.
MAX_TOLD = 16 * 1024
_MAX_TEXT, _MAX_NOUN, _MAX_VALUES = 200, 40, 1000


def tell(kinds: Kinds, nouns: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """Collection -> what a reader needs to know of its kind: names, own fields, and relations with
    their other side.  Settings that have their defaults are left out.
    """
    return {
        name: {
            "kind": of.kind,
            "one": nouns[name][0],
            "many": nouns[name][1],
            "own": of.is_own,
            **_told(kinds.own_kinds.get(name, {}), kind_settings({}), ("one", "nouns", "fields")),
            "fields": {
                key: {"type": settings["type"], "label": settings["label"]}
                | _told(settings, field_settings({"type": settings["type"]}), ("type", "label"))
                for key, settings in kinds.settings_of(name).items()
            },
            "relations": {
                f.path[-1]: {
                    "of": f.refers,
                    "many": f.many,
                    "filter": f.filter or None,
                    "reverse": f.reverse or None,
                }
                for f in of.own
                if f.refers
            },
        }
        for name, of in kinds.items()
    }


def _told(settings: Mapping[str, Any], default: Mapping[str, Any], apart: tuple[str, ...]) -> Any:
    return {
        name: value
        for name, value in settings.items()
        if name not in apart and value != default.get(name)
    }


def size_of(told: Any) -> int:
    """The bytes of what index.json tells of kinds, without spaces; more than MAX_TOLD if it nests
    deeper than any.
    """
    try:
        return len(orjson.dumps(told))
    except TypeError:
        return MAX_TOLD + 1


class Untrue(ValueError):
    """What a document tells of kinds breaks a rule."""


def believe(told: Any, fields: Any, first: Kinds) -> Kinds:
    """The kinds that a document tells (`tell`).  If it tells none they are `first`, the kinds of
    modules, with these own fields.  Raises Untrue.
    """
    own, left_out = {}, []
    if told is not None:
        if size_of(told) > MAX_TOLD:
            raise Untrue(f"its kinds have more than {MAX_TOLD >> 10} KiB")
        if not isinstance(told, dict) or not all(map(_has_nouns, told.values())):
            raise Untrue("its kinds are not named as those of a registry")
        own = {name: _kind(name, of) for name, of in told.items() if of.get("own")}
        left_out = [name for name in first if name not in told]
        fields = {name: of.get("fields") for name, of in told.items() if name not in own}
    if not isinstance(fields, dict) or not all(map(_are_fields, fields.values())):
        raise Untrue("a field is none of a registry")
    if fields.keys() - first.keys():
        raise Untrue("it has fields of a kind that is not its own and not known here")
    given = {n: {k: field_settings(f) for k, f in of.items()} for n, of in fields.items()}
    broken = next(broken_rules(first, given, own, left_out), None)
    if broken is not None:
        raise Untrue(f"{'.'.join(map(str, broken.loc))}: {broken.message}")
    kinds = first.having(given, own, left_out)
    if told is not None:
        nouns = {name: (of["one"], of["many"]) for name, of in told.items()}
        if list(kinds) != list(told) or not _says(told, tell(kinds, nouns)):
            raise Untrue("its kinds contradict their own fields, or are in another order")
    return kinds


def _says(told: Any, true: Any) -> bool:
    """Whether a document tells what is true; later versions may tell more."""
    if isinstance(true, dict) and isinstance(told, dict):
        return all(name in told and _says(told[name], part) for name, part in true.items())
    return type(told) is type(true) and bool(told == true)


def _has_nouns(of: Any) -> bool:
    return (
        isinstance(of, dict)
        and isinstance(of.get("own"), bool)
        and all(
            of.get(name) and _is_text(of[name], NOUN, _MAX_NOUN, without="_")
            for name in ("one", "many")
        )
    )


def _kind(name: Any, of: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of an own kind.  Raises Untrue."""
    kind, has, fields = of.get("kind"), of.get("has", []), of.get("fields")
    if not (
        is_name(name)
        and isinstance(kind, str)
        and is_name(one := kind.replace("_", "-"))
        and isinstance(has, list)
        and all(part in HAS for part in has)
        and _is_text(of.get("badge"), LINE)
        and _is_text(of.get("retired"), MONTH)
        and _is_text(of.get("schema_org"), SCHEMA_TYPE)
        and isinstance(of.get("contexts", False), bool)
        and _are_fields(fields)
    ):
        raise Untrue("a kind is none of a registry")
    settings = kind_settings({name: of[name] for name in _OF_KIND if name in of} | {"one": one})
    return settings | {"fields": {key: field_settings(f) for key, f in (fields or {}).items()}}


_OF_KIND = ("has", "badge", "schema_org", "contexts", "retired")


def _is_text(text: Any, pattern: str, most: int = _MAX_TEXT, without: str = "") -> bool:
    """Whether a text is empty or not there, or has at most so many characters and this pattern, if
    the characters `without` are spaces.
    """
    if not text:
        return text in (None, "")
    spaced = text.replace(without, " ") if isinstance(text, str) and without else text
    return (
        isinstance(spaced, str)
        and len(spaced) <= most
        and re.fullmatch(pattern[1:-1], spaced) is not None
    )


def _are_fields(fields: Any) -> bool:
    return (
        isinstance(fields, dict)
        and len(fields) <= MAX_FIELDS
        and all(
            re.fullmatch(OWN_KEY[1:-1], key) is not None and _is_field(of)
            for key, of in fields.items()
        )
    )


def _is_field(of: Any) -> bool:
    """Whether the settings of a field have the right types and patterns, and go with its type."""
    if not isinstance(of, dict) or of.get("type") not in OWN_TYPES:
        return False
    values, through, given = of.get("values") or {}, of.get("through") or [], of.get("filter")
    flags = [of.get(n) or False for n in ("many", "summary", "sort", "required")]
    return (
        all(_is_text(of.get(n), pattern) for n, pattern in _TEXTS.items())
        and all(isinstance(flag, bool) for flag in flags)
        and all(not of.get(n) or of["type"] in types for n, types in TYPES_WITH.items())
        and isinstance(values, dict)
        and len(values) <= _MAX_VALUES
        and all(re.fullmatch(SLUG, v) is not None and _is_text(values[v], LINE) for v in values)
        and isinstance(through, list)
        and len(through) <= MAX_ITEMS
        and all(isinstance(name, str) and _is_filter(name) for name in through)
        and isinstance(given, str | bool | None)
        and (not isinstance(given, str) or (of["type"] == "record" and bool(_is_filter(given))))
    )


#: Settings of fields that are texts, with their patterns.
_TEXTS = {
    "label": LINE, "unit": LINE, "currency": "^[A-Z]{3}$", "of": LINE, "reverse": LINE,
    "retired": MONTH,
}  # fmt: skip
_is_filter = re.compile("[a-z][a-z0-9_]{0,59}", re.ASCII).fullmatch
