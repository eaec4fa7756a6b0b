"""Values that are made at their first use, safe with threads.

One thread makes a value; others that need the same value wait for it, and all others go on.  The
values of one registry are made from each other without cycles, so no two threads wait for each
other.  `functools` is not enough: `functools.cached_property` locks all objects of a class in
Python 3.11 and nothing in later versions, and `functools.cache` may make a value twice.

No lock stays when a value is made, so objects can be pickled.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, MutableMapping
from threading import RLock
from typing import Any, Generic, TypeVar, overload

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class made_once(Generic[Value]):  # a decorator like property
    """A property that is made once for each object."""

    def __init__(self, make: Callable[[Any], Value]):
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> made_once[Value]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> made_once[Value] | Value:
        if instance is None:
            return self
        values = instance.__dict__
        locks = values.setdefault("_locks", {})
        value: Value = _made(values, locks, self._name, lambda: self._make(instance))
        return value


def made_once_each(make: Callable[[Key], Value]) -> Callable[[Key], Value]:
    """A function that is called once for each argument."""
    values: dict[Key, Value] = {}
    locks: dict[Key, Any] = {}

    def get(key: Key) -> Value:
        if key in values:
            return values[key]
        return _made(values, locks, key, lambda: make(key))

    return get


def _made(
    values: MutableMapping[Key, Value],
    locks: MutableMapping[Key, Any],
    key: Key,
    make: Callable[[], Value],
) -> Value:
    with locks.setdefault(key, RLock()):
        try:
            if key not in values:
                values[key] = make()
            return values[key]
        finally:
            locks.pop(key, None)
