"""Upgrades the generator of a registry: its wheel, requirements, workflows and host files.

Like configuration files in dpkg, a file that is unchanged since the generator wrote it is replaced,
and a file that somebody edited is kept.  NOTE has the digest of each file as it was written.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NamedTuple

from generator import __version__
from generator.disk import safe_paths
from generator.edit.changes import FileChange, Refused, read
from generator.edit.starting.init import HOSTS, NOTE, PIN, digest, machinery_with_note
from generator.problems.extras import FILE

if TYPE_CHECKING:
    from generator.edit.starting.wheel import Requirements
    from generator.model.settings.registry import Settings


#: Folders and files of a repository that the generator of any version wrote.
_FOLDERS = (".github", ".vscode", "admin")
_FILES = (
    ".generator.json", ".gitignore", ".gitlab-ci.yml", "README.md", "extra.txt", "netlify.toml",
    "requirements.txt", "wrangler.jsonc",
)  # fmt: skip
_is_wheel = re.compile(
    r"wheels/registry_generator-([0-9A-Za-z.+!]{1,99})-py3-none-any\.whl"
).fullmatch


class WrittenFiles(NamedTuple):
    """The content of NOTE: the host, "github", "gitlab" or "none", and the digest of each file."""

    host: str
    ci: str
    files: dict[str, str]


class Upgrade(NamedTuple):
    """The changes to make, the changes of files that somebody edited, which are not made, and the
    paths of files that somebody removed.
    """

    changes: list[FileChange]
    conflicts: list[FileChange]
    removed: list[str]


def upgrade(
    folder: str, settings: Settings, generator: Requirements, replace: Collection[str] = ()
) -> Upgrade:
    """The changes for the generator; edited files in `replace` are written.  Raises Refused."""
    last = _written(folder, settings)
    _refuse_older(last)
    wanted = machinery_with_note(last.host, last.ci, settings, generator)
    known = {*wanted, *last.files} - {NOTE}
    unknown = [path for path in replace if path not in known]
    if unknown:
        raise Refused(
            f"{unknown[0]} is not a file of the generator; its files are {', '.join(sorted(known))}"
        )
    done = Upgrade([], [], [])
    for path in sorted(known):
        current, new = _current(folder, path), wanted.get(path)
        change = FileChange(path, current, _newest_pins(new, current) if new and current else new)
        _sort_in(done, change, last.files.get(path), forced=path in replace)
    edited = [path for path, _, after in done.conflicts if after is not None and is_installed(path)]
    if edited:
        names = " and ".join(edited)
        changed = f"{'were' if len(edited) > 1 else 'was'} changed by hand"
        if not last.files:
            changed = f"may have been changed by hand: there is no {NOTE} to compare with"
        raise Refused(
            f"{names} {changed}. The workflows need the generator of the same version. "
            f"Move packages of your own to {FILE}, which the workflows install too, and add "
            + " ".join(f"--replace {path}" for path in edited)
        )
    note = FileChange(NOTE, _current(folder, NOTE), wanted[NOTE])
    if note.before != note.after:
        done.changes.append(note)
    return done


def is_installed(path: str) -> bool:
    """Whether pip installs the generator from this file."""
    return path == "requirements.txt" or path.startswith("wheels/")


def _refuse_older(last: WrittenFiles) -> None:
    """Raises Refused if the registry has a newer generator than this one."""
    for path in last.files:
        wheel = _is_wheel(path)
        if wheel and _numbers(wheel[1]) > _numbers(__version__):
            raise Refused(
                f"This registry has generator {wheel[1]}, and you run {__version__}, which is "
                "older. Install the registry's own: .venv/bin/pip install --force-reinstall -r "
                "requirements.txt. To go back to an older one, undo the commit of the upgrade with "
                "`git revert`."
            )


def _numbers(version: str) -> list[int]:
    release = re.match(r"[0-9.]*", version)
    return [int(number) for number in release[0].split(".") if number] if release else []


def _sort_in(done: Upgrade, change: FileChange, written: str | None, *, forced: bool) -> None:
    """Add a change to the right list; `written` is the digest in NOTE."""
    path, current, wanted = change
    if current == wanted:
        return
    unchanged = digest(current) == written if current is not None else written is None
    needed = current is None and is_installed(path)
    if forced or unchanged or needed:
        done.changes.append(change)
    elif written != (digest(wanted) if wanted is not None else None):
        if current is None:
            done.removed.append(path)
        else:
            done.conflicts.append(change)


def _newest_pins(new: bytes, current: bytes) -> bytes:
    """A new workflow, with the actions of the current workflow that have newer versions."""
    pins = {pin[1]: pin for pin in PIN.finditer(current)}

    def newest(pin: re.Match[bytes]) -> bytes:
        other = pins.get(pin[1], pin)
        return max(pin, other, key=lambda pin: [*map(int, pin.groups()[2:])])[0]

    return PIN.sub(newest, new)


def _current(folder: str, path: str) -> bytes | None:
    """The bytes of a file, None if it does not exist.  Raises Refused if it is not regular."""
    data = read(folder, path)
    if data is None and os.path.lexists(os.path.join(folder, path)):
        raise Refused(f"{path} is not a normal file: move it away")
    return data


def _written(folder: str, settings: Settings) -> WrittenFiles:
    """The content of NOTE, or a guess from other files if it does not exist.  Raises Refused."""
    raw = _current(folder, NOTE)
    if raw is not None:
        return _parse(raw)
    host = next((host for host in settings.hosts or () if host in HOSTS), None)
    if host is None:
        raise Refused(
            f"content/registry.yaml names no host that `registry init` knows: add "
            f"one of {', '.join(HOSTS)} to `hosts`"
        )
    gitlab = os.path.lexists(os.path.join(folder, ".gitlab-ci.yml"))
    return WrittenFiles(host, "gitlab" if gitlab else "github", {})


def _is_of_generator(path: str) -> bool:
    """Whether an upgrade may replace or remove this file.

    NOTE may come from the author of a cloned repository, so these are none of the files that git or
    a shell runs by itself.
    """
    return safe_paths.is_inside(path) and (
        path in _FILES or path.partition("/")[0] in _FOLDERS or _is_wheel(path) is not None
    )


def _parse(raw: bytes) -> WrittenFiles:
    try:
        note: Any = json.loads(raw)
        last = WrittenFiles(note["host"], note["ci"], note["files"])
        valid = (
            last.host in HOSTS
            and last.ci in ("github", "gitlab", "none")
            and isinstance(last.files, dict)
            and all(isinstance(digest, str) for digest in last.files.values())
            and all(map(_is_of_generator, last.files))
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        valid = False
    if not valid:
        raise Refused(f"{NOTE} was changed by hand: restore it, or remove it")
    return last
