"""What a build keeps beside its output: a lock, a journal, what guards counted, and trees that are
still being written.

    <parent>/.registry/<out>/       lock, journal, content, state, new-*, old-*

Whoever opens it finishes what a journal says and removes what killed builds left.  It may have come
with the content, from anyone: a folder that is a link or another user's is refused, and a journal
holds only where it names the very tree and the very output that it was written for.  Imports
nothing heavy: commands that only read look here too.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from generator.disk import safe_paths
from generator.disk.journal import Journal, identity, is_passing


class OutputError(Exception):
    """The output cannot be written, or not read as it is; the text says why and what to do."""


class Busy(OutputError):
    """Another build of the same output is running."""


FOLDER = ".registry"
JOURNAL, CONTENT, LOCK, STATE = "journal", "content", "lock", "state"
_IGNORE = (
    b"# Written by the build: what lies here is for this machine alone, and is made anew.\n*\n"
)
_MOST_JOURNAL = 1 << 26
_MOST_NOTED = 1 << 24
#: Seconds that a reader waits for a build that moves files into place.
_PATIENCE = 10.0


class State:
    """The folder beside one output, held open with its lock.

    A context manager: entering waits for another build, calling `waiting` first or, with
    `patience`, for as many seconds at most.  `whole` says whether the output is one that a build
    left; if not, only a whole build makes it so.  Raises OutputError, and Busy.
    """

    def __init__(
        self,
        out: Path,
        waiting: Callable[[], None] = lambda: None,
        *,
        patience: float | None = None,
    ):
        self.out = Path(os.path.realpath(out))
        self.path = self.out.parent / FOLDER / self.out.name
        self.whole = True
        self._waiting, self._patience = waiting, patience
        self.folder = self._lock = -1

    def __enter__(self) -> State:
        try:
            with explained(self.out):
                self.path.parent.parent.mkdir(parents=True, exist_ok=True)
                self._open()
                self._take_lock()
                # From here on nobody else changes what lies there.
                self._mend()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folder and its lock; again does no harm."""
        for file in (self._lock, self.folder):
            if file >= 0:
                os.close(file)
        self.folder = self._lock = -1

    def _open(self) -> None:
        with contextlib.ExitStack() as opened:
            parent = os.open(self.path.parent.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            opened.callback(os.close, parent)
            shared = self._own(FOLDER, parent, self.path.parent)
            opened.callback(os.close, shared)
            with contextlib.suppress(OSError):
                self._write(".gitignore", _IGNORE, shared)
            self.folder = self._own(self.path.name, shared, self.path)

    def _own(self, name: str, parent: int, shown: Path) -> int:
        """A folder of this user's, made where there is none."""
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o755, dir_fd=parent)
        try:
            folder = os.open(name, safe_paths.FOLDER, dir_fd=parent)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOTDIR):
                raise self._refused(shown, "is a link, or a file") from None
            raise
        if os.fstat(folder).st_uid != os.geteuid():
            os.close(folder)
            raise self._refused(shown, "belongs to another user")
        return folder

    def _refused(self, shown: Path, why: str) -> OutputError:
        return OutputError(
            f"{shown} {why}, and what lies there would decide what is written and removed; "
            "nothing was written.\n"
            "Remove it, and a build makes it anew; or choose another folder with --out."
        )

    def _take_lock(self) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            self._lock = os.open(LOCK, flags, 0o644, dir_fd=self.folder)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
                raise self._refused(self.path / LOCK, "is no plain file") from None
            raise
        until = time.monotonic() + (self._patience or 0)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if self._patience is None:
                self._waiting()
                fcntl.flock(self._lock, fcntl.LOCK_EX)
                return
            while time.monotonic() < until:
                time.sleep(0.02)
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    return
            raise Busy(f"a build of {self.out} is running; ask again when it is done.") from None

    def _mend(self) -> None:
        """Finish what a journal says, and remove what killed builds left."""
        kept = None
        try:
            os.stat(JOURNAL, dir_fd=self.folder, follow_symlinks=False)
        except FileNotFoundError:
            pass
        else:
            self.whole = False
            raw = safe_paths.read(self.folder, [JOURNAL], _MOST_JOURNAL)
            with contextlib.suppress(ValueError):
                journal = Journal.parse(raw or b"")
                kept = journal.tree
                with contextlib.suppress(OSError), self._opened(journal.tree) as (tree, out):
                    journal.finish(tree, out)
                    clear(JOURNAL, self.folder)
                    kept, self.whole = None, True
        self.sweep(kept)

    def sweep(self, kept: str | None = None) -> None:
        """Remove the trees of builds that never finished, and outputs that were replaced."""
        for name in os.listdir(self.folder):
            if is_passing(name) and name != kept:
                clear(name, self.folder)

    def apply(self, tree: str, move: Mapping[str, int], remove: Iterable[str]) -> None:
        """Move files of a tree, with their sizes, into the output, and remove some from it.  Paths
        begin with a slash.

        Raises OSError before anything is done, OutputError after that.
        """
        with self._opened(tree) as (source, out):
            journal = Journal(tree, [identity(source), identity(out)], move, list(remove))
            journal.check(source, out)
            self.put(JOURNAL, journal.encoded())
            try:
                journal.finish(source, out)
            except (OSError, ValueError) as error:
                raise OutputError(
                    f"{self.out} was changed in part: {error}\nThe next build makes it whole."
                ) from error
        clear(JOURNAL, self.folder)

    @contextlib.contextmanager
    def _opened(self, tree: str) -> Iterator[tuple[int, int]]:
        """A tree of this folder and the output."""
        source = out = -1
        try:
            source = os.open(tree, safe_paths.FOLDER, dir_fd=self.folder)
            out = os.open(self.out, safe_paths.FOLDER)
            yield source, out
        finally:
            for folder in (source, out):
                if folder >= 0:
                    os.close(folder)

    def inner(self, name: str) -> Path:
        """A folder in this one, made where there is none.  Raises OutputError for a link."""
        os.close(self._own(name, self.folder, self.path / name))
        return self.path / name

    def put(self, name: str, data: bytes) -> None:
        """Replace a small file in one step; it is on the disk when this returns."""
        self.prepare(name, data)
        self.renew(name)

    def prepare(self, name: str, data: bytes) -> None:
        """Write what `renew` replaces a small file by; the next build removes it if nobody does."""
        clear(f"{name}.new", self.folder)
        self._write(f"{name}.new", data, self.folder)

    def renew(self, name: str) -> None:
        """Replace a small file by what was prepared."""
        try:
            os.rename(f"{name}.new", name, src_dir_fd=self.folder, dst_dir_fd=self.folder)
        except IsADirectoryError:
            clear(name, self.folder)
            os.rename(f"{name}.new", name, src_dir_fd=self.folder, dst_dir_fd=self.folder)
        os.fsync(self.folder)

    @staticmethod
    def _write(name: str, data: bytes, folder: int) -> None:
        file = os.open(
            name,
            os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW,
            0o644,
            dir_fd=folder,
        )
        with open(file, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(file)


def clear(name: str, folder: int) -> None:
    """Remove a file, a link or a whole folder from an open folder, as far as that goes; no link is
    followed.
    """
    try:
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        pass
    except OSError:
        import shutil  # which takes longer to import than most files to write

        with contextlib.suppress(OSError, RecursionError):
            shutil.rmtree(name, dir_fd=folder)


# --- before an output is read ---------------------------------------------------------------------


def settle(where: Path | str, *, patience: float = _PATIENCE) -> None:
    """Before an output is read: finish what a killed build began to move into place, and remove
    what it left.

    Costs a look at one folder where there is nothing to do.  Raises OutputError where the output
    stays half of one build and half of another, and Busy where a build goes on for longer than
    `patience`.
    """
    out = Path(os.path.realpath(where))
    try:
        names = os.listdir(out.parent / FOLDER / out.name)
    except OSError:
        return
    if JOURNAL not in names:
        if any(map(is_passing, names)):
            with contextlib.suppress(OutputError), State(out, patience=0):
                pass
        return
    again = "Build it again where it may be written: registry build"
    try:
        with State(out, patience=patience) as state:
            if not state.whole:
                raise OutputError("what it left there cannot be finished.")
    except Busy:
        raise
    except OutputError as error:
        raise OutputError(
            f"{out} is half of one build and half of another: a build of it was killed while it "
            "moved files into place.\n"
            f"{str(error).partition(chr(10))[0]}\n{again}"
        ) from error


def made_from(where: Path | str) -> str | None:
    """The content folder that an output was built from, where that is known."""
    raw = noted_beside(where, CONTENT)
    return os.fsdecode(raw) if raw is not None else None


def noted_beside(where: Path | str, name: str) -> bytes | None:
    """A small file beside an output, CONTENT or STATE; None if there is none."""
    out = Path(os.path.realpath(where))
    try:
        folder = os.open(out.parent / FOLDER / out.name, safe_paths.FOLDER)
    except OSError:
        return None
    try:
        return safe_paths.read(folder, [name], _MOST_NOTED)
    finally:
        os.close(folder)


@contextlib.contextmanager
def explained(out: Path) -> Iterator[None]:
    """Turns errors of the system into OutputError, with what to do; that of no memory into
    MemoryError.
    """
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
