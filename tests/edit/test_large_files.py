"""Files that are made to take long: the work for a file grows with its size, not faster.

Work is counted in calls of functions, which are the same every time, and in looks at a file.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from generator.dialect.document import MAX_FAULTS
from generator.dialect.folder import MAX_BYTES, scan
from generator.dialect.tree import Unchangeable
from generator.edit.fix import fix_file
from generator.edit.layout import format_record
from generator.published.content.load import file_checker
from support.commands import ROOT

LOOK = file_checker(scan(str(ROOT / "tests/content/base")), date(2026, 11, 22))
PATH = "projects/adversary.yaml"
HEAD = "name: A\nsummary: B.\n"

#: What is repeated, with `{i}` for its number; the text before; the text after.
FAMILIES = [
    ("a: 1\n", "", ""), ("a: 1\n", "", "b\n"), ("a: 1\n", "b\n", ""), ("a{i}: b\n", "", " b: c\n"),
    ("\ta: b\n", "", ""), ("a:\n\tb: c\n", "", ""), ("a{i}:\n\tb: c\n  c: d\n", "", ""),
    ("name: “a”\n", "", ""), ("n{i}: “a”\n", "", ""), ("  - “a{i}”\n", f"{HEAD}aliases:\n", ""),
    ("n{i}: a\u00a0\n", "", ""), ("n\u00a0{i}: a\n", "", ""), ("\u00a0", "", "name: x\n"),
    ("nam{i}: 1\n", HEAD, ""), ("unknown{i}: 1\n", HEAD, ""), ("a{i}:b\n", "", ""),
    ("  -x\n", f"{HEAD}aliases:\n", ""), ("-x\n", "", ""), ('k{i}: "v",\n', "", ""),
    ("k{i}: a: b\n", "", ""), ('k{i}: "v\n', "", ""), ("k{i}: v\n", 'name: "', ""),
    ("v\n", 'name: "', ""), ("[", "", ""), ("[", "a: ", ""), ("{{a: ", "", ""),
    ("a, ", "name: x\naliases: [", ""), ("a,\n ", "name: x\naliases: [", ""), ("a: ", "name: ", ""),
    ("- ", "", "x\n"), ("\n", "a: b\n", "\tc: d\n"), ("* a\n", "x\n", ""), ("* a\n", "a:\n", ""),
    ("a: 1\r\n", "", ""), ("\ta: 1\r", "", "x\r"), ("---\na: b\n", "", ""),
    ("\ufeff", "", "a: b\n"),
    ("a{i}: *x\n", "", ""), ("a{i}: !x b\n", "", ""), ("? [a]\n: b\n", "", ""),
    ("a{i}: 1\na{i}: 1\n", "", ""), ("a: b\n", "```yaml\n", "```\n"), ("```\n", "", ""),
    ("d{i}: |\n    x\n  y\n", "", ""), ("d{i}: a # b\n  y\n", "", ""),
    ("  x\n", "name: x\n", "\ta: b\n"),
    ("  - p{i}\n", f"{HEAD}programs:\n", ""), ("  - a\n", f"{HEAD}aliases:\n", ""),
    ("  t{i}: [x]\n", f"{HEAD}tags:\n", ""), ("    - T {i}\n", f"{HEAD}tags:\n  topic:\n", ""),
    ("  - country: Germany\n", f"{HEAD}locations:\n", ""),
    ("  - Kiel, Germany{i}\n", f"{HEAD}locations:\n", ""), ("a{i}: b # c\n", "", ""),
    ('"k{i}":"v",', "{", '"z": 1}'), ('f{i}: "2020"\n', f"{HEAD}fields:\n", ""),
    ("  a\u202ab\n", f"{HEAD}description: |\n", ""), (" ", 'founders: "a', 'b"\n'),
    (",", 'website: "', '"\n'), (" ", 'locations: "a', 'b"\n'), (" ", 'tags: "a', 'b"\n'),
    ("{{a: b}}, ", "a: [", "]\n"), ("a{i}: “a\n", "", ""), ("a{i}: |\n", "", ""),
    ("  - name: a\n    role: b\n", f"{HEAD}founders:\n", ""), ("a{i}: b;\n", "", ""),
    ("- - - - x\n", "", ""), ('"a{i}": b\n', "", ""), ("a\u00a0: b\n", "", ""),
    ("&a ", "a: ", "b\n"), ("*a, ", "a: [", "]\n"),
]  # fmt: skip


def made(family: tuple[str, str, str], size: int) -> bytes:
    """A file of a family, of at most `size` bytes."""
    unit, before, after = family
    parts, room, number = [before.encode()], size - len((before + after).encode()), 0
    while room >= len(part := unit.format(i=number).encode()):
        parts.append(part)
        room, number = room - len(part), number + 1
    return b"".join([*parts, after.encode()])


def check(raw: bytes) -> None:
    LOOK(PATH, raw)


def fix(raw: bytes) -> None:
    fix_file(PATH, raw, LOOK)


def layout(raw: bytes) -> None:
    with contextlib.suppress(Unchangeable):
        format_record(raw)


def work(raw: bytes) -> None:
    """What check, fix and format do with a file."""
    for action in (check, fix, layout):
        action(raw)


def calls(action: Callable[[], Any]) -> int:
    """The number of functions that an action calls."""
    count = 0

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_work_at_a_file_grows_with_its_size(family: tuple[str, str, str]) -> None:
    work(made(family, 500))  # modules are loaded once
    small, large = (made(family, size) for size in (5_000, 10_000))
    before, after = (calls(partial(LOOK, PATH, raw)) for raw in (small, large))
    assert after <= 2.6 * before + 10_000


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_a_large_file_is_looked_at_a_few_times_to_fix_it(family: tuple[str, str, str]) -> None:
    looks = 0

    def look(path: str, raw: bytes) -> list[Any]:
        nonlocal looks
        looks += 1
        return LOOK(path, raw)

    fix_file(PATH, made(family, 20_000), look)
    assert looks <= 13


def test_fixes_that_do_not_overlap_are_made_with_one_look() -> None:
    looks = 0

    def look(path: str, raw: bytes) -> list[Any]:
        nonlocal looks
        looks += 1
        return LOOK(path, raw)

    after, done = fix_file(PATH, HEAD.encode() + b"year: 2020\n" * 300, look)
    assert (after, len(done), looks) == (f"{HEAD}year: 2020\n".encode(), 299, 2)


def test_faults_beyond_the_first_are_only_counted() -> None:
    raw = HEAD.encode() + b"".join(b"x%d: 1\n" % i for i in range(5 * MAX_FAULTS))
    problems = LOOK(PATH, raw)
    assert len(problems) == MAX_FAULTS + 1
    assert problems[-1].message == "4,000 more problems in this file are not shown"


def seconds(action: Callable[[], Any]) -> float:
    """The processor time of an action."""
    began = time.process_time()
    action()
    return time.process_time() - began


def slowness() -> float:
    """How many times longer than usual Python takes here and now; at least 1."""
    return max(1.0, seconds(lambda: {str(i): (i, f"{i}") for i in range(300_000)}) / 0.2)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_the_largest_file_takes_two_seconds(family: tuple[str, str, str], tmp_path: Path) -> None:
    """Copies of texts and regular expressions are no calls, so this limits processor time."""
    raw = made(family, MAX_BYTES)
    work(made(family, 500))  # modules are loaded once
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
        before = slowness()
        found = [seconds(partial(action, raw)) for action in (check, fix, layout)]
        (tmp_path / "times").write_text(json.dumps([*found, max(before, slowness())]))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    *times, slow = json.loads((tmp_path / "times").read_bytes())
    assert max(times) <= 2 * slow, (times, slow)
