"""What readers rely on in the kinds of a registry, as plain data: a registry notes it in its
schema.lock.json, and what a change of registry.yaml breaks is found by comparing with the note.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple, TypeGuard

from generator.kinds import Kinds
from generator.kinds.declare import Declared, Field
from generator.problems.faults import Loc

#: Collection -> its kind, shared parts and own fields (`promised`).
Promises = Mapping[str, Mapping[str, Any]]


def promised(kinds: Kinds) -> Promises:
    """What readers rely on.  Empty values are left out, and so are labels and orders."""
    return {
        name: _filled(
            kind=of.kind,
            has=kinds.own_kinds.get(name, {}).get("has"),
            retired=of.retired,
            fields=_fields(kinds, of),
        )
        for name, of in kinds.items()
    }


def _fields(kinds: Kinds, of: Declared) -> dict[str, Any]:
    types = {key: settings["type"] for key, settings in kinds.settings_of(of.name).items()}
    return {f.path[-1]: _field(f, types[f.path[-1]]) for f in of.own}


def _field(f: Field, of_type: str) -> dict[str, Any]:
    return _filled(
        type=of_type,
        of=f.refers,
        many=f.many,
        currency=f.currency,
        filter=f.filter,
        through=[f"{f.filter}_{beyond}" for beyond in f.through],
        retired=f.retired,
    )


def _filled(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}


class BrokenPromise(NamedTuple):
    """What readers lose: its place in registry.yaml, which may be that of what it was in, and the
    message.  `is_gone` says that the whole kind or field is gone.
    """

    loc: Loc
    message: str
    is_gone: bool = False


def broken_promises(before: Promises, kinds: Kinds, month: str) -> Iterator[BrokenPromise]:
    """What readers lose by the present `kinds`.  What was retired until a month before `month`
    (YYYY-MM) may be gone.
    """
    now = promised(kinds)
    over = {name: _over_filters(was, month) for name, was in before.items()}
    for name, was in before.items():
        loc: Loc = ("kinds", name)
        if is_over(was, month):
            continue
        if name not in now:
            place: Loc = ("without_kinds",) if name in kinds.left_out else ("kinds",)
            yield BrokenPromise(place, f"the kind {name} is gone", True)
            continue
        one, kind = was.get("kind"), now[name]["kind"]
        if one != kind:
            message = f"a record was called {one} and is now called {kind}"
            yield BrokenPromise((*loc, "one"), message)
        for part in was.get("has", ()):
            if part not in now[name].get("has", ()):
                yield BrokenPromise((*loc, "has"), f"{name} no longer have {part}")
        loc = (*loc, "fields") if kinds[name].is_own else ("fields", name)
        for key, field in was.get("fields", {}).items():
            # A relation to a kind that is gone goes with it.
            if not is_over(field, month) and field.get("of", name) in now:
                ended = {f"{field.get('filter')}_{n}" for n in over.get(field.get("of", ""), ())}
                then = now[name].get("fields", {})
                yield from _broken_field(loc, name, key, field, then, ended)


def _over_filters(of: Mapping[str, Any], month: str) -> list[str]:
    """The filters of a kind that go with fields which were announced to be gone by now."""
    fields = of.get("fields", {}).values()
    return [str(field.get("filter")) for field in fields if is_over(field, month)]


def _broken_field(
    loc: Loc,
    collection: str,
    key: str,
    was: Mapping[str, Any],
    now: Promises,
    ended: Collection[str],
) -> Iterator[BrokenPromise]:
    """What readers lose of a field; its filters that `ended` were announced to be gone."""
    if key not in now:
        yield BrokenPromise(loc, f"the field {key} of {collection} is gone", True)
        return
    for setting in ("type", "of", "currency", "many"):
        a, b = was.get(setting), now[key].get(setting)
        if a != b:
            says = _CHANGES[setting].format(a=a, b=b, many="lists" if b else "a single value")
            yield BrokenPromise((*loc, key, setting), f"{key} of {collection} {says}")
            break
    filters, left = _filters(was), _filters(now[key])
    for name in filters:
        if name not in {*left, *ended} and (name == filters[0] or filters[0] in left):
            setting = "filter" if name == filters[0] else "through"
            message = f"the filter {name} of {collection} is gone"
            yield BrokenPromise((*loc, key, setting), message)


_CHANGES = {
    "type": "was of type {a} and is now of type {b}",
    "of": "referred to {a} and now refers to {b}",
    "currency": "was in {a} and is now in {b}",
    "many": "has {many} now",
}


def _filters(of: Mapping[str, Any]) -> list[str]:
    return [name for name in (of.get("filter"), *of.get("through", ())) if name]


def is_over(of: Mapping[str, Any], month: str) -> bool:
    """Whether a kind or a field was announced to be gone in a month."""
    return bool(of.get("retired")) and of["retired"] < month


def read_promises(data: Any) -> Promises | None:
    """The promises in the data of a schema.lock.json; None if it has anything else."""
    kinds = data.get("kinds") if isinstance(data, dict) else None
    if not _are_sound(kinds, "has"):
        return None
    sound = all(_are_sound(of.get("fields", {}), "through") for of in kinds.values())
    return kinds if sound else None


def _are_sound(promises: Any, listed: str) -> TypeGuard[Promises]:
    """Whether it is a mapping of mappings; `listed` is the name of a list in these."""
    return isinstance(promises, dict) and all(
        isinstance(of, dict)
        and isinstance(of.get("retired", ""), str)
        and isinstance(of.get(listed, []), list)
        for of in promises.values()
    )
