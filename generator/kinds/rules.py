"""The rules of what a registry declares of kinds (`kinds.own`): for authors of registry.yaml, and
for readers of a document that somebody else publishes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from generator.kinds import Kinds
from generator.kinds.own import (
    HAS,
    LIST_TYPES,
    PAGED_TYPES,
    RANGE_TYPES,
    filter_of,
    kind_name,
    kind_settings,
)
from generator.kinds.types import COLLECTION
from generator.problems.diagnostic import nearest_word
from generator.problems.faults import Loc
from generator.text.words import fold

#: Own kinds, fields of a kind, relations of a kind, and the characters of a name.
MAX_KINDS, MAX_FIELDS, MAX_RELATIONS, MAX_NAME = 12, 50, 8, 30
#: Endings of the names of schemas of a kind.
_ENDINGS = ("list", "rows", "count")
#: Setting of a field -> the types of fields that may have it.
TYPES_WITH: Mapping[str, Sequence[str]] = {
    "many": LIST_TYPES,
    "unit": ("number",),
    "filter": (*PAGED_TYPES, *RANGE_TYPES, "record"),
    "sort": RANGE_TYPES,
    "values": ("choice",),
    "currency": ("money",),
    "of": ("record",),
    "reverse": ("record",),
    "through": ("record",),
}


class Broken(NamedTuple):
    """A rule that a declaration breaks: the place in registry.yaml, the code of the problem, the
    message, which follows the place, and the hint.
    """

    loc: Loc
    code: str
    message: str
    hint: str | None = None


@cache
def reserved_words() -> Mapping[str, frozenset[str]]:
    """The words that declarations cannot take, by what the contract uses or keeps them for."""
    path = Path(__file__).with_name("reserved-words.json")
    return {group: frozenset(words) for group, words in json.loads(path.read_bytes()).items()}


def names_in(data: Any, first: Kinds) -> Kinds:
    """The kinds that the data of registry.yaml names, faults or not: `first` are those of modules.
    It decides which folders have records, and files beside these.
    """
    data = data if isinstance(data, dict) else {}
    kinds, gone = data.get("kinds"), data.get("without_kinds")
    named, taken = dict[str, dict[str, Any]](), {*first.collection_of}
    for name, of in kinds.items() if isinstance(kinds, dict) else ():
        if not isinstance(name, str) or not is_name(name) or name in first:
            continue
        of = of if isinstance(of, dict) else {}
        ones = [one for one in (of.get("one"), name) if isinstance(one, str) and is_name(one)]
        one = next((one for one in ones if kind_name(one) not in taken), None)
        if one is not None:
            named[name] = {"one": one} | _with_files(of)
            taken.add(kind_name(one))
    left_out = [name for name in first if isinstance(gone, list) and name in gone]
    if isinstance(gone, list) and len(left_out) < len(gone):
        left_out = []  # a fault: their records stay, and no reference to them is one
    if len(left_out) == len(first) and not named:
        return first
    return first.having({}, named, left_out) if named or left_out else first


def names_in_lines(text: str) -> dict[str, Any]:
    """What `names_in` takes, of a registry.yaml that is no YAML."""
    block = re.search(r"^kinds:.*\n((?:[ \t].*\n|[ \t]*(?:#.*)?\n)*)", f"{text}\n", re.M)
    keys = re.findall(r"^([ \t]+)([a-z][a-z0-9-]*):", block[1], re.M) if block else []
    least = min((indent for indent, _ in keys), key=len, default="")
    gone = re.search(r"^without_kinds: *\[([a-z, ]*)\]", text, re.M)
    return {
        "kinds": {name: {} for indent, name in keys if len(indent) == len(least)},
        "without_kinds": re.findall("[a-z]+", gone[1]) if gone else None,
    }


def _with_files(of: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a kind whose records may have a file beside them."""
    has = of.get("has")
    parts = [part for part in HAS if isinstance(has, list) and part in has]
    return {"has": parts} if "logo" in parts else {}


