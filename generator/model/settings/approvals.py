"""approvals.yaml: changes that break a rule, or trip a guard, and are meant."""

from __future__ import annotations

import os
from typing import Annotated

from generator.dialect.folder import APPROVALS_FILE, Content
from generator.dialect.parse import is_bare
from generator.model.fields import Date, Input, Summary
from generator.model.models import Limits
from generator.model.validate import diagnose, read_model
from generator.problems.diagnostic import Diagnostic

#: Of a fingerprint (see generator.guard.finding).
PATTERN = "^[0-9a-f]{16}$"


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
