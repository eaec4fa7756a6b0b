"""Values made once, with threads."""

from __future__ import annotations

import pickle
from threading import Barrier, Event, Thread

from generator.published.made_once import made_once, made_once_each


class Thing:
    def __init__(self) -> None:
        self.made: list[str] = []

    @made_once
    def value(self) -> list[str]:
        self.made.append("value")
        return [*self.made]


def test_threads_that_want_one_value_get_the_same_object() -> None:
    thing, together, found = Thing(), Barrier(8), list[list[str]]()

    def ask() -> None:
        together.wait()
        found.append(thing.value)

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert thing.made == ["value"] and {id(value) for value in found} == {id(thing.value)}
    assert pickle.loads(pickle.dumps(thing)).value == ["value"]


def test_a_value_that_takes_long_holds_up_only_those_that_want_it() -> None:
    begun, go_on, made = Event(), Event(), list[str]()

    @made_once_each
    def of(name: str) -> str:
        made.append(name)
        if name == "long":
            begun.set()
            assert go_on.wait(60)
        return name.upper()

    found = list[str]()
    waiting = [Thread(target=lambda: found.append(of("long"))) for _ in range(2)]
    for thread in waiting:
        thread.start()
    assert begun.wait(60)
    assert of("short") == of("short") == "SHORT" and not found
    go_on.set()
    for thread in waiting:
        thread.join()
    assert found == ["LONG", "LONG"] and made == ["long", "short"]


def test_a_value_that_could_not_be_made_is_tried_again() -> None:
    tries = list[int]()

    @made_once_each
    def of(_: str) -> int:
        tries.append(1)
        return 1 // (len(tries) - 1)

    try:
        of("")
    except ZeroDivisionError:
        assert of("") == of("") == 1 and len(tries) == 2
