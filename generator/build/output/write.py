"""Putting an output in place: whole or not at all, one build at a time.

    <parent>/<out>/                 what hosts publish
    <parent>/.registry/<out>/       see generator.disk.output_state; also the tree of a build

A whole build is written into a new tree, which then changes places with the output in one step;
files that are the same in both are linked and not written.  A build of a few changes is written
into a tree of just those, then a journal says what is to be moved and removed, and then it is:
whoever opens the workspace next finishes what a journal says. Whatever happens before that leaves
the output as it was, and litter is removed by the next build.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import threading
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any

from generator.contract import manifest
from generator.contract.artifact import Artifact
from generator.disk import safe_paths
from generator.disk.journal import SHARED, is_published
from generator.disk.output_state import (
    CONTENT,
    JOURNAL,
    OutputError,
    State,
    clear,
    explained,
    made_from,
)
from generator.grammar.paths import BUILD, MANIFEST_ROOT

#: A file that was written: its path, its mtime in ns, its size and its SHA-256.
Written = tuple[str, int, int, bytes]

#: A file that has its folder to itself, most often.
_ALONE = "/index.html"
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


class Tree:
    """A folder that files are written into, each path once.

    Folders are held open, so that paths are short and the tree may be moved meanwhile.  `last` is
    an earlier output; a file that is the same there is linked.
    """

    def __init__(self, root: Path, last: Path | None = None):
        self.root, self.earlier = root, last
        self.directory = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self.last = os.open(last, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) if last else -1

    def write(self, artifact: Artifact) -> Written:
        """Write one new file.  Raises PathTaken where there is one, OSError."""
        path, data = artifact
        name, digest = path[1:], sha256(data).digest()
        if self.last >= 0:
            linked = self._link(name, data)
            if linked is not None:
                return path, linked, len(data), digest
        if name.endswith(_ALONE):
            self._folder(name.removesuffix(_ALONE))
        try:
            file = os.open(name, _CREATE, 0o644, dir_fd=self.directory)
        except FileNotFoundError:
            self._folder(name.rpartition("/")[0])
            file = os.open(name, _CREATE, 0o644, dir_fd=self.directory)
        except FileExistsError:
            raise PathTaken(path) from None
        try:
            done = os.write(file, data)
            while done < len(data):
                done += os.write(file, data[done:])
            return path, os.fstat(file).st_mtime_ns, done, digest
        finally:
            os.close(file)

    def link(self, paths: Iterable[str], out: Path) -> bool:
        """Link files of an output; False if that cannot be, for one of them."""
        source = os.open(out, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for path in paths:
                self._linked(path[1:], source)
        except OSError:  # no links on this file system, or too many
            return False
        finally:
            os.close(source)
        return True

    def _linked(self, name: str, source: int) -> None:
        """Link one file of an open folder.  Raises OSError."""
        for attempt in (1, 2):
            try:
                os.link(name, name, src_dir_fd=source, dst_dir_fd=self.directory,
                        follow_symlinks=False)  # fmt: skip
                return
            except FileNotFoundError:
                if attempt == 2:
                    raise
                self._folder(name.rpartition("/")[0])

    def _link(self, name: str, data: bytes) -> int | None:
        """Link the earlier output's file when it has these bytes; its mtime."""
        try:
            file = os.open(name, safe_paths.FILE, dir_fd=self.last)
        except OSError:
            return None
        try:
            stat = os.fstat(file)
            if stat.st_size != len(data) or os.read(file, len(data) + 1) != data:
                return None
        except OSError:
            return None
        finally:
            os.close(file)
        try:
            self._linked(name, self.last)
        except FileExistsError:
            raise PathTaken("/" + name) from None
        except OSError:  # no links on this file system, or too many
            return None
        return stat.st_mtime_ns

    def _folder(self, name: str) -> None:
        try:
            os.mkdir(name, 0o755, dir_fd=self.directory)
        except FileNotFoundError:
            self._folder(name.rpartition("/")[0])
            with contextlib.suppress(FileExistsError):  # another process may have been faster
                os.mkdir(name, 0o755, dir_fd=self.directory)
        except FileExistsError:
            pass

    def __reduce__(self) -> tuple[Any, ...]:
        """The tree as other machines write into it."""
        from generator.build.output.shared_tree import SharedTree

        return SharedTree, (self.root, self.earlier)

    def close(self) -> None:
        os.close(self.directory)
        if self.last >= 0:
            os.close(self.last)


class PathTaken(Exception):
    """Two outputs have the same path."""


