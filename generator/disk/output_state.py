"""The state folder beside an output: a lock, notes of the last build, unfinished trees.

    <parent>/.registry/<out>/       lock, content, state, made, features, table, names;
                                    tree, new-*, old-*

A build completes a tree there, and exchanges it with the output in one step, so that the output is
always that of one build.  Opening the folder removes what killed builds left.  The folder may
have come with the content, from anyone, so it is refused if it is a link or another user's.
Imports nothing heavy: commands that only read an output use it too.

With the same `fingerprint` of the generator the same content gives the same bytes.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from stat import S_ISDIR

from generator import PACKAGE, UserError
from generator.disk import safe_paths
from generator.feature import features


class OutputError(UserError):
    """The output cannot be written or read; the text says why and what to do."""


STATE_FOLDER = ".registry"
CONTENT, LOCK, STATE = "content", "lock", "state"
#: Of what the output is a build, and the features that were installed, by name with their packages.
MADE, FEATURES = "made", "features"
#: The names at the top of the output that builds wrote.
NAMES = "names"
#: Matches the names of trees, and of files that were to replace another file.
_is_temporary_name = re.compile(r"(new|old)-[0-9a-z-]+|[a-z]+\.new").fullmatch
#: Files that file managers create in folders that they show.
_VIEWED = {".DS_Store", "Thumbs.db", "desktop.ini"}
_IGNORE = (
    b"# Written by the build: what lies here is for this machine alone, and is made anew.\n*\n"
)
_MAX_NOTE = 1 << 24
_RENAME_EXCHANGE, _AT_FDCWD = 2, -100


class OutputState:
    """The open and locked state folder of one output, as a context manager.

    Entering waits for another build, after a call of `waiting`.  Raises OutputError.
    """

    def __init__(self, out: Path, waiting: Callable[[], None] = lambda: None):
        self.out = Path(os.path.realpath(out))
        self.path = _state_path(out)
        self._waiting = waiting
        self.folder = self._lock = -1

    def __enter__(self) -> OutputState:
        try:
            with explain_errors(self.out):
                self.path.parent.parent.mkdir(parents=True, exist_ok=True)
                self._open()
                self._take_lock()
                self.tidy()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        with contextlib.suppress(OSError):
            self.tidy()
        self._close()

    def _close(self) -> None:
        for file in (self._lock, self.folder):
            if file >= 0:
                os.close(file)
        self.folder = self._lock = -1

    def _open(self) -> None:
        with contextlib.ExitStack() as stack:
            parent = os.open(self.path.parent.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            stack.callback(os.close, parent)
            shared = self._open_own(STATE_FOLDER, parent, self.path.parent)
            stack.callback(os.close, shared)
            with contextlib.suppress(OSError):
                self._write(".gitignore", _IGNORE, shared)
            self.folder = self._open_own(self.path.name, shared, self.path)

    def _open_own(self, name: str, parent: int, path: Path) -> int:
        """Open a folder of this user, and make it if it is missing.  `path` is for messages."""
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o755, dir_fd=parent)
        try:
            folder = os.open(name, safe_paths.FOLDER_FLAGS, dir_fd=parent)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOTDIR):
                raise _refused(path, "is a link, or a file") from None
            raise
        if os.fstat(folder).st_uid != os.geteuid():
            os.close(folder)
            raise _refused(path, "belongs to another user")
        return folder

    def _take_lock(self) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            self._lock = os.open(LOCK, flags, 0o644, dir_fd=self.folder)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
                raise _refused(self.path / LOCK, "is no plain file") from None
            raise
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._waiting()
            fcntl.flock(self._lock, fcntl.LOCK_EX)

    def tidy(self) -> None:
        """Remove trees and files that were not put in place.  If a build was killed between the two
        renames of an exchange, the output that it moved away comes back.
        """
        for name in os.listdir(self.folder):
            if _is_temporary_name(name):
                if name.startswith("old-") and not os.path.lexists(self.out):
                    mode = os.stat(name, dir_fd=self.folder, follow_symlinks=False).st_mode
                    if S_ISDIR(mode):
                        os.rename(name, self.out, src_dir_fd=self.folder)
                        continue
                remove_entry(name, self.folder)

    def new_tree(self) -> Path:
        """A new, empty folder for a tree."""
        root = self.new_path()
        root.mkdir(mode=0o755)
        return root

    def new_path(self) -> Path:
        """The path of something new that `tidy` removes."""
        return self.path / f"new-{os.urandom(8).hex()}"

    def put_in_place(self, tree: Path) -> None:
        """Exchange the output for a tree, in one step if the system can.  Raises OSError."""
        there = os.listdir(self.out) if self.out.exists() else []
        self.replace_file(NAMES, json.dumps(sorted({*there, *os.listdir(tree)})).encode())
        if not self.out.exists():
            tree.rename(self.out)
        elif not _exchange(tree, self.out):
            old = self.path / f"old-{os.urandom(8).hex()}"
            self.out.rename(old)
            tree.rename(self.out)  # if this fails, `tidy` moves the old output back
            old.rename(tree)

    def subfolder(self, name: str) -> Path:
        """A subfolder, made if it is missing.  Raises OutputError for a link."""
        os.close(self._open_own(name, self.folder, self.path / name))
        return self.path / name

    def replace_file(self, name: str, data: bytes) -> None:
        """Replace a small file in one step; it is on the disk when this returns."""
        self.prepare_file(name, data)
        self.commit_file(name)

    def prepare_file(self, name: str, data: bytes) -> None:
        """Write a small file for `commit_file`; the next build removes it if it is unused."""
        remove_entry(f"{name}.new", self.folder)
        self._write(f"{name}.new", data, self.folder)

    def commit_file(self, name: str) -> None:
        """Replace a small file by the prepared content."""
        try:
            os.rename(f"{name}.new", name, src_dir_fd=self.folder, dst_dir_fd=self.folder)
        except IsADirectoryError:
            remove_entry(name, self.folder)
            os.rename(f"{name}.new", name, src_dir_fd=self.folder, dst_dir_fd=self.folder)
        os.fsync(self.folder)

    @staticmethod
    def _write(name: str, data: bytes, folder: int) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        file = os.open(name, flags, 0o644, dir_fd=folder)
        with open(file, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(file)


def _refused(path: Path, reason: str) -> OutputError:
    return OutputError(
        f"{path} {reason}, and its content would decide which files are written and removed; "
        "nothing was written.\n"
        "Remove it, and the next build creates it; or choose another folder with --out."
    )


def remove_entry(name: str, folder: int) -> None:
    """Remove a file, a link or a whole folder, as far as possible.  No link is followed."""
    try:
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        pass
    except OSError:
        import shutil  # slow to import, and rarely needed

        with contextlib.suppress(OSError, RecursionError):
            shutil.rmtree(name, dir_fd=folder)


def _exchange(new: Path, out: Path) -> bool:
    """Exchange two folders in one step; False if the system cannot.  Raises OSError."""
    import ctypes

    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)  # Linux
    if rename is None:
        return False
    if rename(_AT_FDCWD, os.fsencode(new), _AT_FDCWD, os.fsencode(out), _RENAME_EXCHANGE):
        number = ctypes.get_errno()
        if number in (errno.ENOSYS, errno.EINVAL):
            return False
        raise OSError(number, os.strerror(number), str(out))
    return True


def recover_output(output: Path | str) -> None:
    """Bring back the output that a killed build moved away, and remove what it left.  Commands that
    read an output call this first.  If there is nothing to do, it only lists one folder.
    """
    try:
        names = os.listdir(_state_path(output))
    except OSError:
        return
    if any(map(_is_temporary_name, names)):
        with contextlib.suppress(OutputError), OutputState(Path(output), _refuse):
            pass


def _refuse() -> None:
    raise OutputError("a build is running")


def _state_path(output: Path | str) -> Path:
    out = Path(os.path.realpath(output))
    return out.parent / STATE_FOLDER / out.name


def is_locked_here(output: Path | str) -> bool:
    """Whether a build or a mirror wrote the output in this place before; True also if its state
    folder is a link or a file, which `OutputState` refuses.
    """
    path = _state_path(output)
    odd = (f.is_symlink() or not f.is_dir() for f in (path.parent, path) if os.path.lexists(f))
    return any(odd) or os.path.lexists(path / LOCK)


def foreign_names(output: Path | str) -> list[str]:
    """The names at the top of an output that no build wrote; none if older versions noted none."""
    try:
        ours = {*json.loads(read_state_file(output, NAMES) or b"")}
    except (ValueError, TypeError, RecursionError):
        return []
    return sorted({*os.listdir(output)} - ours - _VIEWED)


def name_of_content(content: str) -> str:
    """The name of content in notes: the real path of the folder."""
    return os.path.realpath(content)


def find_content(output: Path | str) -> str | None:
    """The name of the content that an output was built from; None if it is unknown."""
    raw = read_state_file(output, CONTENT)
    return os.fsdecode(raw) if raw is not None else None


def read_state_file(output: Path | str, name: str) -> bytes | None:
    """A note of an output; None if there is none."""
    return safe_paths.read_below(_state_path(output), name, _MAX_NOTE)


def time_of_build(output: Path | str) -> float | None:
    """When an output was built, or found to be current; None if it is unknown."""
    try:
        return os.stat(_state_path(output) / STATE).st_mtime
    except OSError:
        return None


def missing_features(output: Path | str) -> list[str]:
    """The features that an output was built with and that are not installed now."""
    try:
        built = json.loads(read_state_file(output, FEATURES) or b"{}")
        return [
            f"{name} ({origin})" if origin else name
            for name, origin in sorted(built.items())
            if name not in {feature.name for feature in features()}
        ]
    except (ValueError, TypeError, AttributeError, RecursionError):
        return []


@contextlib.contextmanager
def explain_errors(out: Path) -> Iterator[None]:
    """Turns an OSError into an OutputError with advice, or into a MemoryError if memory is full."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOMEM:
            raise MemoryError from error
        raise OutputError(
            f"{out} cannot be written: {error.strerror or error}\n" + _hint(error)
        ) from error


