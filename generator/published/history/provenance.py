"""When and from which commit a build is made; only this module reads the clock and calls git."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from generator import UserError
from generator.disk.output_state import OutputError

#: Bytes of memory for each record in the process that reads them (docs/scale.md).
RECORD_MEMORY = 8_000
#: Seconds until an unchanged manifest root is issued again: less than the day between two nightly
#: builds.
_RENEWED_AFTER = 12 * 3600


class Moment(NamedTuple):
    """The time of the content (`at`), the day that counts as today (`as_of`), and the commit.

    `from_clock` says whether `at` comes from the clock.  `clock` is the current time, None if
    SOURCE_DATE_EPOCH replaces it.
    """

    at: datetime
    as_of: date
    revision: str | None
    from_clock: bool = False
    clock: datetime | None = None

    @classmethod
    def of_day(cls, as_of: date) -> Moment:
        """A day, of no commit."""
        return cls(datetime(as_of.year, as_of.month, as_of.day, tzinfo=UTC), as_of, None)

    def needs_renewal(self, issued: int) -> bool:
        """Whether to issue an unchanged manifest again; `issued` is in seconds since 1970."""
        at = self.clock or self.at
        return not 0 <= int(at.timestamp()) - issued < _RENEWED_AFTER


def moment(folder: str, as_of: date | None, environment: Mapping[str, str] = os.environ) -> Moment:
    """The moment of a build: SOURCE_DATE_EPOCH, else the time of the commit, else now.

    `as_of` defaults to the UTC date of that time.  Raises UserError if SOURCE_DATE_EPOCH is not a
    time (reproducible-builds.org/specs/source-date-epoch).
    """
    revision, committed = _commit(folder)
    epoch = environment.get("SOURCE_DATE_EPOCH")
    if epoch:
        try:
            at = datetime.fromtimestamp(int(epoch), UTC)
        except (ValueError, OverflowError, OSError):
            raise UserError(
                f'SOURCE_DATE_EPOCH is "{epoch}", but must be a number of seconds since 1970'
            ) from None
        return Moment(at, as_of or at.date(), revision)
    clock = datetime.now(UTC).replace(microsecond=0)
    at = committed or clock
    return Moment(at, as_of or at.date(), revision, committed is None, clock)


def memory() -> int | None:
    """Bytes of memory and swap that a process may use; None if the system does not say.

    Source: proc_meminfo(5), and memory.max of control groups
    (docs.kernel.org/admin-guide/cgroup-v2.html).
    """
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            sizes = {name: int(rest.split()[0]) for name, rest in (x.split(":") for x in lines)}
        known = (sizes["MemTotal"] + sizes["SwapTotal"]) * 1024
    except (OSError, ValueError, KeyError):
        return None
    try:
        with open("/sys/fs/cgroup/memory.max", encoding="ascii") as limit:
            return min(known, int(limit.read()))
    except (OSError, ValueError):  # no control group, or "max"
        return known


def require_memory(records: int) -> None:
    """Raise OutputError if so many records need more memory than this machine has."""
    needed, there = records * RECORD_MEMORY, memory()
    if there is not None and needed > there:
        raise OutputError(
            f"A build of {records:,} records takes about {needed / 1e9:,.0f} GB of memory; this "
            f"machine has {there / 1e9:,.1f} GB. Build on a machine with more memory, or divide "
            "the registry in two: docs/scale.md."
        )


def run_git(folder: str, *arguments: str, stdin: bytes = b"") -> bytes | None:
    """The output of a git command in a folder, with `stdin` as its input; None if it fails, or the
    folder is not in a checkout.

    Variables that git sets for hooks are removed, because they may name another repository.  Git
    runs no programs that the repository configures, and fetches nothing.
    """
    return _run(folder, arguments, _environment(), stdin) if _in_checkout(folder) else None


def _run(
    folder: str, arguments: Sequence[str], environment: Mapping[str, str], stdin: bytes = b""
) -> bytes | None:
    import subprocess

    command = _command(folder, arguments)
    try:
        done = subprocess.run(
            command, capture_output=True, check=False, env=environment, input=stdin
        )
    except (OSError, ValueError):
        return None
    return done.stdout if done.returncode == 0 else None


def write_git_tree(folder: str, tree: str, index: str, target: str) -> bool:
    """Write the files of a tree below `target`, which ends with a slash; whether that worked.

    Git makes the temporary file `index`, and leaves the index of the checkout unchanged.
    """
    environment = _environment() | {"GIT_INDEX_FILE": index}
    commands = ("read-tree", tree), ("checkout-index", "--all", "--quiet", f"--prefix={target}")
    return all(_run(folder, command, environment) is not None for command in commands)


def stream_git(folder: str, *arguments: str, whole: bool = False) -> Iterator[bytes]:
    """The output of a git command, split at NULs, while git runs; closing the iterator ends git.

    The tokens end if git fails or is not installed; with `whole`, OSError is raised if it fails.
    """
    import subprocess

    try:
        process = subprocess.Popen(
            _command(folder, arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
    except (OSError, ValueError):
        return
    assert process.stdout is not None
    rest = b""
    try:
        while block := process.stdout.read(1 << 16):
            *tokens, rest = (rest + block).split(b"\0")
            yield from tokens
        if whole and process.wait():
            raise OSError("git failed")
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def is_shallow(folder: str) -> bool:
    """Whether the folder is in a shallow checkout, or in none."""
    return run_git(folder, "rev-parse", "--is-shallow-repository") != b"false\n"


def is_whole(folder: str) -> bool:
    """Whether the folder is in a checkout with every commit and all their files."""
    partial = "config", "--get-regexp", r"^remote\..*\.promisor$"
    return not is_shallow(folder) and not run_git(folder, *partial)


def _in_checkout(folder: str) -> bool:
    """Whether the folder is in a checkout; faster than starting git."""
    path = Path(os.path.realpath(folder))
    return any(os.path.lexists(parent / ".git") for parent in (path, *path.parents))


def _command(folder: str, arguments: Sequence[str]) -> list[str]:
    settings = "-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit"
    return ["git", "-C", folder, *settings, *arguments]


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _HOOK_VARIABLES}
    return kept | {"GIT_NO_LAZY_FETCH": "1"}


#: The variables that `git rev-parse --local-env-vars` lists, without their prefix GIT_.
_LOCAL = """ALTERNATE_OBJECT_DIRECTORIES COMMON_DIR CONFIG CONFIG_COUNT CONFIG_PARAMETERS DIR
GRAFT_FILE IMPLICIT_WORK_TREE INDEX_FILE INTERNAL_SUPER_PREFIX NAMESPACE NO_REPLACE_OBJECTS
OBJECT_DIRECTORY PREFIX QUARANTINE_PATH REPLACE_REF_BASE SHALLOW_FILE WORK_TREE"""
_HOOK_VARIABLES = frozenset(f"GIT_{name}" for name in _LOCAL.split())


def _commit(folder: str) -> tuple[str | None, datetime | None]:
    """The id and time of the commit that is checked out; None and None outside a checkout."""
    words = (run_git(folder, "log", "-1", "--no-show-signature", "--format=%H %ct") or b"").split()
    try:
        return words[0].decode(), datetime.fromtimestamp(int(words[1]), UTC)
    except (IndexError, ValueError, OverflowError, OSError):  # no commit, or a time out of range
        return None, None