class Workspace:
    """The right to write one output folder: a lock, and a tree to write into.

    A context manager: entering waits for another build of the same output, calling `waiting` first;
    leaving removes what was not committed.  `whole` says whether what lies there is one build's; if
    not, nothing but `replace` will do. Raises OutputError.
    """

    def __init__(self, out: Path, waiting: Callable[[], None] = lambda: None):
        self._state = State(out, waiting)
        self.out = self._state.out
        self._trees: list[Tree] = []
        self._handler: Any = None

    def __enter__(self) -> Workspace:
        with explained(self.out):
            check_ours(self.out)
        self._state.__enter__()
        self.whole = self._state.whole
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for tree in self._trees:
            tree.close()
        with contextlib.suppress(OSError):
            if not os.path.lexists(self._state.path / JOURNAL):
                self._state.sweep()
        self._state.close()
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)

    def _hold_interrupts(self) -> None:
        """From here on a Ctrl-C comes too late: the output is changed, and is to be left whole."""
        if threading.current_thread() is threading.main_thread():
            self._handler = signal.signal(signal.SIGINT, lambda *_: None)

    @property
    def beside(self) -> Path:
        """The folder for what a build keeps beside its output."""
        return self._state.path

    def prepare(self, name: str, data: bytes) -> None:
        """Write a small file beside the output, to take effect with `renew`."""
        with explained(self.out):
            self._state.prepare(name, data)

    def renew(self, name: str) -> None:
        """Replace a small file beside the output by what was prepared."""
        with explained(self.out):
            self._state.renew(name)

    def tree(self, *, compare: bool) -> Tree:
        """A new, empty tree; with `compare`, files that the output has already are linked."""
        with explained(self.out):
            root = self._state.path / f"new-{os.urandom(8).hex()}"
            root.mkdir(mode=0o755)
            self._trees.append(Tree(root, self.out if compare and self.out.exists() else None))
        return self._trees[-1]

    def replace(self, tree: Tree, content: str) -> None:
        """Put the tree, which was made from a content folder, in the output's place."""
        self._hold_interrupts()
        source = os.path.realpath(content)
        known = made_from(self.out) == source
        with explained(self.out):
            if not known:
                clear(CONTENT, self._state.folder)
            if self.out.exists():
                from generator.disk.swap import exchange

                exchange(
                    tree.root, self.out, tree.root.with_name(tree.root.name.replace("new", "old"))
                )
            else:
                tree.root.rename(self.out)
            clear(JOURNAL, self._state.folder)
        if not known:
            with contextlib.suppress(OSError):  # what it was made from is not known then
                self._state.put(CONTENT, os.fsencode(source))

    def apply(self, tree: Tree, written: Mapping[str, int], removed: Iterable[str]) -> bool:
        """Move what the tree holds, with its sizes, into the output, and remove files from it.
        Paths begin with a slash.  False, with nothing done, if a folder is where a file belongs, or
        the other way round.
        """
        self._hold_interrupts()
        with explained(self.out):
            try:
                self._state.apply(tree.root.name, written, removed)
            except OSError as error:
                if error.errno not in (errno.EISDIR, errno.ENOTDIR, errno.ELOOP):
                    raise
                return False
        return True


#: What file managers leave wherever they look.
_VIEWED = {".DS_Store", "Thumbs.db", "desktop.ini"}
_MOST_BUILD = 1 << 20  # bytes of a build.json


def check_ours(out: Path) -> None:
    """Raises OutputError where replacing an output would lose what is not a build's."""
    try:
        folder = os.open(out, safe_paths.FOLDER)
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise OutputError(_not_ours(f"{out} is a file")) from None
    try:
        names = os.listdir(folder)
        for shared in SHARED:
            with contextlib.suppress(OSError), safe_paths.folder(folder, [shared]) as inner:
                names += [f"{shared}/{name}" for name in os.listdir(inner)]
        ours = _is_build(folder)
    finally:
        os.close(folder)
    if ".git" in names:
        raise OutputError(
            f"{out} has a .git: it is a git checkout, which a build would replace; "
            "nothing was written.\nBuild into another folder with --out, and copy it here."
        )
    if names and not ours:
        raise OutputError(_not_ours(f"{out} contains other files, not a build"))
    others = sorted(
        name for name in names if not is_published(name) and name.rpartition("/")[2] not in _VIEWED
    )
    if others:
        from generator.problems.diagnostic import printable

        shown = ", ".join(
            printable(os.fsencode(name).decode("utf-8", "backslashreplace")) for name in others[:5]
        )
        raise OutputError(
            f"{out} contains {shown}{' and more' * (len(others) > 5)}. These are not files of a "
            "build, and a build would remove them; nothing was written.\n"
            "Move your files elsewhere, or choose another folder with --out."
        )


def _not_ours(what: str) -> str:
    return f"{what}; nothing was written.\nChoose another folder with --out, or empty this one."


def _is_build(folder: int) -> bool:
    """Whether an open folder has the build.json of this generator, in any version.  Where there is
    none, the root of a manifest will do: the build then writes build.json again.
    """
    raw, root = (
        safe_paths.read(folder, path[1:].split("/"), _MOST_BUILD) for path in (BUILD, MANIFEST_ROOT)
    )
    if raw is not None or root is None:
        return _is_build_file(raw)
    try:
        os.stat(BUILD[1:], dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        with contextlib.suppress(manifest.Malformed):
            manifest.read_root(root)
            return True
    return False


def _is_build_file(raw: bytes | None) -> bool:
    """Whether these are the bytes of a build.json that this generator wrote, in any version."""
    try:
        said = json.loads(raw or b"")
    except (ValueError, RecursionError):
        return False
    match said:
        case {
            "kind": "build",
            "links": {"self": str(itself)},
            "generator": {"name": "registry-generator"},
        }:
            return itself.endswith(BUILD)
    return False


def check_apart(content: Path, out: Path) -> None:
    """Raises OutputError where one folder lies in the other, or the output is a link to one of
    other content.

    A build would replace, or read, what it must not.
    """
    inner, outer = Path(os.path.realpath(content)), Path(os.path.realpath(out))
    if inner.is_relative_to(outer) or outer.is_relative_to(inner):
        raise OutputError(
            f"the output {out} and the content {content} must not be inside each other; "
            "nothing was written.\nChoose a folder beside the content with --out."
        )
    # The link may have come with the content, from anyone.
    if out.is_symlink() and made_from(out) not in (None, str(inner)):
        raise OutputError(
            f"{out} is a link to {outer}, which was built from another content folder; "
            "nothing was written.\n"
            "To build there, give the folder itself with --out; if not, choose another."
        )
