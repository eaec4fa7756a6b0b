"""Limits for a registry's own templates: processor time for a page, and sizes of texts.

Templates come with the content, and `{{ "x" * 10 ** 9 }}` is a valid one.  Sizes are checked before
a text is created, at each operator, method and filter whose result can be much longer than its
arguments.  The main thread has a limit of processor time; in another thread the limit is of time,
because the system signals no other thread.
"""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import re
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any

from jinja2 import TemplateRuntimeError, runtime

#: Characters of one text, characters of all texts of a page, bits of a whole number, and seconds of
#: processor time for a page.
MAX_TEXT, MAX_PAGE, MAX_BITS, MAX_SECONDS = 16 << 20, 128 << 20, 4096, 20.0
#: Seconds until a page that caught the first error is stopped again.
_RETRY = 1.0
_HAS_WIDTH = re.compile(r"[0-9]{5}|\*|:[^{}]*\{").search
_page = threading.local()


class TooMuch(TemplateRuntimeError):
    """A template takes too much time or makes too long a text."""


class TooLong(TooMuch):
    """A template takes too much time."""

    def __init__(self) -> None:
        super().__init__(f"this takes more than {MAX_SECONDS:.0f} s for one page")


@contextlib.contextmanager
def limit_page() -> Iterator[None]:
    """Limit the rendering of one page.  Raises TooMuch."""
    _page.spent = 0
    if threading.current_thread() is threading.main_thread():
        with _limit_main_thread():
            yield
    else:
        with _limit_thread():
            yield


@contextlib.contextmanager
def _limit_thread() -> Iterator[None]:
    thread, lock, ended = threading.get_ident(), threading.Lock(), threading.Event()

    def watch() -> None:
        seconds = MAX_SECONDS
        while not ended.wait(seconds):
            with lock:
                if not ended.is_set():
                    _raise_in(thread, TooLong)
            seconds = _RETRY

    threading.Thread(target=watch, name="limit", daemon=True).start()
    try:
        try:
            yield
        finally:
            ended.set()
    finally:  # the exception may come in the other `finally`
        with lock:
            ended.set()
            _raise_in(thread, None)


def _raise_in(thread: int, error: type[Exception] | None) -> None:
    """Raise an exception in a thread; None takes back one that the thread has not noticed."""
    argument = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), argument)


@contextlib.contextmanager
def _limit_main_thread() -> Iterator[None]:
    def stop(number: int, frame: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    try:
        signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS, _RETRY)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def spend(size: int) -> None:
    """Count a text or list of this size before it is created.  Raises TooMuch."""
    _page.spent = getattr(_page, "spent", 0) + size
    if size > MAX_TEXT:
        raise TooMuch(f"this makes a text or list of {size:,} characters; {MAX_TEXT:,} are allowed")
    if _page.spent > MAX_PAGE:
        raise TooMuch(f"one page makes texts and lists of more than {MAX_PAGE:,} characters")


def concat(parts: Iterable[str]) -> str:
    """The joined texts.  Raises TooMuch."""
    checked = []
    size = 0
    for part in parts:
        size += len(part)
        if size > MAX_TEXT:
            spend(size)
        checked.append(part)
    spend(size)
    return "".join(checked)


def _total_size(values: Iterable[Any]) -> int:
    return sum(len(value) if isinstance(value, str) else 1 for value in values)


def str_join(values: Iterable[Any]) -> str:
    values = list(values)
    spend(_total_size(values))
    return runtime.str_join(values)


def markup_join(values: Iterable[Any]) -> str:
    values = list(values)
    spend(_total_size(values))
    return runtime.markup_join(values)


def _is_text(value: Any) -> bool:
    return isinstance(value, str | bytes | list | tuple)


#: The operators whose results are checked.
OPERATORS = frozenset(("*", "**", "+", "%"))


