"""What a worker of a cluster does: one chunk of a stage, after it has seen that it is a worker of
this very build.

It imports the generator by itself.  What comes to it is plain data: the name of a function, and
where the items of its chunk lie and what all chunks share, which it reads once.
"""

from __future__ import annotations

import hashlib
import importlib
import marshal
import os
import pickle
import platform
import threading
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from generator import __version__
from generator.build.executors import told
from generator.dialect.folder import REGISTRY_FILE
from generator.disk.output_state import OutputError


class Stage(NamedTuple):
    """What all tasks of a stage have in common: the mark of the generator (see
    generator.build.cache.fingerprint) and its version, in any version the first of all; the file
    of what they share, with how many bytes that is and its SHA-256, and of their chunks after it;
    the content folder as it was named and the folder that it was named in, and the SHA-256 of its
    registry.yaml.

    It travels as a plain tuple, which a scheduler reads that knows of no such class, or of another.
    """

    mark: str
    version: str
    file: str
    size: int
    digest: bytes
    content: str
    called_in: str
    registry: bytes


#: Where a chunk lies in the file of its stage: from where, how many bytes, and their SHA-256.
Place = tuple[int, int, bytes]

#: What to do where versions differ.
SAME = "Install the same lock file in all places, and restart the scheduler and the workers."
#: A process does one thing at a time: nothing in a build waits for another thread.
_one = threading.Lock()
#: What the newest stage shares, by its digest; with that of an earlier one there would be both.
_held: dict[bytes, Any] = {}


def work(chunk: Place, process: str, told_of: tuple[Any, ...]) -> bytes:
    """Whether the function of a module did a chunk; its result, or what it raised; marshalled.
    `told_of` is a Stage.
    """
    with _one:
        try:
            _check_version(*told_of[:2])
            stage = Stage(*told_of)
            _check(stage)
            shared = _shared(stage)
            done = function(process)(_items(chunk, stage), shared)
            return marshal.dumps((True, done))
        except Exception as error:
            return marshal.dumps((False, told(error)))


def forget() -> None:
    """Let go of what is held of a build, when nothing of it is being done."""
    with _one:
        _held.clear()


def named(process: Any) -> str:
    """The name that `function` finds a function by."""
    return f"{process.__module__}:{process.__name__}"


@cache
def function(name: str) -> Any:
    module, _, rest = name.partition(":")
    return getattr(importlib.import_module(module), rest)


@cache
def mark() -> str:
    """Of the generator as this process runs it, and of what it uses."""
    from generator.build.cache.fingerprint import fingerprint

    return fingerprint().partition(" ")[0]


def registry_of(content: str) -> bytes:
    """The SHA-256 of a content folder's registry.yaml; of nothing where there is none."""
    file = Path(content, REGISTRY_FILE)
    return hashlib.sha256(file.read_bytes() if file.is_file() else b"").digest()


def version() -> str:
    """Of the generator and of Python, for people."""
    return f"{__version__} with Python {platform.python_version()}"


def _check_version(of_build: str, shown: str) -> None:
    """Raises OutputError where the worker runs other code than the build."""
    if mark() != of_build:
        which = f": {version()}, and not {shown}" if shown != version() else ""
        raise OutputError(
            f"{_called()} runs another version of the generator, of Python or of a package than "
            f"this build{which}; nothing was written.\n{SAME}"
        )


def _check(stage: Stage) -> None:
    """Raises OutputError where the worker is none for this build."""
    if not os.path.isabs(stage.content):
        try:
            os.chdir(stage.called_in)
        except OSError:
            raise _unseen(f"the folder that this build was called in, {stage.called_in}") from None
    if not os.path.isdir(stage.content):
        raise _unseen(f"the content folder {stage.content}")
    if registry_of(stage.content) != stage.registry:
        raise OutputError(
            f"{_called()} sees another {REGISTRY_FILE} in {stage.content}: the content changed "
            "during the build, or this is a different folder; nothing was written.\n"
            "Build again. All workers must see the same folder."
        )


def _shared(stage: Stage) -> Any:
    """What the stage shares, read once.  Raises OutputError."""
    if stage.digest not in _held:
        _held.clear()
        raw = _read(stage, 0, stage.size, stage.digest)
        _held[stage.digest] = _Unpickler(raw, stage).load()
    return _held[stage.digest]


def _items(chunk: Place, stage: Stage) -> list[Any]:
    """The items of a chunk.  Raises OutputError."""
    items: list[Any] = pickle.loads(_read(stage, *chunk))
    return items


def _read(stage: Stage, start: int, size: int, digest: bytes) -> bytes:
    """The bytes of the file of a stage that have this SHA-256.  Raises OutputError."""
    try:
        with open(stage.file, "rb") as opened:
            opened.seek(start)
            raw = opened.read(size)
    except OSError:
        raise _unseen(f"the output's folder, {Path(stage.file).parent}") from None
    if hashlib.sha256(raw).digest() != digest:
        raise OutputError(
            f"{_called()} reads {stage.file} with different contents than were written; nothing "
            "was written.\nAll workers must see the same folder."
        )
    return raw


def _called() -> str:
    """This worker, as people look for it."""
    try:
        worker = importlib.import_module("distributed").get_worker()
        return f"The worker {worker.name} ({worker.address})"
    except ValueError:
        return "A worker"


def _unseen(what: str) -> OutputError:
    return OutputError(
        f"{_called()} does not see {what}; nothing was written.\n"
        "All workers must see content and output under the same path. Content of an archive or a "
        "URL is stored in the folder of TMPDIR."
    )


# --- what is shared, as a file ---


class Pickler(pickle.Pickler):
    """Pickles what a stage shares; the models of records are called by their collection, for those
    with a registry's own fields are in no module.
    """

    def __init__(self, file: Any, models: Mapping[str, type]):
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._names = {model: name for name, model in models.items()}

    def persistent_id(self, obj: Any) -> str | None:
        return self._names.get(obj) if isinstance(obj, type) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, raw: bytes, stage: Stage):
        super().__init__(BytesIO(raw))
        self._stage = stage

    def persistent_load(self, pid: str) -> type:
        return _models(self._stage.content, self._stage.registry)[pid]


@cache
def _models(content: str, _: bytes) -> Mapping[str, type]:
    """The models of a content folder, by its registry.yaml of this digest."""
    import generator.hosts
    from generator.build.read import read_settings
    from generator.contract.artifact import modules
    from generator.dialect.folder import Content

    header, _problems = read_settings(Content(content), modules(generator.hosts))
    return header.settings.models(header.unknown)