def is_name(text: str) -> bool:
    """Whether a text has the form of a collection's name."""
    return len(text) <= MAX_NAME and re.fullmatch(COLLECTION[1:-1], text, re.ASCII) is not None


def broken_rules(
    first: Kinds,
    fields: Mapping[str, Mapping[str, Mapping[str, Any]]],
    kinds: Mapping[str, Mapping[str, Any]],
    left_out: Sequence[str],
    families: Sequence[str] | None = None,
) -> Iterator[Broken]:
    """What breaks a rule; settings have the right types, and all names their patterns.  `first` are
    the kinds of modules, `families` the tag families, None if they are not known.
    """
    found = [*_broken_kinds(first, kinds, left_out)]
    yield from found
    if not found:
        kinds = {name: kind_settings(of) for name, of in kinds.items()}
        yield from _Fields(first, fields, kinds, left_out, families).broken()


def _broken_kinds(
    first: Kinds, kinds: Mapping[str, Mapping[str, Any]], left_out: Sequence[str]
) -> Iterator[Broken]:
    for i, name in enumerate(left_out):
        loc: Loc = ("without_kinds", i)
        if name not in first:
            near = nearest_word(name, list(first))
            hint = f'did you mean "{near}"?' if near else f"write some of {', '.join(first)}"
            yield Broken(loc, "unknown-kind", f'there is no kind "{name}" to leave out', hint)
        elif name in left_out[:i]:
            yield Broken(loc, "invalid-declaration", f"{name} are left out already", "remove it")
    if not kinds and not first.keys() - set(left_out):
        message = "nothing would be left: a registry needs a kind"
        hint = (
            "declare one in kinds; for `registry new --kind` remove this line, and write it again "
            "when the kind is declared"
        )
        yield Broken(("without_kinds",), "invalid-declaration", message, hint)
    if len(kinds) > MAX_KINDS:
        message = f"{len(kinds)} kinds are too many: a registry may declare {MAX_KINDS}"
        yield Broken(("kinds",), "invalid-declaration", message, "join kinds that are much alike")
    taken = {name: f"the collection {name}" for name in first} | {
        of.kind: f"the kind of {name}" for name, of in first.items()
    }
    for name, of in kinds.items():
        for loc, word in ((("kinds", name), name), (("kinds", name, "one"), of["one"])):
            if loc[-1] == "one" and word == name:
                continue  # as in one sheep, two sheep
            if broken := _reserved(word, taken, _of_kinds(), f"own-{word}"):
                yield Broken(loc, "reserved-word", *broken)
            taken.setdefault(word, f"a name of {name}")
            taken.setdefault(kind_name(word), f"a name of {name}")


#: What no filter begins with: others do.
_OF_FILTERS = frozenset(("tag", "field"))


def _of_kinds() -> frozenset[str]:
    """What no kind begins with: names of schemas and addresses would be alike."""
    groups = reserved_words()
    return groups["kinds"] | groups["addresses"] | groups["parameters"] | _OF_FILTERS


def _reserved(
    word: str, taken: Mapping[str, str], heads: Container[str], better: str
) -> tuple[str, str] | None:
    """Why a word cannot be a collection, a kind or a filter, with the hint, to write a `better`
    word; it must not begin with one of `heads` and a hyphen.
    """
    spelled = {word, word.replace("-", "_"), word.replace("_", "-")}
    other = f"choose another word, like {better}"
    for name in spelled & taken.keys():
        return f'"{word}" is {taken[name]}', other
    for group, words in reserved_words().items():
        if spelled & words:
            why = "kept for later versions" if group == "kept" else "a word of this API"
            return f'"{word}" is reserved: it is {why}', other
    head = re.split("[-_]", word)[0]
    if head != word and head in heads:
        message = f'"{word}" begins with the reserved word "{head}"'
        return message, other
    if re.split("[-_]", word)[-1] in _ENDINGS and head != word:
        return f'"{word}" ends like the name of a document', f"choose another word, like {word}s"
    return None