def check_operator(operator: str, left: Any, right: Any) -> None:
    """Raises TooMuch if the result would be too large."""
    if operator == "*":
        for text, times in ((left, right), (right, left)):
            if _is_text(text) and isinstance(times, int):
                spend(len(text) * max(times, 0))
    if operator == "+" and _is_text(left) and _is_text(right):
        spend(len(left) + len(right))
    if operator == "%" and isinstance(left, str):
        _check_format(left)
    if isinstance(left, int) and isinstance(right, int):
        bits = left.bit_length() + right.bit_length()
        if operator == "**":
            bits = left.bit_length() * max(right, 0)
        if operator in ("*", "**") and bits > MAX_BITS:
            raise TooMuch(f"this makes a number of {bits:,} bits; {MAX_BITS:,} are allowed")


def _check_format(text: str) -> None:
    if _HAS_WIDTH(text.replace("%%", "")):
        raise TooMuch("a format with a width of five digits, or one from a value, is not allowed")


def _number(value: Any) -> int:
    """A number itself, or the length of a value."""
    if isinstance(value, int):
        return max(value, 0)
    return len(value) if hasattr(value, "__len__") else 1


def _replaced_size(text: Any, new: Any) -> int:
    """The largest size of a text after something in it is replaced by `new`."""
    return (len(str(text)) + 1) * max(len(str(new)), 1)


#: The size of the result, from the arguments, for methods of texts and for filters.
_METHODS: dict[str, Callable[..., int]] = {
    "join": lambda text, values: _total_size(values) + len(text) * len(values),
    "replace": lambda text, old, new, *count: _replaced_size(text, new),
    "expandtabs": lambda text, tabsize=8: len(text) + text.count("\t") * _number(tabsize),
    **{
        name: lambda text, width, *fill: max(len(text), _number(width))
        for name in ("center", "ljust", "rjust", "zfill")
    },
}
_FILTERS: dict[str, Callable[[dict[str, Any]], int]] = {
    "center": lambda args: max(len(str(args["value"])), _number(args["width"])),
    "indent": lambda args: (str(args["s"]).count("\n") + 2) * _number(args["width"]),
    "replace": lambda args: _replaced_size(args["s"], args["new"]),
    "wordwrap": lambda args: _replaced_size(args["s"], args["wrapstring"] or ""),
    "batch": lambda args: _number(args["linecount"]),
    "slice": lambda args: _number(args["slices"]),
    "join": lambda args: _total_size(args["value"]) + len(str(args["d"])) * _number(args["value"]),
}


def check_call(called: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raises TooMuch for a method of a text whose result would be too large."""
    text = getattr(called, "__self__", None)
    if not isinstance(text, str):
        return
    result_size = _METHODS.get(getattr(called, "__name__", ""))
    if result_size is None:
        return
    values = [list(value) if inspect.isgenerator(value) else value for value in args]
    with contextlib.suppress(TypeError):  # the call itself reports wrong arguments
        spend(result_size(text, *values, **kwargs))


def check_format(called: Any) -> None:
    """Raises TooMuch for `format` of a text with a wide field."""
    if isinstance(text := getattr(called, "__self__", None), str):
        _check_format(text)


def filters(known: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Checked versions of the filters whose results can be too large."""
    checked = {name: _checked(known[name], size) for name, size in _FILTERS.items()}
    plain = known["format"]

    @wraps(plain)
    def formatted(text: Any, *args: Any, **kwargs: Any) -> Any:
        _check_format(str(text))
        return plain(text, *args, **kwargs)

    return {**checked, "format": formatted}


def _checked(
    function: Callable[..., Any], size: Callable[[dict[str, Any]], int]
) -> Callable[..., Any]:
    signature = inspect.signature(function)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        arguments = bound.arguments
        if inspect.isgenerator(arguments.get("value")):  # to know its size
            arguments["value"] = list(arguments["value"])
        spend(size(arguments))
        return function(*bound.args, **bound.kwargs)

    return call
