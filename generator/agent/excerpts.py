"""Shorten documents to fit into an answer, and say how to get the rest.

A shortened answer has `truncated`, a `note`, and `next`, the call for the rest. Knows nothing about
the content of the documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from generator.grammar.limits import MAX_ANSWER, clip
from generator.grammar.refusals import QueryError

#: Bytes of an answer, without the envelope of the protocol.
ROOM = MAX_ANSWER - 1024
#: (bytes of a text, items of a list, keys of an object); the first that makes the answer fit is
#: used.
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
    """A call of a tool with its arguments."""

    tool: str
    arguments: Mapping[str, Any]

    def with_changes(self, **changed: Any) -> Document:
        """The same call with some arguments changed."""
        return {"tool": self.tool, "arguments": {**self.arguments, **changed}}


def encode_answer(document: Document) -> str:
    """The answer as JSON text, which every client passes to its model."""
    return orjson.dumps(document).decode()


def encoded_size(text: str) -> int:
    """Bytes of a text inside the JSON of the protocol."""
    return len(orjson.dumps(text))


def most_that_fit(limit: int, answer: Callable[[int], str]) -> int:
    """The largest n up to `limit` whose `answer(n)` fits into ROOM, by bisection; else 0."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if encoded_size(answer(middle)) <= ROOM else (low, middle - 1)
    return low


def fit_rows(
    head: Document,
    values: Any,
    start: int,
    total: int,
    call: Call,
) -> str:
    """The items of a list, or the characters of a text, as many as fit.

    `values` are the requested items from number `start` on (1 is the first), of `total`. `next` is
    `call` with the start of the rest.
    """

    def answer(shown: Any, is_whole: bool = True) -> str:
        end = start - 1 + len(shown)
        notes = [] if is_whole else [f"Number {start} is shortened."]
        if len(shown) < len(values):
            notes.append(f"{total - end} of {total} are left.")
        counts = {"start": start, "count": len(shown), "truncated": bool(notes)}
        document = {**head, **counts, "data": shown}
        if notes:
            document["note"] = " ".join([_CUT, *notes])
        has_more = end < total and bool(shown)
        document["next"] = call.with_changes(start=end + 1) if has_more else None
        return encode_answer(document)

    count = most_that_fit(len(values), lambda n: answer(values[:n]))
    if count or not values:
        return answer(values[:count])
    for shorter, _ in _shortened_versions({"item": values[0]}):
        text = answer([shorter["item"]], is_whole=False)
        if encoded_size(text) <= ROOM:
            break
    return text


def fit_all_rows(head: Document, values: Any, start: int, call: Call) -> str:
    """The items of a whole list or text from `start` on, as many as fit. Raises QueryError."""
    if start > max(1, len(values)):
        raise start_error(len(values))
    return fit_rows(head, values[start - 1 :], start, len(values), call)


def start_error(total: int) -> QueryError:
    """The error for a `start` after the last item."""
    return QueryError("invalid-parameter", f"start must be at most {max(1, total)} here.")


def fit_parts(head: Document, data: Document, name: str, call: Call, start: int) -> str:
    """An object with its long parts shortened; or, if the call has the argument `name`, the part
    with that name from `start` on. Raises QueryError.
    """
    if name not in call.arguments:
        return fit_object(head, data, name, call)
    part = call.arguments[name]
    if part not in data:
        raise QueryError("not-found", f'There is no {name} "{part}" here.', tuple(data))
    value = data[part]
    if isinstance(value, Mapping):
        value = list(_entries(value))
    elif not isinstance(value, list | str):
        if start > 1:
            raise start_error(1)
        return encode_answer({**head, name: part, "truncated": False, "data": value, "next": None})
    return fit_all_rows({**head, name: part}, value, start, call)


def _entries(value: Mapping[str, Any]) -> Iterator[Document]:
    """The entries of an object; an entry with a list gives one entry per item."""
    for key, part in value.items():
        for item in part if isinstance(part, list) else [part]:
            yield {"key": key, "value": item}


def fit_object(
    head: Document,
    data: Document,
    name: str,
    call: Call,
    without: Sequence[str] = (),
    instead: Document | None = None,
) -> str:
    """An object, shortened to fit, with the names of its incomplete parts. `without` are names of
    parts that the caller shortened. The argument `name` asks for one part, as a list if the call
    has a list. If nothing is shortened, `next` is `instead`.
    """
    is_list = isinstance(call.arguments.get(name), list)
    for shown, cut in _shortened_versions(data):
        cut = list(dict.fromkeys((*cut, *without)))
        document = {**head, "truncated": bool(cut), "data": shown}
        if cut:
            document["cut"] = cut
            document["note"] = (
                f"{_CUT} What is named in cut is not whole; {name} gives one of these."
            )
        # A call for a list with a single part would give the same answer again.
        if cut and not (is_list and len(data) == 1):
            document["next"] = call.with_changes(**{name: cut[:1] if is_list else cut[0]})
        else:
            document["next"] = instead
        text = encode_answer(document)
        if encoded_size(text) <= ROOM:
            break
    return text


def _shortened_versions(data: Document) -> Iterator[tuple[Document, list[str]]]:
    """An object, shortened more with each item, with the names of the incomplete parts."""
    for cut in _CUTS:
        shown = {key: _shorten(value, *cut) for key, value in data.items()}
        yield shown, [key for key in data if shown[key] != data[key]]


def _shorten(value: Any, text: int, items: int, keys: int) -> Any:
    if isinstance(value, str):
        return clip(value, text)
    if isinstance(value, list):
        return [_shorten(item, text, items, keys) for item in value[:items]]
    if isinstance(value, dict):
        return {key: _shorten(part, text, items, keys) for key, part in list(value.items())[:keys]}
    return value
