"""The generator as a new registry installs it: a wheel of the running code, and its requirements.

No package index has the generator, so a registry carries it: `wheels/` holds the wheel, and
`requirements.txt` names the wheel and every package it needs, each with its hash.  The same code
gives the same bytes, whether it runs from a checkout or from an installed wheel.  Files are stored
without compression: the bytes then depend on no version of zlib, and git compresses them itself.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from generator import PACKAGE, __version__

NAME = f"registry_generator-{__version__}-py3-none-any.whl"
#: Where a registry keeps the wheel.
PATH = f"wheels/{NAME}"

_DIST_INFO = f"registry_generator-{__version__}.dist-info"
_LOCK = "_requirements.txt"
_WHEEL = """\
Wheel-Version: 1.0
Generator: registry-generator
Root-Is-Purelib: true
Tag: py3-none-any
"""
#: The earliest time that a zip archive can note.
_TIME = (1980, 1, 1, 0, 0, 0)
_is_git = re.compile(r"git\+(?:https|ssh|file)://[^\s@]*(?:@[^\s@/]+)?/[^\s@]+@[^\s@#]+(?:#\S*)?")
_is_wheel = re.compile(r"(?:https://|\./)\S+\.whl(?:#sha256=[0-9a-f]{64})?")


class NotPacked(Exception):
    """The running generator cannot be packed; the message says why and what to do."""


class Source(NamedTuple):
    """Where a registry installs the generator from: the lines of `requirements.txt`, and the files
    that they name, by path.
    """

    requirements: str
    files: Mapping[str, bytes]


def running() -> Source:
    """The running generator as a wheel, with the packages it needs.  Raises NotPacked."""
    data = _wheel()
    digest = hashlib.sha256(data).hexdigest()
    lock = _data(_LOCK, "requirements.txt").read_text("utf-8")
    packages = "".join(line for line in lock.splitlines(True) if not line.startswith("#"))
    return Source(f"{packages}./{PATH} --hash=sha256:{digest}\n", {PATH: data})


def elsewhere(said: str) -> Source:
    """A generator that pip gets from an address.  Raises ValueError with a message if the address
    does not fix what is installed.
    """
    name, at, address = said.strip().partition(" @ ")
    if not at:
        name, address = "registry-generator", name
    if name.strip() != "registry-generator" or not (
        _is_git.fullmatch(address) or _is_wheel.fullmatch(address)
    ):
        raise ValueError(
            f'"{said}" does not say where to get the generator: write '
            "git+https://HOST/OWNER/registry-generator@COMMIT, or the address of a wheel. "
            "A name alone would be installed from PyPI, where this project publishes nothing."
        )
    line = address if address.startswith("./") else f"registry-generator @ {address}"
    return Source(f"{line}\n", {})


def _data(packed: str, source: str) -> Path:
    """A file or folder beside the code: in the package where it is installed, in a checkout above
    it.
    """
    inside = PACKAGE / packed
    return inside if inside.exists() else PACKAGE.parent / source


def _wheel() -> bytes:
    files = {**dict(_code()), **_metadata()}
    record = "".join(f"{path},{_hash(data)},{len(data)}\n" for path, data in files.items())
    files[f"{_DIST_INFO}/RECORD"] = f"{record}{_DIST_INFO}/RECORD,,\n".encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, _TIME)
            entry.create_system = 3  # Unix, on every system
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, data)
    return packed.getvalue()


def _code() -> Iterator[tuple[str, bytes]]:
    """The files of the package, its templates and its lock, sorted by their path in the wheel."""
    found = {f"generator/{path}": file for path, file in _below(PACKAGE)}
    templates = _data("_templates", "templates")
    found |= {f"generator/_templates/{path}": file for path, file in _below(templates)}
    found[f"generator/{_LOCK}"] = _data(_LOCK, "requirements.txt")
    for path in sorted(found):
        yield path, found[path].read_bytes()


def _below(folder: Path) -> Iterator[tuple[str, Path]]:
    """Every file that belongs to a package, with its path below the folder."""
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name[0] != "." and name != "__pycache__"]
        for name in names:
            if name[0] != "." and not name.endswith((".pyc", "~")):
                file = Path(here, name)
                yield file.relative_to(folder).as_posix(), file


def _metadata() -> dict[str, bytes]:
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        installed = distribution("registry-generator")
    except PackageNotFoundError:
        installed = None
    if installed is None or installed.version != __version__:
        raise NotPacked(
            f"This generator, {PACKAGE.parent}, is not installed, so it cannot be packed for the "
            "new registry. In a checkout, run `make build` and call .venv/bin/registry; or say "
            "with --generator where to get it."
        )
    read = {
        name: installed.read_text(name)
        for name in ("METADATA", "entry_points.txt", "licenses/LICENSE")
    }
    missing = [name for name, text in read.items() if not text]
    if missing:
        raise NotPacked(
            f"The installed generator lacks {', '.join(missing)}: install it again, or say with "
            "--generator where to get it."
        )
    texts = {**{name: text or "" for name, text in read.items()}, "WHEEL": _WHEEL}
    return {f"{_DIST_INFO}/{name}": texts[name].encode() for name in sorted(texts)}


def _hash(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
    return f"sha256={digest}"
