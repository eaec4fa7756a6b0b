"""Recorded sessions: commands on a small registry, with their output and the files they change.

A session is a text.  It begins with what it shows.  `=== PATH` begins a file that is written over a
copy of tests/content/base; `=== PATH (escaped)` one with escapes like `\\t`, `\\r`, `\\u00a0` and
`\\xff`, which is one byte; `=== PATH (removed)` removes a file.  `=== restart` restores the content
that there was before the first command.  `$ registry ...` is a command.  Below it are, written by
`pytest --regenerate`: its output, lines of standard error behind `! `, its exit status if it is not
0, and the changed lines of each changed file.  The day of a removal or an approval, if it
is today, is shown as TODAY.
"""

from __future__ import annotations

import contextlib
import difflib
import gc
import re
import shlex
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from unittest import mock

from click.testing import CliRunner

from generator import cli
from support.commands import EPOCH, ROOT, Done, files
from support.escapes import unescaped, visible

BASE = ROOT / "tests" / "content" / "base"
_STEP = re.compile(r"^(?==== |\$ )", re.M)


def run(*arguments: object, cwd: Path) -> Done:
    """Run `registry` in this process."""
    here = CliRunner().isolation(env={"SOURCE_DATE_EPOCH": EPOCH, "COLUMNS": None, "TERM": None})
    asked = partial(cli.commands.main, list(map(str, arguments)), "registry")
    kept = {"_open_closed_streams": lambda: None, "gc": mock.Mock(wraps=gc, freeze=lambda: None)}
    with contextlib.chdir(cwd), here as (out, err, _), mock.patch.multiple(cli, **kept):
        with mock.patch.object(cli.commands, "main", asked):
            try:
                cli.main()
            except SystemExit as ended:
                status = int(ended.code or 0)
        return Done(status, out.getvalue().decode(), err.getvalue().decode())


def _lay(folder: Path, step: str) -> None:
    head, _, text = step.partition("\n")
    path, _, mark = head.removeprefix("=== ").partition(" (")
    file = folder / path
    if mark == "removed)":
        file.unlink()
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(unescaped(text) if mark == "escaped)" else text.encode())


def _changed(before: dict[str, bytes], after: dict[str, bytes]) -> Iterator[str]:
    """The changed lines of each changed file."""
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path), after.get(path)
        if old == new:
            continue
        yield f">>> {path}{' (new)' if old is None else ' (removed)' if new is None else ''}\n"
        if new is not None:
            pair = ((raw or b"").decode("utf-8", "replace").split("\n") for raw in (old, new))
            for line in list(difflib.unified_diff(*pair, n=0, lineterm=""))[2:]:
                if not line.startswith("@@") and (old is not None or line != "+"):
                    yield f"{visible(line)}\n"


def _answer(folder: Path, line: str) -> str:
    """What a command says and changes."""
    before = files(folder)
    began = datetime.now(UTC).date()
    asked = shlex.split(line.removeprefix("$ "))
    assert asked[0] == "registry", line
    done = run(*asked[1:], cwd=folder)
    told = "".join(f"{part}\n" for part in done.out.splitlines())
    told += "".join(f"! {part}".rstrip() + "\n" for part in done.err.splitlines())
    told = visible(told.replace(str(folder), "FOLDER"))
    told += f"[{done.status}]\n" if done.status else ""
    told += "".join(_changed(before, files(folder)))
    for day in {began, datetime.now(UTC).date()}:
        told = re.sub(rf"(date: |for good on ){day}", r"\1TODAY", told)
    assert not _STEP.search(told), f"{line} says what is a step of a session"
    return told


def play(text: str, folder: Path) -> str:
    """The session as it is when its commands run in an empty folder."""
    title, *steps = _STEP.split(text)
    start, played = folder.with_name("start"), [title]
    shutil.copytree(BASE, folder / "content")
    for step in steps:
        head = step.partition("\n")[0]
        if head.startswith("$ "):
            if not start.exists():
                shutil.copytree(folder / "content", start)
            played.append(f"{head}\n{_answer(folder, head)}")
            continue
        if head == "=== restart":
            shutil.rmtree(folder / "content")
            shutil.copytree(start, folder / "content")
        else:
            _lay(folder, step)
        played.append(step)
    return "".join(played)


def check(session: Path, folder: Path, regenerate: bool) -> None:
    """Fail unless a session is as it is recorded."""
    text = session.read_text("utf-8")
    played = play(text, folder)
    if regenerate:
        session.write_text(played, "utf-8")
    assert played == session.read_text("utf-8")
