"""Documents as far as they fit into an answer, with how to go on where they do not.

What is left out is never left out silently: `truncated` and `note` say so, and `next` has the
arguments to add or to replace in the next call.  Knows nothing of what the documents hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from generator.agent.budget import MAX_ANSWER, clipped
from generator.api.problems import QueryError

#: Of a whole result, without what a protocol writes around it.
ROOM = MAX_ANSWER - 1024
#: (bytes of a text, items of a list, keys of an object) in what is shortened; the first that fits
#: is taken.
_ALL = 10**6
_CUTS = (
    (_ALL, _ALL, _ALL),
    *((4000, items, _ALL) for items in (_ALL, 50, 30, 20, 15)),
    *((1000, items, 50) for items in (10, 7, 5)),
    *((300, items, 20) for items in (5, 3)),
    *((100, items, keys) for items, keys in ((2, 20), (1, 20), (0, 8), (0, 0))),
)

_CUT = f"Cut to {MAX_ANSWER // 1024} KiB."
_GO_ON = "Call again with the same arguments and those of next."

Document = dict[str, Any]


class Reply(NamedTuple):
    """An answer as a document, and as text for who takes no documents."""

    document: Document
    text: str

    @property
    def size(self) -> int:
        """Bytes of both in one JSON document."""
        return len(orjson.dumps([self.document, self.text]))


def _json(document: Document) -> Reply:
    return Reply(document, orjson.dumps(document).decode())


def rows(
    head: Document,
    values: Any,
    start: int,
    here: Document | None = None,
    after: Document | None = None,
) -> Reply:
    """The items of a list, or the characters of a text, from `start` (1 is the first) as far as
    there is room.

    `here` and `after` are the arguments to go on with: within the rest of these, and behind all of
    these.
    """
    if start > max(1, len(values)):
        raise QueryError("invalid-parameter", f"start is at most {max(1, len(values))} here.")

    def answer(shown: Any, whole: bool = True) -> Reply:
        end = start - 1 + len(shown)
        left = len(values) - end
        notes = [] if whole else [f"Number {start} is shortened."]
        notes += [f"{left} of {len(values)} are left."] if left else []
        document = {
            **head,
            "start": start,
            "count": len(shown),
            "truncated": bool(notes),
            "data": shown,
        }
        if notes:
            document["note"] = " ".join([_CUT, *notes, *([_GO_ON] if left else [])])
        document["next"] = {**(here or {}), "start": end + 1} if left else after
        return _json(document)

    rest = values[start - 1 :]
    few, many = 0, len(rest)
    while few < many:  # The greatest number that fits is from few to many.
        middle = (few + many + 1) // 2
        few, many = (middle, many) if answer(rest[:middle]).size <= ROOM else (few, middle - 1)
    if few or not rest:
        return answer(rest[:few])
    for shorter, _ in _shorter({"item": rest[0]}):
        found = answer([shorter["item"]], whole=False)
        if found.size <= ROOM:
            break
    return found


def parts(head: Document, data: Document, name: str, given: Mapping[str, Any]) -> Reply:
    """An object, with its long parts shortened; or the part that the argument `name` asks for, from
    its `start`.
    """
    if name not in given:
        return shortened(head, data, name)
    if given[name] not in data:
        raise QueryError("not-found", f'There is no {name} "{given[name]}" here.', tuple(data))
    value = data[given[name]]
    if isinstance(value, Mapping):
        value = list(_entries(value))
    elif not isinstance(value, list | str):
        value = [value]
    return rows({**head, name: given[name]}, value, given["start"], {name: given[name]})


def _entries(value: Mapping[str, Any]) -> Iterator[Document]:
    """The entries of an object, one for each item where they are lists."""
    for key, part in value.items():
        for item in part if isinstance(part, list) else [part]:
            yield {"key": key, "value": item}


def shortened(head: Document, data: Document, name: str, without: Sequence[str] = ()) -> Reply:
    """An object as far as there is room, with the names of the parts that are not whole, those
    `without` something among them.

    The argument `name` gives one of them whole.
    """
    for shown, cut in _shorter(data):
        cut = list(dict.fromkeys((*cut, *without)))
        document = {**head, "truncated": bool(cut), "data": shown}
        if cut:
            document["cut"] = cut
            document["note"] = (
                f"{_CUT} What is named in cut is not whole; {name} gives one of these. {_GO_ON}"
            )
        document["next"] = {name: cut[0]} if cut else None
        found = _json(document)
        if found.size <= ROOM:
            break
    return found


def _shorter(data: Document) -> Iterator[tuple[Document, list[str]]]:
    """An object shortened more and more, each time with the names of parts that are not whole."""
    for cut in _CUTS:
        shown = {key: _short(value, *cut) for key, value in data.items()}
        yield shown, [key for key in data if shown[key] != data[key]]


def _short(value: Any, text: int, items: int, keys: int) -> Any:
    if isinstance(value, str):
        return clipped(value, text)
    if isinstance(value, list):
        return [_short(item, text, items, keys) for item in value[:items]]
    if isinstance(value, dict):
        return {key: _short(part, text, items, keys) for key, part in list(value.items())[:keys]}
    return value
