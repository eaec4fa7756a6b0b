"""Documents as far as they fit into an answer, with how to go on where they do not.

What is left out is never left out silently: `truncated` and `note` say so, and `next` is the call
to make for the rest.  Knows nothing of what the documents hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from generator.grammar.limits import MAX_ANSWER, clipped
from generator.grammar.refusals import QueryError

#: Of a whole answer as it is sent, without what a protocol writes around it.
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

_CUT = f"Cut to fit {MAX_ANSWER // 1024} KiB."

Document = dict[str, Any]


class Call(NamedTuple):
    """What was called: a tool with the arguments that were given for it."""

    tool: str
    arguments: Mapping[str, Any]

    def again(self, **changed: Any) -> Document:
        """The same call with some arguments others."""
        return {"tool": self.tool, "arguments": {**self.arguments, **changed}}


def text_of(document: Document) -> str:
    """A document as it is answered: JSON, which every client hands to its model."""
    return orjson.dumps(document).decode()


def size(text: str) -> int:
    """Bytes of a text within the JSON of a protocol."""
    return len(orjson.dumps(text))


def rows(
    head: Document,
    values: Any,
    start: int,
    total: int,
    call: Call,
    instead: Document | None = None,
) -> str:
    """The items of a list, or the characters of a text, as far as there is room.

    `values` are those from number `start` on (1 is the first) that were asked for, of `total`;
    `call` goes on behind what is shown.  `instead` is the call to make where nothing is left.
    """

    def answer(shown: Any, whole: bool = True) -> str:
        end = start - 1 + len(shown)
        notes = [] if whole else [f"Number {start} is shortened."]
        if len(shown) < len(values):
            notes.append(f"{total - end} of {total} are left.")
        document = {
            **head,
            "start": start,
            "count": len(shown),
            "truncated": bool(notes),
            "data": shown,
        }
        if notes:
            document["note"] = " ".join([_CUT, *notes])
        goes_on = end < total and bool(shown)
        document["next"] = call.again(start=end + 1) if goes_on else instead
        return text_of(document)

    few, many = 0, len(values)
    while few < many:  # The greatest number that fits is from few to many.
        middle = (few + many + 1) // 2
        few, many = (middle, many) if size(answer(values[:middle])) <= ROOM else (few, middle - 1)
    if few or not values:
        return answer(values[:few])
    for shorter, _ in _shorter({"item": values[0]}):
        text = answer([shorter["item"]], whole=False)
        if size(text) <= ROOM:
            break
    return text


def all_rows(head: Document, values: Any, start: int, call: Call) -> str:
    """Of a whole list or text what there is room for, from `start` on.  Raises QueryError."""
    if start > max(1, len(values)):
        raise beyond(len(values))
    return rows(head, values[start - 1 :], start, len(values), call)


def beyond(total: int) -> QueryError:
    """That a `start` is behind the last item."""
    return QueryError("invalid-parameter", f"start must be at most {max(1, total)} here.")


def parts(head: Document, data: Document, name: str, call: Call, start: int) -> str:
    """An object, with its long parts shortened; or the part that the argument `name` asks for, from
    `start` on.  Raises QueryError.
    """
    if name not in call.arguments:
        return shortened(head, data, name, call)
    part = call.arguments[name]
    if part not in data:
        raise QueryError("not-found", f'There is no {name} "{part}" here.', tuple(data))
    value = data[part]
    if isinstance(value, Mapping):
        value = list(_entries(value))
    elif not isinstance(value, list | str):
        value = [value]
    return all_rows({**head, name: part}, value, start, call)


def _entries(value: Mapping[str, Any]) -> Iterator[Document]:
    """The entries of an object, one for each item where they are lists."""
    for key, part in value.items():
        for item in part if isinstance(part, list) else [part]:
            yield {"key": key, "value": item}


def shortened(
    head: Document, data: Document, name: str, call: Call, without: Sequence[str] = ()
) -> str:
    """An object as far as there is room, with the names of the parts that are not whole, those
    `without` something among them.

    The argument `name` gives one of them whole; it is a list of names where the call has one.
    """
    several = isinstance(call.arguments.get(name), list)
    for shown, cut in _shorter(data):
        cut = list(dict.fromkeys((*cut, *without)))
        document = {**head, "truncated": bool(cut), "data": shown}
        if cut:
            document["cut"] = cut
            document["note"] = (
                f"{_CUT} What is named in cut is not whole; {name} gives one of these."
            )
        # Of one part alone there is no more to be had by asking for it alone.
        leads_on = bool(cut) and not (several and len(data) == 1)
        onward = {name: cut[:1] if several else cut[0]} if leads_on else {}
        document["next"] = call.again(**onward) if leads_on else None
        text = text_of(document)
        if size(text) <= ROOM:
            break
    return text


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
