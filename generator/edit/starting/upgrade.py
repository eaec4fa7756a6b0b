"""A newer generator in an existing registry: its wheel, requirements, workflows and host files.

As dpkg does with configuration files, a file that is still as the generator wrote it is replaced,
and a file that somebody changed is kept.  NOTE has the digest of every file as it was written.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.disk import safe_paths
from generator.edit.changes import Change, Refused, is_beside
from generator.edit.starting.files import read
from generator.edit.starting.init import HOSTS, NOTE, PIN, digest, noted

if TYPE_CHECKING:
    from generator.edit.starting.wheel import Source
    from generator.model.settings.registry import Settings

_MOST = 64 << 20  # bytes of a file


class Written(NamedTuple):
    """What NOTE says: the host, "github" or "gitlab", and the digest of each file."""

    host: str
    ci: str
    files: dict[str, str]


class Upgrade(NamedTuple):
    """The changes to make; the files that somebody changed, with what the generator would write;
    and the files that somebody removed.
    """

    changes: list[Change]
    conflicts: list[Change]
    removed: list[str]


def upgrade(
    folder: str, settings: Settings, generator: Source, replace: Collection[str] = ()
) -> Upgrade:
    """What another generator changes in a registry; files in `replace` are written whatever they
    hold.  Raises Refused.
    """
    last = _written(folder, settings)
    wanted = noted(last.host, last.ci, settings, generator)
    known = {*wanted, *last.files} - {NOTE}
    unknown = [path for path in replace if path not in known]
    if unknown:
        raise Refused(
            f"{unknown[0]} is not a file of the generator; its files are {', '.join(sorted(known))}"
        )
    done = Upgrade([], [], [])
    for path in sorted(known):
        here, new = _here(folder, path), wanted.get(path)
        change = Change(path, here, _newest_pins(new, here) if new and here else new)
        _decide(done, change, last.files.get(path), forced=path in replace)
    installed = {"requirements.txt", *generator.files}
    if any(one.path in installed for one in done.conflicts):
        raise Refused(
            "requirements.txt or the wheel was changed by hand, but the workflows need the "
            "generator of the same version. Move your own packages to a separate file, and add "
            + " ".join(f"--replace {one.path}" for one in done.conflicts if one.path in installed)
        )
    note = Change(NOTE, _here(folder, NOTE), wanted[NOTE])
    if note.before != note.after:
        done.changes.append(note)
    return done


def _decide(done: Upgrade, change: Change, written: str | None, *, forced: bool) -> None:
    """Put a file where it belongs; `written` is the digest that the generator wrote last."""
    path, here, wanted = change
    if here == wanted:
        return
    offered = digest(wanted) if wanted is not None else None
    unchanged = digest(here) == written if here is not None else written is None
    if forced or unchanged:
        done.changes.append(change)
    elif path.startswith("wheels/") and here is None:
        if wanted is not None:  # requirements.txt names it
            done.changes.append(change)
    elif written != offered:
        if here is None:
            done.removed.append(path)
        else:
            done.conflicts.append(change)


def _newest_pins(new: bytes, here: bytes) -> bytes:
    """A new workflow in which no action is older than in the one that is there."""
    pins = {pin[1]: pin for pin in PIN.finditer(here)}

    def newest(pin: re.Match[bytes]) -> bytes:
        other = pins.get(pin[1], pin)
        return max(pin, other, key=lambda pin: [*map(int, pin.groups()[2:])])[0]

    return PIN.sub(newest, new)


def _here(folder: str, path: str) -> bytes | None:
    """The bytes of a file, None if it does not exist.  Raises Refused if it is no plain file."""
    data = read(folder, path, _MOST)
    if data is None and os.path.lexists(os.path.join(folder, path)):
        raise Refused(f"{path} is not a normal file: move it away")
    return data


def _written(folder: str, settings: Settings) -> Written:
    """What NOTE says; of a registry without it, what its files show."""
    said = _here(folder, NOTE)
    if said is not None:
        return _parsed(said)
    host = next((host for host in settings.hosts or () if host in HOSTS), None)
    if host is None:
        raise Refused(
            f"content/registry.yaml names no host that `registry init` knows: add "
            f"one of {', '.join(HOSTS)} to `hosts`"
        )
    gitlab = os.path.lexists(os.path.join(folder, ".gitlab-ci.yml"))
    return Written(host, "gitlab" if gitlab else "github", {})


def _parsed(said: bytes) -> Written:
    try:
        note: Any = json.loads(said)
        last = Written(note["host"], note["ci"], note["files"])
        good = (
            last.host in HOSTS
            and last.ci in ("github", "gitlab")
            and isinstance(last.files, dict)
            and all(isinstance(digest, str) for digest in last.files.values())
            and all(safe_paths.is_below(path) and is_beside(path) for path in last.files)
            and not any(path.startswith("content/") for path in last.files)
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        good = False
    if not good:
        raise Refused(f"{NOTE} was changed by hand: restore it, or remove it")
    return last
