"""approvals.yaml: changes that break a rule, or trip a guard, and are meant."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated

from generator.api.diagnostic import Diagnostic, is_error
from generator.edit.changes import Plan, Refused
from generator.edit.names import hold, with_entries
from generator.edit.text import Text
from generator.records.dialect import is_bare
from generator.records.fields import Date, Input, Summary
from generator.records.folder import APPROVALS_FILE, Content
from generator.records.models import Limits
from generator.records.validate import diagnose, read_model

#: Of a fingerprint (see generator.guard.finding).
PATTERN = "^[0-9a-f]{16}$"
_NEW = (
    "# Approved changes of the published registry, each of which breaks a rule or trips a guard.\n"
    "# `registry diff` shows their fingerprints, `registry approve` adds them here.\n"
)


class Approval(Input):
    """One change that is meant: its fingerprint, why, and the day of the approval."""

    fingerprint: Annotated[str, Limits(pattern=PATTERN)]
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
    if is_bare(taken.raw, "approvals"):
        return {}, []
    said, faults, document = read_model(taken.raw, Approvals)
    known = {one.fingerprint: one for one in said.approvals} if said is not None else {}
    return known, diagnose(content.shown(APPROVALS_FILE), taken.raw, faults, document)


def plan(folder: str, fingerprints: Sequence[str], reason: str | None, day: str) -> Plan:
    """Add these approvals, and give the reason to those that are there with another one.  Raises
    Refused.
    """
    content = Content(folder)
    known, problems = read(content)
    if any(map(is_error, problems)):
        raise Refused(
            f"{content.shown(APPROVALS_FILE)} has errors: run registry check and fix them"
        )
    why = {"reason": reason} if reason else {}
    every = list(dict.fromkeys(fingerprints))
    new: list[dict[str, str]] = [
        {"fingerprint": one, **why, "date": day} for one in every if one not in known
    ]
    other = [one for one in every if one in known and why and known[one].reason != reason]
    left = [(one, "it is already approved") for one in every if one in known and one not in other]
    if not new and not other:
        return Plan([], left)
    hold({"fingerprint": every[0], **why}, Approval)

    def edit(text: Text) -> None:
        for number, entry in enumerate(text.data["approvals"]):
            if entry["fingerprint"] in other and reason is not None:
                text.put(("approvals", number), "reason", reason)

    return Plan([with_entries(content, APPROVALS_FILE, new, _NEW, edit)], left)
