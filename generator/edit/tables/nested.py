"""Finds rows in the data of a document: in lists at a path, nested in each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from generator.edit.tables.sheet import SheetFile, UnreadableTable, unreadable
from generator.problems.diagnostic import suggest_word
from generator.problems.faults import shorten

#: A step of the path of rows: a key, and whether its items or the values of its mapping are next.
_is_step = re.compile(r"(.*?)(\[\]|\{\})?", re.S).fullmatch
#: (key, value, index) of the items of a value at an index.
Items = Callable[[Any, int], Iterator[tuple[str, Any, int]]]


def paths_of_rows(
    value: Mapping[str, Any], prefix: str, depth: int = 0
) -> Iterator[tuple[str, int]]:
    """The paths of lists and mappings of rows in a mapping, with their numbers of rows."""
    for key, inner in {"": value, **value}.items():
        items = list(inner.values()) if isinstance(inner, dict) else inner
        if not isinstance(items, list) or not items or not all(isinstance(i, dict) for i in items):
            if key and isinstance(inner, dict) and depth < 4:
                yield from paths_of_rows(inner, f"{prefix}{key}.", depth + 1)
            continue
        path = f"{prefix}{key}{'{}' if isinstance(inner, dict) else '[]'}"
        if isinstance(inner, list) or len(items) > 1:
            yield path, len(items)
            nested = Counter[str]()
            for item in items if depth < 4 and key else ():
                nested.update(dict(paths_of_rows(item, f"{path}.", depth + 1)))
            yield from nested.items()


def read_step(part: str) -> tuple[str, str]:
    match = _is_step(part)
    return (match[1], match[2] or "") if match else (part, "")


_NO_LIST = "one object a line is --format ndjson; of one record write [ before and ] after it"


class Walk:
    """Finds the rows of a document.  A row is nested in the values of `outer`, by their names."""

    def __init__(self, file: SheetFile, items: Items, within: str, single: bool):
        self.file, self.items, self.within, self.single = file, items, within, single

    def rows(
        self,
        value: Any,
        begin: int,
        steps: Sequence[tuple[str, str]],
        outer: Mapping[str, Any],
        name: str = "document",
    ) -> Iterator[tuple[int, Any, Mapping[str, Any]]]:
        """(index, row, outer) of each row in a value; `name` is that of the value as an outer."""
        if not steps:
            if isinstance(value, list):
                yield from ((at, row, outer) for _, row, at in self.items(value, begin))
            elif self.single:
                yield begin, value, outer
            else:
                raise self._no_list(value, begin)
            return
        (key, many), *rest = steps
        inner, at = value, begin
        if key:
            found = self._find(value, begin, key, bool(outer))
            if found is None:
                return
            inner, at = found
            own = {k: v for k, v in value.items() if k != key}
            outer = {**outer, name: own}
        if not many:
            yield from self.rows(inner, at, rest, outer, key)
            return
        if not isinstance(inner, list if many == "[]" else dict):
            kind = "a list" if many == "[]" else "a mapping of rows"
            raise unreadable_at(self.file, at, f'"{shorten(key)}" is not {kind}')
        for word, item, index in self.items(inner, at):
            around = outer if many == "[]" else {**outer, "key": word}
            if rest:
                yield from self.rows(item, index, rest, around, key or "document")
            else:
                yield index, item, around

    def _find(self, value: Any, begin: int, key: str, is_inner: bool) -> tuple[Any, int] | None:
        """The value of a key and its index; None if an inner mapping does not have it."""
        is_object = isinstance(value, dict)
        for word, inner, at in self.items(value, begin) if is_object else ():
            if word == key:
                return inner, at
        if is_object and is_inner:
            return None
        hint = suggest_word(key, value, max_words=0) if is_object else None
        message = f'there is no "{shorten(key)}" here{"" if is_object else ": this is no object"}'
        raise unreadable_at(self.file, begin, message, hint)

    def _no_list(self, value: Any, begin: int) -> UnreadableTable:
        if not isinstance(value, dict):
            return unreadable_at(self.file, begin, "this is not a list of rows")
        lists = [key for key, inner in value.items() if isinstance(inner, list)]
        if not lists and len(value) > 1 and all(isinstance(v, dict) for v in value.values()):
            lists = ["{}"]
        names = [".".join(filter(None, (self.within, name))) for name in lists[:5]]
        choices = " or ".join(f'"{name}"' for name in names)
        hint = f"say in the map where the rows are: rows: {choices}" if choices else _NO_LIST
        return unreadable_at(self.file, begin, "this is one object, not a list of rows", hint)


def unreadable_at(
    file: SheetFile, index: int, message: str, hint: str | None = None
) -> UnreadableTable:
    return unreadable(file.path, *file.place(index), message, hint)