MOUNT_HINT = "It is a mount point; choose a folder in it, which a build takes with --out."


def _hint(error: OSError) -> str:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return "The disk is full; the last output is as it was. Free some space and try again."
        case errno.EROFS | errno.EACCES | errno.EPERM:
            return (
                "Choose a folder that you may write to, and whose parent folder too; a build takes "
                "it with --out."
            )
        case errno.EBUSY | errno.EXDEV:
            return MOUNT_HINT
    return "The last output is as it was."


#: Distributions whose version, or absence, can change the output.
_DISTRIBUTIONS = (
    "brotli", "cryptography", "icalendar", "jinja2", "markdown_it_py", "markupsafe", "orjson",
    "pyarrow", "pycountry", "pydantic", "pydantic_core", "pyyaml", "quickjs_ng", "tzdata",
)  # fmt: skip


@cache
def fingerprint() -> str:
    """The SHA-256 of the generator with its templates and all features, and of the versions of
    Python and libraries.
    """
    import sqlite3

    code = hashlib.sha256(f"{sys.version} {sqlite3.sqlite_version}".encode())
    installed = (feature.folder for feature in features() if feature.origin)
    for root in (PACKAGE, PACKAGE.parent / "templates", *installed):
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(f for f in folders if f != "__pycache__")
            for name in sorted(names):
                code.update(f"{name}\0".encode())
                with open(os.path.join(folder, name), "rb", buffering=0) as file:
                    while block := file.read(1 << 20):
                        code.update(block)
    for path in dict.fromkeys(sys.path):
        if path and os.path.isdir(path):
            for name in sorted(os.listdir(path)):
                if name.endswith(".dist-info") and name.lower().startswith(_DISTRIBUTIONS):
                    code.update(name.encode())
    return code.hexdigest()
