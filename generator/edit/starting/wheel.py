"""Packs the running generator as a wheel for a new registry, with its requirements.

The generator is in no package index, so a registry has its wheel in `wheels/`; `requirements.txt`
names the wheel and all packages that it needs, with hashes.  The same commit gives the same bytes,
from a checkout and from an installed wheel.  Files are not compressed: the bytes then do not depend
on the version of zlib, and git compresses them itself.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import json
import os
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from generator import PACKAGE, UserError, __version__

NAME = f"registry_generator-{__version__}-py3-none-any.whl"
#: The path of the wheel in a registry.
PATH = f"wheels/{NAME}"

_DIST_INFO = f"registry_generator-{__version__}.dist-info"
#: The file of an installed package with the commit that it was made from.
_COMMIT = "_commit.txt"
_LOCK = "_requirements.txt"  # as packed; `requirements.txt` in a checkout
_WHEEL = """\
Wheel-Version: 1.0
Generator: registry-generator
Root-Is-Purelib: true
Tag: py3-none-any
"""
#: The earliest time in a zip archive; with the real time the bytes would differ.
_TIME = (1980, 1, 1, 0, 0, 0)
_is_git = re.compile(r"git\+(?:https|ssh|file)://[^\s@]*(?:@[^\s@/]+)?/[^\s@]+@[^\s@#]+(?:#\S*)?")
_is_wheel = re.compile(r"(?:https://|\./)\S+\.whl(?:#sha256=[0-9a-f]{64})?")


class NotPacked(UserError):
    """The running generator cannot be packed; the message says why, and what to do."""


class Requirements(NamedTuple):
    """The lines of `requirements.txt` for the generator, and the files that they name, by path."""

    requirements: str
    files: Mapping[str, bytes]


def running_generator() -> Requirements:
    """The running generator as a wheel, with its requirements.  Raises NotPacked."""
    data = _wheel()
    digest = hashlib.sha256(data).hexdigest()
    lock = _data(_LOCK, "requirements.txt").read_text("utf-8")
    packages = "".join(line for line in lock.splitlines(True) if not line.startswith("#"))
    return Requirements(f"{packages}./{PATH} --hash=sha256:{digest}\n", {PATH: data})


def running_commit() -> str:
    """The commit of the running generator, with `+` if the checkout has changes; "" if unknown."""
    if (PACKAGE.parent / ".git").exists():
        from generator.published.history.provenance import run_git

        folder = str(PACKAGE.parent)
        commit = (run_git(folder, "rev-parse", "HEAD") or b"").decode().strip()
        packed = ("generator", "templates", "requirements.txt")
        changed = run_git(folder, "status", "--porcelain", "--", *packed)
        return f"{commit[:7]}+" if commit and changed else commit
    with contextlib.suppress(OSError):
        return (PACKAGE / _COMMIT).read_text("ascii").strip()
    from importlib.metadata import PackageNotFoundError, distribution

    with contextlib.suppress(PackageNotFoundError, ValueError, AttributeError):
        installed = json.loads(
            distribution("registry-generator").read_text("direct_url.json") or "{}"
        )
        return str(installed.get("vcs_info", {}).get("commit_id", ""))
    return ""


def from_requirement(requirement: str) -> Requirements:
    """A generator that pip installs from an address of a commit or wheel.  Raises ValueError."""
    name, separator, address = requirement.strip().partition(" @ ")
    if not separator:
        name, address = "registry-generator", name
    if name.strip() != "registry-generator" or not (
        _is_git.fullmatch(address) or _is_wheel.fullmatch(address)
    ):
        raise ValueError(
            f'"{requirement}" does not say where to get the generator: write '
            "git+https://HOST/OWNER/registry-generator@COMMIT, or the address of a wheel. "
            "A name alone would be installed from PyPI, where this project publishes nothing."
        )
    line = address if address.startswith("./") else f"registry-generator @ {address}"
    return Requirements(f"{line}\n", {})


def _data(packed: str, source: str) -> Path:
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
    files = {f"generator/{path}": file for path, file in _below(PACKAGE)}
    templates = _data("_templates", "templates")
    files |= {f"generator/_templates/{path}": file for path, file in _below(templates)}
    files[f"generator/{_LOCK}"] = _data(_LOCK, "requirements.txt")
    data = {path: file.read_bytes() for path, file in files.items()}
    if (commit := running_commit()) and not commit.endswith("+"):
        data[f"generator/{_COMMIT}"] = f"{commit}\n".encode()
    yield from sorted(data.items())


def _below(folder: Path) -> Iterator[tuple[str, Path]]:
    """(path below the folder, file) of all files that are not hidden, compiled or backups."""
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name[0] != "." and name != "__pycache__"]
        for name in names:
            if name[0] != "." and not name.endswith((".pyc", "~")):
                file = Path(parent, name)
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
    licenses = installed.metadata.get_all("License-File", ["LICENSE"])
    names = ["METADATA", "entry_points.txt", *(f"licenses/{name}" for name in licenses)]
    texts = {name: installed.read_text(name) for name in names}
    missing = [name for name, text in texts.items() if not text]
    if missing:
        raise NotPacked(
            f"The installed generator lacks {', '.join(missing)}: install it again, or say with "
            "--generator where to get it."
        )
    texts["WHEEL"] = _WHEEL
    return {f"{_DIST_INFO}/{name}": (text or "").encode() for name, text in sorted(texts.items())}


def _hash(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
    return f"sha256={digest}"
