"""The schema.lock.json of a content folder: what readers rely on in the kinds that registry.yaml
declares.  A change that breaks it is an error, before anything is published.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import date

from generator.dialect.folder import LOCK_FILE, Content
from generator.kinds import Kinds
from generator.kinds.promised import Promises, broken_promises, is_over, promised, read_promises
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Diagnostic
from generator.problems.faults import Fault, Loc, describe_field
from generator.published.content.read import diagnose_settings

_ON_PURPOSE = "On purpose? Run `registry schema --write`."
_RESTORE = "restore it from git, or run `registry schema --write`"


def check_promises(content: Content, symbols: Symbols, as_of: date) -> list[Diagnostic]:
    """The problems of registry.yaml: what breaks the lock, and what was retired and may be removed
    now.  Nothing breaks if there is no lock, or if the kinds could not be read.
    """
    if symbols.unread_settings & {"kinds", "without_kinds", "fields"}:
        return []
    kinds, month = symbols.grammar.kinds, f"{as_of:%Y-%m}"
    before = read_lock(content)
    if isinstance(before, Diagnostic):
        return [before]
    faults = [*_broken(before, kinds, month), *_over(kinds, month)]
    return diagnose_settings(content, faults) if faults else []


def read_lock(content: Content) -> Promises | Diagnostic:
    """The lock of a content folder, empty if there is none."""
    is_there = os.path.lexists(os.path.join(content.folder, LOCK_FILE))
    if not is_there or content.planned.get(LOCK_FILE, b"") is None:
        return {}
    raw = content.read_content(LOCK_FILE)
    if isinstance(raw, Diagnostic):
        return raw
    try:
        found = read_promises(json.loads(raw))
    except (ValueError, RecursionError):
        found = None
    if found is None:
        message = "this is not what `registry schema --write` writes"
        return content.file_problem(LOCK_FILE, "unreadable-file", message, _RESTORE)
    return found


def _broken(before: Promises, kinds: Kinds, month: str) -> Iterator[Fault]:
    for broken in broken_promises(before, kinds, month):
        if broken.is_gone:
            hint = f"restore it with retired: YYYY-MM, its last month. {_ON_PURPOSE}"
        else:
            hint = f"undo it, or declare a new one beside it and retire this one. {_ON_PURPOSE}"
        message = f"{describe_field(broken.loc)}: {broken.message}, but readers rely on it"
        yield Fault("breaks-readers", message, broken.loc, hint, on_key=broken.is_gone)


def _over(kinds: Kinds, month: str) -> Iterator[Fault]:
    """Warnings about what was announced to be gone by now."""
    for name, of in promised(kinds).items():
        own = kinds[name].is_own
        loc: Loc = ("kinds", name) if own else ("fields", name)
        if own and is_over(of, month):
            yield _may_go(loc, of["retired"], f"its records in {name}/")
        for key, field in of.get("fields", {}).items():
            if is_over(field, month):
                at = (*loc, "fields", key) if own else (*loc, key)
                yield _may_go(at, field["retired"], f"its values in {name}/")


def _may_go(loc: Loc, month: str, what: str) -> Fault:
    message = f"{describe_field(loc)}: readers had it until {month}, and it may be gone now"
    hint = f"remove it here, and {what}; or set retired to a later month"
    return Fault("may-be-removed", message, loc, hint, on_key=True, severity="warning")
