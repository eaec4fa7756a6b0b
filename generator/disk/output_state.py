"""The state folder beside an output: a lock, a journal, the counts of guards, unfinished trees.

    <parent>/.registry/<out>/       lock, journal, content, state, made, features, new-*, old-*

Opening it finishes the changes of a journal and removes what killed builds left.  The folder may
have come with the content, from anyone, so it is refused if it is a link or another user's, and a
journal is valid only for its own tree and output.  Imports nothing heavy: commands that only read
an output use it too.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from generator import UserError
from generator.disk import safe_paths
from generator.disk.journal import Journal, folder_identity, is_temporary_name
from generator.feature import features


class OutputError(UserError):
    """The output cannot be written or read; the text says why and what to do."""


class OutputBusy(OutputError):
    """Another build of the same output is running."""


STATE_FOLDER = ".registry"
JOURNAL, CONTENT, LOCK, STATE = "journal", "content", "lock", "state"
#: Of what the output is a build, and the features that were installed, by name with their packages.
MADE, FEATURES = "made", "features"
_IGNORE = (
    b"# Written by the build: what lies here is for this machine alone, and is made anew.\n*\n"
)
_MAX_JOURNAL = 1 << 26
_MAX_NOTE = 1 << 24
#: Seconds that a reader waits while a build moves files into the output.
_PATIENCE = 10.0


class OutputState:
    """The open and locked state folder of one output, as a context manager.

    Entering waits for another build: without limit after a call of `waiting`, or at most `patience`
    seconds.  `is_complete` is False if a killed build left the output half changed and its journal
    cannot be finished; then only a whole build repairs it.  Raises OutputError, and Busy.
    """

    def __init__(
        self,
        out: Path,
        waiting: Callable[[], None] = lambda: None,
        *,
        patience: float | None = None,
    ):
        self.out = Path(os.path.realpath(out))
        self.path = self.out.parent / STATE_FOLDER / self.out.name
        self.is_complete = True
        self._waiting, self._patience = waiting, patience
        self.folder = self._lock = -1

    def __enter__(self) -> OutputState:
        try:
            with explain_errors(self.out):
                self.path.parent.parent.mkdir(parents=True, exist_ok=True)
                self._open()
                self._take_lock()
                # With the lock, no other build changes the folder.
                self._recover()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the folder and release its lock.  It can be called again."""
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
        until = time.monotonic() + (self._patience or 0)
        while True:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if self._patience is None:
                    self._waiting()
                    fcntl.flock(self._lock, fcntl.LOCK_EX)
                    return
                if time.monotonic() >= until:
                    message = f"a build of {self.out} is running; ask again when it is done."
                    raise OutputBusy(message) from None
            time.sleep(0.02)

    def _recover(self) -> None:
        """Finish the changes of a journal, and remove what killed builds left."""
        unfinished = None
        with contextlib.suppress(FileNotFoundError):
            os.stat(JOURNAL, dir_fd=self.folder, follow_symlinks=False)
            self.is_complete = False
            raw = safe_paths.read_file(self.folder, [JOURNAL], _MAX_JOURNAL)
            with contextlib.suppress(ValueError):
                journal = Journal.parse(raw or b"")
                unfinished = journal.tree
                with contextlib.suppress(OSError), self._opened(journal.tree) as (tree, out):
                    journal.finish(tree, out)
                    remove_entry(JOURNAL, self.folder)
                    unfinished, self.is_complete = None, True
        self.remove_leftovers(unfinished)

    def remove_leftovers(self, keep: str | None = None) -> None:
        """Remove the trees of unfinished builds, except `keep`, and replaced outputs."""
        for name in os.listdir(self.folder):
            if is_temporary_name(name) and name != keep:
                remove_entry(name, self.folder)

    def apply_changes(self, tree: str, move: Mapping[str, int], remove: Iterable[str]) -> None:
        """Move files of a tree into the output, and remove some from it.  `move` maps paths to
        sizes; all paths begin with a slash.

        Raises OSError if nothing was changed, OutputError if the output was changed in part.
        """
        with self._opened(tree) as (source, out):
            journal = Journal(
                tree, [folder_identity(source), folder_identity(out)], move, list(remove)
            )
            journal.check(source, out)
            self.replace_file(JOURNAL, journal.encoded())
            try:
                journal.finish(source, out)
            except (OSError, ValueError) as error:
                raise OutputError(
                    f"{self.out} was changed in part: {error}\nThe next build makes it whole."
                ) from error
        remove_entry(JOURNAL, self.folder)

    @contextlib.contextmanager
    def _opened(self, tree: str) -> Iterator[tuple[int, int]]:
        """A tree of this folder and the output, both open."""
        with contextlib.ExitStack() as stack:
            source = os.open(tree, safe_paths.FOLDER_FLAGS, dir_fd=self.folder)
            stack.callback(os.close, source)
            out = os.open(self.out, safe_paths.FOLDER_FLAGS)
            stack.callback(os.close, out)
            yield source, out

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


def recover_output(output: Path | str, *, patience: float = _PATIENCE) -> None:
    """Finish the changes of a killed build to an output, and remove what it left.  Commands that
    read an output call this first.

    If there is nothing to do, it only lists one folder.  Raises OutputError if the output stays
    half of one build and half of another, and Busy if a build runs for longer than `patience`.
    """
    out = Path(os.path.realpath(output))
    try:
        names = os.listdir(out.parent / STATE_FOLDER / out.name)
    except OSError:
        return
    if JOURNAL not in names:
        if any(map(is_temporary_name, names)):
            with contextlib.suppress(OutputError), OutputState(out, patience=0):
                pass
        return
    try:
        with OutputState(out, patience=patience) as state:
            if not state.is_complete:
                raise OutputError("what it left there cannot be finished.")
    except OutputBusy:
        raise
    except OutputError as error:
        raise OutputError(
            f"{out} is half of one build and half of another: a build of it was killed while it "
            "moved files into place.\n"
            f"{str(error).partition(chr(10))[0]}\n"
            "Build it again where it may be written: registry build"
        ) from error


def name_of_content(content: str) -> str:
    """The name of content in notes: the real path of the folder."""
    return os.path.realpath(content)


def find_content(output: Path | str) -> str | None:
    """The name of the content that an output was built from; None if it is unknown."""
    raw = read_state_file(output, CONTENT)
    return os.fsdecode(raw) if raw is not None else None


def read_state_file(output: Path | str, name: str) -> bytes | None:
    """The small file CONTENT or STATE of an output; None if there is none."""
    out = Path(os.path.realpath(output))
    return safe_paths.read_below(out.parent / STATE_FOLDER / out.name, name, _MAX_NOTE)


def time_of_build(output: Path | str) -> float | None:
    """When an output was built, or found to be current; None if it is unknown."""
    out = Path(os.path.realpath(output))
    try:
        return os.stat(out.parent / STATE_FOLDER / out.name / STATE).st_mtime
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
            return "It is a mount point; choose a folder in it, which a build takes with --out."
    return "The last output is as it was."
