"""The command line in its own process, and the files that it leaves."""

from __future__ import annotations

import atexit
import functools
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = (sys.executable, "-m", "generator")
#: The build time for byte comparisons, and its day.
EPOCH = "1795219200"
TODAY = "2026-11-21"
#: Keys that say when and from what an output was built.
OF_BUILDS = ["api/build.json", "api/manifest/root.json"]

#: Environment variables that change output; they are not passed on.
_CHANGES = (
    "SOURCE_DATE_EPOCH", "TZ", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM",
    "COLUMNS", "LINES", "PYTHONHASHSEED", "PYTHONOPTIMIZE", "PYTHONWARNINGS", "PYTHONUTF8",
    "PYTHONIOENCODING", "PYTHONUNBUFFERED",
)  # fmt: skip


def program(name: str) -> tuple[str, str]:
    """The command for one of programs/: `registry` with one change, in place of REGISTRY."""
    return sys.executable, _path(name)


def _path(name: str) -> str:
    folder = Path(__file__).parent / "programs" / name
    return str(folder if folder.is_dir() else folder.with_suffix(".py"))


def lacking(what: str) -> NoReturn:
    """Skip a test that cannot run on this machine, with the reason; fail if `make test HOSTS=1`
    should have installed what it needs.
    """
    if os.environ.get("HOSTS") in ("1", "true"):
        pytest.fail(what)
    pytest.skip(what)


class Done(NamedTuple):
    """How a command ended and its output."""

    status: int
    out: str
    err: str


def environment(**changed: str | None) -> dict[str, str]:
    """An environment for `python -m generator` from any folder; None removes a variable."""
    kept = {
        k: v
        for k, v in os.environ.items()
        if k not in _CHANGES and not k.startswith(("GIT_", "LC_", "PYTEST_"))
    }
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    every = {**kept, "PYTHONPATH": path, "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": EPOCH, **changed}
    return {name: value for name, value in every.items() if value is not None}


def run(*arguments: object, env: Mapping[str, str | None] | None = None, **options: Any) -> Done:
    """Run `registry` and wait for it."""
    done = subprocess.run(
        [*REGISTRY, *map(str, arguments)], env=environment(**(env or {})), capture_output=True,
        stdin=subprocess.DEVNULL, timeout=120, **options,
    )  # fmt: skip
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def typed(answers: bytes, *arguments: object, cwd: Path | None = None) -> Done:
    """The result of `registry` on a terminal with this input."""
    ours, theirs = pty.openpty()
    os.write(ours, answers)
    command = [*REGISTRY, *map(str, arguments)]
    done = subprocess.run(
        command, env=environment(), cwd=cwd, stdin=theirs, capture_output=True, timeout=120
    )
    os.close(ours)
    os.close(theirs)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def build(
    content: Path | str,
    out: Path,
    *options: object,
    site: bool = False,
    anew: bool = False,
    **more: Any,
) -> Path:
    """Build the API, and on request the site; fail with the command's output if it fails.  `anew`
    starts a new Python process.
    """
    options = options if site else ("--no-site", *options)
    build = run if anew else run_forked
    done = build("build", "--content", content, "--out", out, *options, **more)
    assert done.status == 0, done.err
    return out


def cpu() -> float:
    """CPU seconds of this process and its finished children, a measure for busy machines."""
    return sum(os.times()[:4])