def _nearest_field(
    word: str, names: Sequence[str], declared: Mapping[str, Mapping[str, Any]]
) -> str | None:
    """The name that is nearest to a word, by itself or by the label of its field."""
    labels = {fold(of["label"]): key for key, of in declared.items() if key in names}
    near = nearest_word(fold(word), [*names, *labels])
    return labels.get(near, near) if near is not None else None


class _Fields:
    """Checks the fields of all kinds, which may refer to each other."""

    def __init__(
        self,
        first: Kinds,
        fields: Mapping[str, Mapping[str, Mapping[str, Any]]],
        kinds: Mapping[str, Mapping[str, Any]],
        left_out: Sequence[str],
        families: Sequence[str] | None,
    ):
        self.kinds, self.families = kinds, families
        # Without fields, what else the kinds have: their filters, and their numbers of records.
        bare = {name: {**of, "fields": {}} for name, of in kinds.items()}
        self.known = first.having({}, bare, left_out)
        self.declared: dict[str, Mapping[str, Mapping[str, Any]]] = {
            name: kinds[name]["fields"] if name in kinds else fields.get(name, {})
            for name in self.known
        }
        #: Collection -> name of a filter -> what has it.
        self.filters = {name: self._first_filters(name) for name in self.known}
        #: Collection -> the numbers of records that refer to its records.
        self.counters: dict[str, set[str]] = {name: set() for name in self.known}

    def _first_filters(self, collection: str) -> dict[str, str]:
        names = [f.filter for f in self.known[collection].filtered if f.type != "tags"]
        return dict.fromkeys(names, f"a filter of all {collection}")

    def loc(self, collection: str, *key: str) -> Loc:
        if collection in self.kinds:
            return "kinds", collection, "fields", *key
        return "fields", collection, *key

    def broken(self) -> Iterator[Broken]:
        for collection, declared in self.declared.items():
            for key, of in declared.items():
                if collection in self.kinds:
                    yield from self._broken_key(collection, key)
                if of["type"] == "record":
                    yield from self._broken_relation(collection, key, of)
                elif of["filter"]:
                    self._take(collection, key if collection in self.kinds else f"field_{key}", key)
            relations = sum(of["type"] == "record" for of in declared.values())
            if relations > MAX_RELATIONS:
                message = f"{relations} relations are too many: a kind may have {MAX_RELATIONS}"
                hint = "put some into a kind of their own"
                yield Broken(self.loc(collection), "invalid-declaration", message, hint)
        for collection, declared in self.declared.items():
            for key, of in declared.items():
                if of["type"] == "record":
                    yield from self._broken_through(collection, key, of)
        for collection, of in self.kinds.items():
            yield from self._broken_kind(collection, of)

    def _take(self, collection: str, name: str, key: str) -> None:
        self.filters[collection].setdefault(name, f"the filter of {key}")

    def _broken_key(self, collection: str, key: str) -> Iterator[Broken]:
        loc, groups = self.loc(collection, key), reserved_words()
        has = {*self.known[collection].common, "fields", "slug", "href", "kind", "counts"}
        if key in HAS:
            hint = f"write {key} into has of kinds.{collection}"
            message = f'"{key}" is a field that kinds share'
            yield Broken(loc, "reserved-word", message, hint)
        elif key in has | groups["parameters"] or key.startswith(("tag_", "field_")):
            message = f'"{key}" is a name of this API, which all kinds have'
            yield Broken(loc, "reserved-word", message, f"choose another name, like own_{key}")
        elif key in groups["kept"]:
            message = f'"{key}" is reserved: it is kept for later versions'
            yield Broken(loc, "reserved-word", message, f"choose another name, like own_{key}")

    def _broken_relation(
        self, collection: str, key: str, of: Mapping[str, Any]
    ) -> Iterator[Broken]:
        loc, target, given = self.loc(collection, key), of["of"], of["filter"]
        if target in self.known.left_out:
            hint = f"remove {target} from without_kinds, or remove this field"
            yield Broken((*loc, "of"), "unknown-kind", f"{target} are left out", hint)
            return
        if not target:
            hint = f"add the kind that it refers to, like of: {next(iter(self.known))}"
            yield Broken(loc, "unknown-kind", "a relation needs of", hint)
            return
        if target not in self.known:
            near = nearest_word(target, list(self.known))
            hint = f'did you mean "{near}"?' if near else f"write one of {', '.join(self.known)}"
            yield Broken((*loc, "of"), "unknown-kind", f'there is no kind "{target}"', hint)
            return
        name = filter_of(of, self.known.kind_of)
        if not name:
            for setting in ("reverse", "through"):
                if of[setting]:
                    message = f"{setting} needs a filter"
                    yield Broken(
                        (*loc, setting), "invalid-declaration", message, "add filter: true"
                    )
            return
        better = f"own_{name}"
        if isinstance(given, str) and (broken := _reserved(name, {}, _OF_FILTERS, better)):
            yield Broken((*loc, "filter"), "reserved-word", *broken)
        elif name in self.filters[collection]:
            message = f'"{name}" is {self.filters[collection][name]} already'
            better = better if key in {name, *self.filters[collection]} else key
            hint = f"give it another name, like filter: {better}"
            yield Broken((*loc, "filter"), "reserved-word", message, hint)
        else:
            self._take(collection, name, key)
            self.counters[target].add(collection if given is True else f"{collection}_{name}")

    def _broken_through(self, collection: str, key: str, of: Mapping[str, Any]) -> Iterator[Broken]:
        target = of["of"]
        if target not in self.known or not of["filter"]:
            return
        name = filter_of(of, self.known.kind_of)
        allowed = self.passable(target)
        for i, beyond in enumerate(of["through"]):
            loc: Loc = (*self.loc(collection, key), "through", i)
            is_tag = self.families is None and beyond.startswith("tag_")
            if beyond not in allowed and not is_tag:
                near = _nearest_field(beyond, allowed, self.declared[target])
                known = f"write some of {', '.join(allowed)}" if allowed else "leave it out"
                message = f'{target} have no filter "{beyond}" whose values are listed'
                hint = f'did you mean "{near}"?' if near else known
                yield Broken(loc, "invalid-choice", message, hint)
            elif f"{name}_{beyond}" in self.filters[collection]:
                message = f'"{name}_{beyond}" is a filter of {collection} already'
                yield Broken(loc, "reserved-word", message, "leave it out")
            else:
                self._take(collection, f"{name}_{beyond}", key)

    def passable(self, collection: str) -> list[str]:
        """The filters of a collection that others may have through a relation."""
        known, own = self.known[collection], collection in self.kinds
        families = [f"tag_{name}" for name in self.families or () if "tags" in known.common]
        first = [f.filter for f in known.filtered if f.type != "tags" and not f.ranged]
        declared = self.declared[collection].items()
        found = [
            k if own else f"field_{k}"
            for k, of in declared
            if of["filter"] and of["type"] in PAGED_TYPES
        ]
        for of in self.declared[collection].values():
            if of["type"] == "record" and of["filter"] and of["of"] in self.known:
                found.append(filter_of(of, self.known.kind_of))
        return [*families, *first, *found]

    def _broken_kind(self, collection: str, of: Mapping[str, Any]) -> Iterator[Broken]:
        kind, where = kind_name(of["one"]), ("kinds", collection)
        named = {name for filters in self.filters.values() for name in filters}
        of_kinds = {declared.kind for declared in self.known.values()}
        for loc, word in ((where, collection), ((*where, "one"), kind)):
            if word in named - of_kinds:
                message = f'"{word}" is the name of a filter'
                yield Broken(loc, "reserved-word", message, "choose another word for one of them")
        for key in of["fields"]:
            if key in self.counters[collection]:
                message = f'"{key}" is the number of {key} that refer to a record'
                hint = f"choose another name, like own_{key}"
                yield Broken(self.loc(collection, key), "reserved-word", message, hint)
        badge = of["badge"]
        if badge and badge not in {**of["fields"], **self.known[collection].common}:
            near = _nearest_field(badge, list(of["fields"]), of["fields"])
            hint = f'did you mean "{near}"?' if near else "write a field of this kind"
            yield Broken((*where, "badge"), "invalid-choice", f'there is no field "{badge}"', hint)
