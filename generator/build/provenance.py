"""When and from what a build is made; nothing else asks the clock, the environment and git."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple

#: Seconds that the root of a manifest which says the same is left as it is: less than the day
#: between two builds of nothing new.
_RENEWED_AFTER = 12 * 3600


class Moment(NamedTuple):
    """`at` is the time of the content, `as_of` the day that "upcoming" is counted from, `revision`
    the commit.

    `from_clock` says that nothing but the clock told the time; `clock` is what it shows, unless
    SOURCE_DATE_EPOCH stands for it.
    """

    at: datetime
    as_of: date
    revision: str | None
    from_clock: bool = False
    clock: datetime | None = None

    def renews(self, issued: int) -> bool:
        """Whether a manifest that was issued then, in seconds since 1970, is to hold for longer,
        though nothing else is other than it was.
        """
        at = self.clock or self.at
        return not 0 <= int(at.timestamp()) - issued < _RENEWED_AFTER


def moment(folder: str, as_of: date | None, environment: Mapping[str, str] = os.environ) -> Moment:
    """SOURCE_DATE_EPOCH, else the commit's time, else now; `as_of`, else that time's UTC date.

    Raises ValueError for a SOURCE_DATE_EPOCH that is no time
    (reproducible-builds.org/specs/source-date-epoch).
    """
    revision, committed = _commit(folder)
    epoch = environment.get("SOURCE_DATE_EPOCH")
    if epoch:
        try:
            at = datetime.fromtimestamp(int(epoch), UTC)
        except (ValueError, OverflowError, OSError):
            raise ValueError(
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
    except (OSError, ValueError):  # no group, or "max"
        return known


def git(folder: str, *arguments: str, told: bytes = b"") -> bytes | None:
    """What git answers in a folder, being `told` something; None where there is none, or it fails.

    A hook's environment names the repository that it runs for, which need not be the folder's; and
    nothing that a repository configures is run, nor is anything fetched.
    """
    if not _in_checkout(folder):
        return None
    import subprocess

    try:
        done = subprocess.run(
            _command(folder, arguments),
            capture_output=True,
            check=False,
            env=_environment(),
            input=told,
        )
    except (OSError, ValueError):
        return None
    return done.stdout if done.returncode == 0 else None


def git_into(folder: str, tree: str, index: str, target: str) -> bool:
    """Whether the files of a tree were written below `target`, which ends with a slash; `index` is
    a file that git makes for that, so that those of the checkout stay as they are.
    """
    import subprocess

    environment = _environment() | {"GIT_INDEX_FILE": index}
    for arguments in (
        ("read-tree", tree),
        ("checkout-index", "--all", "--quiet", f"--prefix={target}"),
    ):
        try:
            done = subprocess.run(
                _command(folder, arguments), capture_output=True, check=False, env=environment
            )
        except (OSError, ValueError):
            return False
        if done.returncode:
            return False
    return True


def git_tokens(folder: str, *arguments: str) -> Iterator[bytes]:
    """What git answers, up to each NUL, as it comes: who has enough of it ends the process.

    Where there is no git, or it fails, the tokens end.
    """
    import subprocess

    try:
        asked = subprocess.Popen(
            _command(folder, arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
    except (OSError, ValueError):
        return
    assert asked.stdout is not None
    rest = b""
    try:
        while block := asked.stdout.read(1 << 16):
            *whole, rest = (rest + block).split(b"\0")
            yield from whole
    finally:
        asked.kill()
        asked.stdout.close()
        asked.wait()


def shallow(folder: str) -> bool:
    """Whether the checkout lacks commits, or there is none."""
    return git(folder, "rev-parse", "--is-shallow-repository") != b"false\n"


def _in_checkout(folder: str) -> bool:
    """Whether git, which takes longer to start, would look for a commit at all."""
    here = os.path.realpath(folder)
    while not os.path.lexists(os.path.join(here, ".git")):
        here, below = os.path.dirname(here), here
        if here == below:
            return False
    return True


def _command(folder: str, arguments: Sequence[str]) -> list[str]:
    settings = "core.fsmonitor=false", "safe.bareRepository=explicit"
    return ["git", "-C", folder, *(word for of in settings for word in ("-c", of)), *arguments]


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _OF_A_HOOK}
    return kept | {"GIT_NO_LAZY_FETCH": "1"}


#: What `git rev-parse --local-env-vars` lists, without its `GIT_`.
_LOCAL = """ALTERNATE_OBJECT_DIRECTORIES COMMON_DIR CONFIG CONFIG_COUNT CONFIG_PARAMETERS DIR
GRAFT_FILE IMPLICIT_WORK_TREE INDEX_FILE INTERNAL_SUPER_PREFIX NAMESPACE NO_REPLACE_OBJECTS
OBJECT_DIRECTORY PREFIX QUARANTINE_PATH REPLACE_REF_BASE SHALLOW_FILE WORK_TREE"""
_OF_A_HOOK = frozenset(f"GIT_{name}" for name in _LOCAL.split())


def _commit(folder: str) -> tuple[str | None, datetime | None]:
    """The id and time of the commit that is checked out; None and None outside a checkout."""
    words = (git(folder, "log", "-1", "--no-show-signature", "--format=%H %ct") or b"").split()
    try:
        return words[0].decode(), datetime.fromtimestamp(int(words[1]), UTC)
    except (IndexError, ValueError, OverflowError, OSError):  # git takes times that no calendar has
        return None, None
