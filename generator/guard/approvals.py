"""approvals.yaml: changes that break a rule, or trip a guard, and are meant."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import StringConstraints

from generator.api.diagnostic import Diagnostic
from generator.edit.changes import Change, Plan, Refused
from generator.edit.new import text
from generator.edit.text import Unchangeable, data_of
from generator.records.fields import Date, Input, Summary
from generator.records.folder import APPROVALS_FILE, MAX_BYTES, Content, take
from generator.records.validate import diagnose, read_model

#: Of a fingerprint (see generator.guard.finding).
PATTERN = "^[0-9a-f]{16}$"
_HEAD = (
    "# Changes of what is published that break a rule, or trip a guard, and are meant:\n"
    "# registry diff shows the fingerprint of each, registry approve writes them here.\n"
)


class Approval(Input):
    """One change that is meant: its fingerprint, why, and the day of the approval."""

    fingerprint: Annotated[str, StringConstraints(pattern=PATTERN)]
    reason: Summary | None = None
    date: Date | None = None


class Approvals(Input):
    """The fields of approvals.yaml."""

    approvals: list[Approval]


def read(content: Content) -> tuple[dict[str, Approval], list[Diagnostic]]:
    """fingerprint -> its approval, of a content folder; and the problems of the file."""
    if not os.path.lexists(os.path.join(content.folder, APPROVALS_FILE)):
        return {}, []
    taken = content.take(APPROVALS_FILE)
    if isinstance(taken, Diagnostic):
        return {}, [taken]
    said, faults, document = read_model(taken.raw, Approvals)
    known = {one.fingerprint: one for one in said.approvals} if said is not None else {}
    return known, diagnose(content.shown(APPROVALS_FILE), taken.raw, faults, document)


def plan(folder: str, fingerprints: Sequence[str], reason: str | None, day: str) -> Plan:
    """These approvals beside those that are there; what is approved already is left alone.  Raises
    Refused.
    """
    path = os.path.join(folder, APPROVALS_FILE)
    raw = take(path).raw if os.path.lexists(path) else None
    known = _known(raw)
    told = {one.get("fingerprint") for one in known}
    new = [
        {"fingerprint": one, **({"reason": reason} if reason else {}), "date": day}
        for one in dict.fromkeys(fingerprints)
        if one not in told
    ]
    left = [(one, "it is approved already") for one in fingerprints if one in told]
    if not new:
        return Plan([], left)
    after = _with(raw, {"approvals": [*known, *new]}, {"approvals": new})
    if len(after) > MAX_BYTES:
        raise Refused(f"{APPROVALS_FILE} would be too large: take out what was published long ago")
    return Plan([Change(APPROVALS_FILE, raw, after)], left)


def _known(raw: bytes | None) -> list[Mapping[str, object]]:
    if raw is None:
        return []
    said, faults, _ = read_model(raw, Approvals)
    if said is None or any(fault.severity == "error" for fault in faults):
        raise Refused(f"{APPROVALS_FILE} has faults: mend what registry check tells of it")
    return [one.model_dump(mode="json", exclude_none=True) for one in said.approvals]


def _with(raw: bytes | None, every: dict[str, object], new: dict[str, object]) -> bytes:
    """The file with the new ones at its end, all else as it is; where its layout has no such end,
    the whole file anew.
    """
    if raw is None:
        return (_HEAD + text(new)).encode()
    grown = raw.rstrip(b"\n") + b"\n" + text(new).encode().partition(b"\n")[2]
    try:
        if data_of(grown) == every:
            return grown
    except Unchangeable:
        pass
    return (_HEAD + text(every)).encode()
