"""The code that runs on the workers of a cluster: `work` does one chunk of a stage.

A worker imports its own copy of the generator, and first checks that it is the version of the build
and sees the same content.  It receives plain data: the name of a function, and where in a file to
read the items of the chunk and the data that all chunks share.
"""

from __future__ import annotations

import contextlib
import copyreg
import gc
import hashlib
import importlib
import marshal
import os
import pickle
import platform
import threading
from array import array
from collections.abc import Set
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from generator import __version__
from generator.build.output import Tree
from generator.dialect.folder import REGISTRY_FILE
from generator.disk.output_state import OutputError, fingerprint
from generator.executors import pack_error
from generator.published.content.text_file import TextFile

# --- a tree that several machines write into ------------------------------------------------------
#
# A tree that several machines write into; two of them may write the same file.


class SharedTree(Tree):
    """A tree in which each file appears under its name in one step, with all its bytes.

    If a machine is lost, another one does its work again, so a file may already exist.  It is
    accepted if its bytes are the same.
    """

    def __init__(self, root: Path, out: Path | None, before: Set[str]):
        super().__init__(root, out, before)
        # Parts of files are written beside the tree; the next build removes what is left of them.
        self.beside = os.open(root.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def _put(self, name: str, data: bytes) -> int:
        part = f"new-{os.urandom(8).hex()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        file = os.open(part, flags, 0o644, dir_fd=self.beside)
        try:
            with open(file, "wb", buffering=0) as opened:
                remaining = memoryview(data)
                while remaining:
                    remaining = remaining[opened.write(remaining) :]
            self.link_from(self.beside, part, name)
        except FileExistsError:
            if self.read(f"/{name}") != data:
                raise OutputError(
                    f"/{name} was written twice with different contents, because the content "
                    "changed during the build; nothing was written.\nBuild again."
                ) from None
        finally:
            os.unlink(part, dir_fd=self.beside)
        return os.stat(name, dir_fd=self.directory, follow_symlinks=False).st_mtime_ns

    def __del__(self) -> None:
        super().__del__()
        with contextlib.suppress(AttributeError, OSError):
            os.close(self.beside)


# --- the work -------------------------------------------------------------------------------------


class Stage(NamedTuple):
    """Data that all chunks of a stage share.

    `mark` is the digest of the generator (see generator.disk.safe_paths); it
    and `version` are the first two fields in all versions.  `file` has the shared data and the
    SHA-256 `digest`, the file `chunks` has the chunks.  `content` is the content folder as given in
    the working folder `working_folder`; `registry` is the SHA-256 of its registry.yaml.

    It is sent as a plain tuple, because the scheduler may not have this class.
    """

    mark: str
    version: str
    file: str
    digest: bytes
    chunks: str
    content: str
    working_folder: str
    registry: bytes


#: A chunk in the file of the chunks of its stage: its offset, its size in bytes and its SHA-256.
Place = tuple[int, int, bytes]

#: The advice if versions differ.
INSTALL_SAME_VERSION = (
    "Install the same lock file in all places, and restart the scheduler and the workers."
)
#: Only one thread of a process works at a time.
_lock = threading.Lock()
#: The shared data of the newest stage by its digest; older data is dropped to save memory.
_shared_data: dict[bytes, Any] = {}


def work(chunk: Place, process: str, stage_fields: tuple[Any, ...]) -> bytes:
    """Call a function, `module:name`, on a chunk.  Returns, marshalled: (True, its result), or
    (False, its exception).  `stage_fields` is a Stage.
    """
    with _lock:
        try:
            _check_version(*stage_fields[:2])
            stage = Stage(*stage_fields)
            _check_content(stage)
            shared = _shared(stage)
            items = pickle.loads(_read(stage.chunks, *chunk))
            result = find_function(process)(items, shared)
            return marshal.dumps((True, result))
        except Exception as error:
            return marshal.dumps((False, pack_error(error)))


def drop_shared_data() -> None:
    """Drop the shared data, when no chunk is being worked on."""
    with _lock:
        _drop()


def _drop() -> None:
    _shared_data.clear()
    gc.unfreeze()
    gc.collect()


def function_name(process: Any) -> str:
    """The name of a function for `find_function`."""
    return f"{process.__module__}:{process.__name__}"


@cache
def find_function(name: str) -> Any:
    module, _, rest = name.partition(":")
    return getattr(importlib.import_module(module), rest)


def registry_digest(content: str) -> bytes:
    """The SHA-256 of the registry.yaml of a content folder; of no bytes if it is missing."""
    file = Path(content, REGISTRY_FILE)
    return hashlib.sha256(file.read_bytes() if file.is_file() else b"").digest()


def version() -> str:
    """The versions of the generator and Python, for messages."""
    return f"{__version__} with Python {platform.python_version()}"


def _check_version(build_mark: str, build_version: str) -> None:
    """Raise OutputError if the worker runs another version than the build."""
    if fingerprint() != build_mark:
        versions = f": {version()}, and not {build_version}" if build_version != version() else ""
        raise OutputError(
            f"{_name()} runs another version of the generator, of Python or of a package than "
            f"this build{versions}; nothing was written.\n{INSTALL_SAME_VERSION}"
        )


def _check_content(stage: Stage) -> None:
    """Raise OutputError if the worker does not see the content of the build."""
    if not os.path.isabs(stage.content):
        try:
            os.chdir(stage.working_folder)
        except OSError:
            raise _unseen(
                f"the folder that this build was called in, {stage.working_folder}"
            ) from None
    if not os.path.isdir(stage.content):
        raise _unseen(f"the content folder {stage.content}")
    if registry_digest(stage.content) != stage.registry:
        raise OutputError(
            f"{_name()} sees another {REGISTRY_FILE} in {stage.content}: the content changed "
            "during the build, or this is a different folder; nothing was written.\n"
            "Build again. All workers must see the same folder."
        )


def _shared(stage: Stage) -> Any:
    """The shared data of a stage, read once.  Raises OutputError."""
    if stage.digest not in _shared_data:
        _drop()
        _check_file(stage.file, stage.digest)
        gc.disable()
        with open(stage.file, "rb") as opened:
            _shared_data[stage.digest] = pickle.load(opened)
        gc.freeze()  # it stays until it is dropped, and is never collected
        gc.enable()
    return _shared_data[stage.digest]


def _read(file: str, start: int, size: int, digest: bytes) -> bytes:
    """Bytes of a file of a stage.  Raises OutputError if their SHA-256 is not `digest`."""
    try:
        with open(file, "rb") as opened:
            opened.seek(start)
            raw = opened.read(size)
    except OSError:
        raise _unseen(f"the output's folder, {Path(file).parent}") from None
    if hashlib.sha256(raw).digest() != digest:
        raise _changed(file)
    return raw


def file_digest(file: str) -> bytes:
    """The SHA-256 of a file.  Raises OSError."""
    with open(file, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").digest()


def _check_file(file: str, digest: bytes) -> None:
    """Raise OutputError if the SHA-256 of a file of the build is not `digest`."""
    try:
        is_same = file_digest(file) == digest
    except OSError:
        raise _unseen(f"the output's folder, {Path(file).parent}") from None
    if not is_same:
        raise _changed(file)


def _changed(file: str) -> OutputError:
    return OutputError(
        f"{_name()} reads {file} with different contents than were written; nothing "
        "was written.\nAll workers must see the same folder."
    )


def _name() -> str:
    """This worker, for messages."""
    try:
        worker = importlib.import_module("distributed").get_worker()
        return f"The worker {worker.name} ({worker.address})"
    except ValueError:
        return "A worker"


def _unseen(unseen: str) -> OutputError:
    return OutputError(
        f"{_name()} does not see {unseen}; nothing was written.\n"
        "All workers must see content and output under the same path."
    )


# --- the shared data of a stage ---


class Pickler(pickle.Pickler):
    """Pickles the shared data of a stage.  A tree becomes one that several machines write into, and
    texts are read from their file.
    """

    def __init__(self, file: Any):
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.dispatch_table = copyreg.dispatch_table | {Tree: _shared_tree, TextFile: _shared_texts}


def _shared_tree(tree: Tree) -> tuple[type[SharedTree], tuple[Any, ...]]:
    return SharedTree, (tree.root, tree.out, tree.before)


def _shared_texts(texts: TextFile) -> tuple[Any, tuple[Any, ...]]:
    if not texts.width:
        return TextFile, ()
    assert texts.path is not None
    texts.flush()
    file = str(texts.path)
    return _texts, (file, file_digest(file), texts.width, texts.starts)


def _texts(file: str, digest: bytes, width: int, starts: array[int]) -> TextFile:
    """The texts in a file of the build.  Raises OutputError."""
    _check_file(file, digest)
    return TextFile.written(Path(file), width, starts)
