"""The kinds of a registry as its index.json tells them, and the kinds of a registry that somebody
else publishes, of which nothing is believed that breaks a rule.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from generator.kinds import Kinds
from generator.kinds.own import HAS, OWN_TYPES, field_settings, kind_settings
from generator.kinds.rules import MAX_FIELDS, MAX_KINDS, MAX_RELATIONS, broken_rules, is_name
from generator.kinds.types import OWN_KEY, SCHEMA_TYPE
from generator.text.words import SLUG

#: The most bytes of what index.json tells of kinds.
MAX_TOLD = 16 * 1024
_MAX_TEXT, _MAX_VALUES = 200, 1000


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


class Untrue(ValueError):
    """What a document tells of kinds breaks a rule."""


def believe(told: Any, fields: Any, first: Kinds) -> Kinds:
    """The kinds that a document tells (`tell`), or, in a registry that tells none, the kinds of
    modules, `first`, with own `fields`.  Raises Untrue.
    """
    if told is None:
        told = {name: {"own": False} for name in first}
    elif not isinstance(told, dict) or not all(isinstance(of, dict) for of in told.values()):
        raise Untrue("its kinds are no mapping")
    else:
        every = {name: of.get("fields", {}) for name, of in told.items() if not of.get("own")}
        fields = {name: of for name, of in every.items() if of}
    own = {name: _kind(name, of) for name, of in told.items() if of.get("own")}
    unknown = [name for name, of in told.items() if not of.get("own") and name not in first]
    sound = isinstance(fields, dict) and all(_are_fields(of) for of in fields.values())
    if unknown or not sound or len(own) > MAX_KINDS or fields.keys() - first.keys():
        raise Untrue("its kinds or fields are not those of a registry")
    left_out = [name for name in first if name not in told]
    given = {n: {k: field_settings(f) for k, f in of.items()} for n, of in fields.items()}
    broken = next(broken_rules(first, given, own, left_out), None)
    if broken is not None:
        raise Untrue(f"{'.'.join(map(str, broken.loc))}: {broken.message}")
    kinds = first.having(given, own, left_out)
    if list(kinds) != list(told):
        raise Untrue("its kinds are in another order")
    return kinds


def _kind(name: Any, of: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of an own kind.  Raises Untrue."""
    kind, has, fields = of.get("kind"), of.get("has", []), of.get("fields", {})
    texts = [of.get(setting) or "" for setting in ("badge", "retired")]
    if not (
        _is_name(name)
        and isinstance(kind, str)
        and _is_name(one := kind.replace("_", "-"))
        and isinstance(has, list)
        and all(part in HAS for part in has)
        and all(isinstance(text, str) and len(text) <= _MAX_TEXT for text in texts)
        and isinstance(of.get("contexts", False), bool)
        and re.match(SCHEMA_TYPE, str(of.get("schema_org") or "Thing"), re.ASCII)
        and _are_fields(fields)
    ):
        raise Untrue("a kind is not that of a registry")
    settings = kind_settings({name: of[name] for name in _OF_KIND if name in of} | {"one": one})
    return settings | {"fields": {key: field_settings(f) for key, f in fields.items()}}


_OF_KIND = ("has", "badge", "schema_org", "contexts", "retired")


def _is_name(text: Any) -> bool:
    return isinstance(text, str) and is_name(text)


def _are_fields(fields: Any) -> bool:
    return (
        isinstance(fields, dict)
        and len(fields) <= MAX_FIELDS
        and all(
            isinstance(key, str) and re.fullmatch(OWN_KEY[1:-1], key, re.ASCII) and _is_field(of)
            for key, of in fields.items()
        )
    )


def _is_field(of: Any) -> bool:
    """Whether the settings of a field have the right types and patterns."""
    if not isinstance(of, dict) or of.get("type") not in OWN_TYPES:
        return False
    values, through, given = of.get("values") or {}, of.get("through") or [], of.get("filter")
    texts = [of.get(n) or "" for n in ("label", "unit", "currency", "of", "reverse", "retired")]
    flags = [of.get(n) or False for n in ("many", "summary", "sort", "required")]
    return (
        all(isinstance(text, str) and len(text) <= _MAX_TEXT for text in texts)
        and all(isinstance(flag, bool) for flag in flags)
        and isinstance(values, dict)
        and len(values) <= _MAX_VALUES
        and all(re.fullmatch(SLUG, v, re.ASCII) for v in values)
        and all(isinstance(label, str) for label in values.values())
        and isinstance(through, list)
        and len(through) <= MAX_RELATIONS
        and all(isinstance(name, str) and _is_filter(name) for name in through)
        and (not isinstance(given, str) or _is_filter(given) is not None)
        and isinstance(given, str | bool | None)
    )


_is_filter = re.compile("[a-z][a-z0-9_]{0,59}", re.ASCII).fullmatch
