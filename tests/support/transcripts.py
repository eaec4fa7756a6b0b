"""Transcripts: what commands answer, in text files that `pytest --regenerate` writes anew.

    ## A former slug is reported
    $ registry get projects once-hostile --from SITE --format csv | head -n 1
    | slug,name,summary
    ! The project "once-hostile" is called "hostile" now.

A file has cases, each with a title.  A line with `$` is a step, and the lines below it are its
answer: `|` is standard output, `!` standard error, and a status other than 0 is in brackets.  A
line with `>` continues the step above it.  All other lines are remarks.
"""

from __future__ import annotations

import difflib
import fcntl
import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from support.commands import Done, environment, start_forked

_ANSWERS = ("|", "!", "[")
#: A command that bash does not run: its arguments and environment -> what it prints.
Program = Callable[[list[str], dict[str, str | None]], Done]


class Case(NamedTuple):
    """The lines of a case in a file, from its title to the next."""

    path: Path
    lines: tuple[str, ...]

    @property
    def title(self) -> str:
        return self.lines[0].removeprefix("## ")

    @property
    def steps(self) -> list[str]:
        """Each step without its mark, in lines."""
        found: list[str] = []
        for line in self.lines:
            if line.startswith("$ "):
                found.append(line[2:])
            elif line.startswith(">"):
                found[-1] += f"\n{line[2:]}"
        return found

    def check(self, answers: Sequence[Sequence[str]], regenerate: bool) -> None:
        """Compare the answers to the steps with the recorded lines, or record them."""
        made: list[str] = []
        waiting, pending = iter(answers), False
        for line in (*self.lines, ""):
            if pending and not line.startswith(">"):
                made += next(waiting)
                pending = False
            if not line.startswith(_ANSWERS):
                made.append(line)
            pending = pending or line.startswith("$ ")
        made.pop()
        if regenerate:
            self._write(made)
        elif made != [*self.lines]:
            shown = difflib.unified_diff(self.lines, made, "recorded", "answered", lineterm="")
            pytest.fail("\n".join(shown), pytrace=False)

    def run(self, answer: Callable[[str], Sequence[str]], regenerate: bool) -> None:
        """Run the steps in their order, and check the answers."""
        self.check([answer(step) for step in self.steps], regenerate)

    def _write(self, made: Sequence[str]) -> None:
        with self.path.open("r+", encoding="utf-8", newline="") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            text = "".join(
                f"{line}\n"
                for case in _split(self.path, file.read())
                for line in (made if case.title == self.title else case.lines)
            )
            file.seek(0)
            file.write(text)
            file.truncate()


def _split(path: Path, text: str) -> Iterator[Case]:
    lines: list[str] = []
    for line in text.split("\n")[:-1]:
        if line.startswith("## ") and lines:
            yield Case(path, tuple(lines))
            lines = []
        lines.append(line)
    yield Case(path, tuple(lines))


def cases(path: Path) -> list[Case]:
    every = _split(path, path.read_text("utf-8"))
    return [case for case in every if case.lines[0].startswith("## ")]


def transcript(path: Path) -> pytest.MarkDecorator:
    """Run a test with each `case` of a file."""
    found = cases(path)
    titles = [case.title for case in found]
    assert len(set(titles)) == len(titles), f"{path}: a title occurs twice"
    return pytest.mark.parametrize("case", found, ids=titles)


def printable(text: str) -> list[str]:
    """The lines of an output; an escape in place of a control character."""
    lines = text.split("\n")
    end = ["\\ no newline at the end"] if lines[-1] else []
    shown = lines if end else lines[:-1]
    return [
        "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line) for line in [*shown, *end]
    ]


class Shell:
    """Runs steps in a folder: `registry` without the cost of imports, other commands by bash.

    `names` are words in place of paths and addresses, in steps and in what they print.  After `|`
    bash filters the output, with `2>&1` before it also the errors.
    """

    def __init__(self, folder: Path, env: Mapping[str, str | None] | None = None, **names: object):
        self.folder, self.env = folder, env or {}
        self.names = {name: str(value) for name, value in names.items()} | {"HERE": str(folder)}
        self.programs: dict[str, Program] = {"registry": self._registry}

    def __call__(self, step: str) -> list[str]:
        for name, value in self.names.items():
            step = step.replace(name, value)
        done = self._run(step)
        out, err = done.out, done.err
        for name, value in sorted(self.names.items(), key=lambda item: -len(item[1])):
            out, err = out.replace(value, name), err.replace(value, name)
        return [
            *(f"| {line}".rstrip() for line in printable(out)),
            *(f"! {line}".rstrip() for line in printable(err)),
            *([f"[{done.status}]"] if done.status else []),
        ]

    def _run(self, step: str) -> Done:
        command, _, piped = step.partition(" | ")
        name = command.lstrip().split(" ", 1)[0]
        if "=" not in name and name not in self.programs:
            return self._bash(step)
        words = shlex.split(command)
        joined = words[-1:] == ["2>&1"]
        words = words[:-1] if joined else words
        own = dict(self.env)
        while words and words[0].partition("=")[0].isupper():
            name, _, value = words.pop(0).partition("=")
            own[name] = value
        done = self.programs[words[0]](words[1:], own)
        if not piped:
            return done
        filtered = self._bash(piped, done.err + done.out if joined else done.out)
        err = filtered.err if joined else done.err + filtered.err
        return Done(done.status or filtered.status, filtered.out, err)

    def _registry(self, arguments: list[str], env: dict[str, str | None]) -> Done:
        running = start_forked(*arguments, cwd=self.folder, env=env)
        done = running.wait()
        return done._replace(out=(running.folder / "out").read_bytes().decode())

    def _bash(self, script: str, given: str = "") -> Done:
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=self.folder, env=environment(**self.env), input=given.encode(), capture_output=True,
        )  # fmt: skip
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())