def start(*arguments: object, **options: Any) -> subprocess.Popen[bytes]:
    """Start `registry` as the leader of a session of its own."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    return subprocess.Popen(
        [*REGISTRY, *map(str, arguments)], env=environment(), stdin=subprocess.DEVNULL,
        **(quiet | options),
    )  # fmt: skip


class Signal(NamedTuple):
    """A signal sent from inside, just before the `count`th change to the disk by the main process
    or a worker; `exchange` counts from the exchange of the output on.

    It goes to the process itself, to the main process (`parent`) or to all (`group`).
    """

    count: int
    number: int = signal.SIGKILL
    counts: Literal["main", "worker", "exchange"] = "main"
    target: Literal["self", "parent", "group"] = "self"


class Forked:
    """A running `registry`, the leader of its own session; its output goes to files."""

    def __init__(self, server: subprocess.Popen[str], folder: Path, asked: dict[str, Any]):
        self.folder = folder
        self._server = server
        assert server.stdin is not None and server.stdout is not None
        said = {name: str(folder / name) for name in ("out", "err")}
        server.stdin.write(json.dumps({**asked, **said}) + "\n")
        server.stdin.flush()
        self.pid = int(server.stdout.readline())

    def wait(self) -> Done:
        assert self._server.stdout is not None
        status = int(self._server.stdout.readline())
        return Done(status, *((self.folder / name).read_text("utf-8") for name in ("out", "err")))


#: The prefix of temporary folders, before the id of their process.
_LITTER = "registry-tests-"


def _sweep() -> None:
    """Remove the folders of test runs that were killed."""
    for left in Path(tempfile.gettempdir()).glob(f"{_LITTER}*-*"):
        process = left.name.removeprefix(_LITTER).partition("-")[0]
        try:
            os.kill(int(process), 0)
        except ProcessLookupError:
            shutil.rmtree(left, ignore_errors=True)
        except (ValueError, OverflowError, PermissionError):  # belongs to another user
            continue


@functools.cache
def _server(*modules: str) -> tuple[subprocess.Popen[str], Path]:
    _sweep()
    folder = tempfile.TemporaryDirectory(prefix=f"{_LITTER}{os.getpid()}-")
    server = subprocess.Popen(
        [*program("forking"), folder.name, *modules],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def close() -> None:
        server.communicate()
        folder.cleanup()

    atexit.register(close)
    return server, Path(folder.name)


def start_forked(
    *arguments: object,
    signals: Signal | None = None,
    env: Mapping[str, str | None] | None = None,
    cwd: Path | str | None = None,
    program: str | None = None,
    imported: tuple[str, ...] = (),
) -> Forked:
    """Start `registry`, or one of programs/, without the cost of importing it and the modules
    `imported`; one at a time.

    Environment variables that Python reads at its start are those of the tests.
    """
    assert not [name for name in env or () if name.startswith(("PYTHON", "LC_", "LANG", "TZ"))]
    asked = {
        "arguments": [*map(str, arguments)],
        "environment": environment(**(env or {})),
        "folder": str(cwd or os.getcwd()),
        "program": program and _path(program),
        "signals": signals,
    }
    return Forked(*_server(*imported), asked)


def run_forked(*arguments: object, **options: Any) -> Done:
    """Like `run`, without the cost of imports."""
    return start_forked(*arguments, **options).wait()


def walk(folder: str) -> Iterator[os.DirEntry[str]]:
    """Everything below a folder, sorted by name; links are not followed."""
    with os.scandir(folder) as every:
        entries = sorted(every, key=lambda entry: entry.name)
    for entry in entries:
        yield entry
        if entry.is_dir(follow_symlinks=False):
            yield from walk(entry.path)


def files(folder: Path) -> dict[str, bytes]:
    """path -> bytes of every file below a folder."""
    found, skipped = {}, len(str(folder)) + 1
    for entry in walk(str(folder)) if folder.exists() else ():
        if entry.is_file():
            with open(entry.path, "rb", buffering=0) as file:
                found[entry.path[skipped:]] = file.read()
    return found


def stamps(folder: Path) -> dict[str, tuple[int, ...]]:
    """path -> inode, mode, size and mtime of a folder and everything below it; equal if nothing was
    touched.
    """
    found, skipped = {".": _stamp(folder.lstat())}, len(str(folder)) + 1
    for entry in walk(str(folder)):
        found[entry.path[skipped:]] = _stamp(entry.stat(follow_symlinks=False))
    return found


def _stamp(stat: os.stat_result) -> tuple[int, ...]:
    return stat.st_ino, stat.st_mode, stat.st_size, stat.st_mtime_ns


def differing(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    """The paths that are in only one of the two, or whose bytes differ."""
    return sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))
