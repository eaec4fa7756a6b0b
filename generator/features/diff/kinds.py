"""Compares the kinds of two states, each as its own index tells them.

A filter, an order or an address of a kind that is gone is no finding of its own, nor is anything of
what was announced to be gone by now (`retired`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from generator.grammar import paths
from generator.guard.finding import Finding, Node
from generator.guard.published import PublishedState
from generator.kinds.declare import Field
from generator.kinds.own import field_settings


class KindChanges:
    """The kinds of an older and of a newer state."""

    def __init__(self, old: PublishedState, new: PublishedState):
        self._states, self.old, self.new = (old, new), old.grammar.kinds, new.grammar.kinds
        #: The month of the newer state.
        self.month = new.document(paths.BUILD)["as_of"].text[:7]
        #: The collections that the newer state lacks, and those of them that were announced.
        self.gone = [name for name in self.old if name not in self.new]
        self.announced = [name for name in self.gone if self._is_over(self.old[name].retired)]

    def _is_over(self, retired: str) -> bool:
        return bool(retired) and retired < self.month

    def pairs(self) -> Iterator[tuple[str, Node, Node]]:
        """The name of each kind of the older state, and its part of both indexes.  The first four
        kinds are there even if an index names no kinds.
        """
        for name in self.old:
            nodes = []
            for state in self._states:
                node = state.document(paths.INDEX).at("kinds", name)
                known = state.grammar.kinds
                nodes.append(node.filled({"kind": known[name].kind}) if name in known else node)
            yield name, nodes[0], nodes[1]

    def own_fields(self) -> Iterator[tuple[str, Node, Node]]:
        """The own fields of each kind that both states have, with all of their settings."""
        whole = [state.document(paths.INDEX).at("data", "fields") for state in self._states]
        for name, before, after in self.pairs():
            if name in self.gone:
                continue
            if not self.old[name].is_own:
                yield name, whole[0][name], whole[1][name]
                continue
            a, b = before["fields"], after["fields"]
            yield name, _complete(a), _complete(b.filled({}))

    @cached_property
    def ended(self) -> Mapping[str, frozenset[str]]:
        """Collection -> the names of fields, filters and numbers that end without a finding."""
        found: dict[str, set[str]] = {name: set() for name in self.old}
        for name, of in self.old.items():
            gone = (f for f in of.filtered if f.refers in self.gone)
            found[name].update(*map(_names, gone))
            now = self.new.get(name)
            lost = _lost(of.counters, now.counters if now else ())
            found[name].update(f.path[-1] for f in lost)
            for f in _lost(of.own, now.own if now else ()):
                if self._is_over(f.retired):
                    found[name].update(_names(f))
        for name, of in self.old.items():
            for f in of.own:
                beyond = [word for word in f.through if word in found.get(f.refers, ())]
                found[name].update(f"{f.filter}_{word}" for word in beyond)
        return {name: frozenset(names) for name, names in found.items()}

    def covers(self, subject: str, *names: str) -> bool:
        """Whether a part with one of these names only follows from what is gone.  The subject of a
        part names its collection, or none if the part belongs to all.
        """
        words = [name.lstrip("-") for name in names]
        if any(self._collection_in(name) in self.gone or name in self.gone for name in words):
            return True
        collection = self._collection_in(subject) or subject.partition(" ")[0]
        if collection in self.gone:
            return True
        known = self.ended.get(collection)
        ended = frozenset().union(*self.ended.values()) if known is None else known
        return not ended.isdisjoint(words)

    def _collection_in(self, text: str) -> str:
        """The collection of an address; "" if the text has none."""
        for name, collection in self._states[0].grammar.collections.items():
            address = rf"{re.escape(collection.root)}(?=[/.{{ ]|$)|/(?:context|index)/{name}/"
            if re.search(address, text):
                return name
        return ""

    def follows(self, finding: Finding) -> bool:
        """Whether a finding about the schema of an answer only follows from what is gone, or from
        another kind in documents, which is a finding of its own.
        """
        last = finding.subject.rpartition(".")[2]
        if finding.rule in ("word-gone", "word-added"):
            kinds = {self.old[name].kind for name in self.old if self._is_renamed(name)}
            kinds |= {self.new[name].kind for name in self.old if self._is_renamed(name)}
            words = {str(value) for value in (finding.was, finding.now)}
            return any(re.fullmatch(f"{kind}(_list|_rows|_count)?", w)
                       for kind in kinds for w in words)  # fmt: skip
        return finding.rule == "key-gone" and self.covers("", last)

    def _is_renamed(self, name: str) -> bool:
        return name in self.new and self.old[name].kind != self.new[name].kind


def _complete(fields: Node) -> Node:
    """Fields with all settings, of which an index leaves out those with their defaults."""
    known = {
        key: field_settings(of.value) if isinstance(of.value, dict) else of.value
        for key, of in fields.members.items()
    }
    return Node(fields.path, known, fields.keys, fields.whole) if fields else fields


def _lost(before: tuple[Field, ...], now: tuple[Field, ...]) -> Iterator[Field]:
    kept = {f.path[-1] for f in now}
    return (f for f in before if f.path[-1] not in kept)


def _names(f: Field) -> set[str]:
    """The names of a field: its own, its filters and its orders."""
    through = (f"{f.filter}_{beyond}" for beyond in f.through)
    return {f.name, f.path[-1], f.filter, *through}
