"""approvals.yaml: changes that break a rule or trip a guard and were approved.

It is of the core, with `registry approve`: a build that a guard stops names it as the way on.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import Annotated

from generator.dialect.folder import APPROVALS_FILE, Content
from generator.dialect.parse import has_no_items
from generator.kinds.marks import Limits
from generator.kinds.models import Input
from generator.kinds.types import FINGERPRINT_PATTERN, Date, Summary
from generator.model.validate import diagnose, read_model
from generator.problems.diagnostic import Diagnostic


class Approval(Input):
    """An approved change: its fingerprint, the reason, and the day of the approval."""

    fingerprint: Annotated[str, Limits(pattern=FINGERPRINT_PATTERN)]
    reason: Summary | None = None
    date: Date | None = None


class Approvals(Input):
    """The fields of approvals.yaml."""

    approvals: list[Approval]


def read_approvals(content: Content) -> tuple[dict[str, Approval], list[Diagnostic]]:
    """Fingerprint -> approval for a content folder, and the problems of the file."""
    if not os.path.lexists(os.path.join(content.folder, APPROVALS_FILE)):
        return {}, []
    file = content.read_content(APPROVALS_FILE)
    if isinstance(file, Diagnostic):
        return {}, [file]
    if has_no_items(file, "approvals"):
        return {}, []
    model, faults, document = read_model(file, Approvals)
    found = re.search(rb"[0-9a-f]{16}", file)
    example = found[0].decode() if found else "0123456789abcdef"
    hint = (
        f'write "- fingerprint: {example}" below "approvals:", or remove the file and run '
        f"`registry approve {example}`"
    )
    faults = [
        replace(fault, hint_source=hint, fix=None)
        if fault.code in ("yaml-not-a-mapping", "wrong-type")
        else fault
        for fault in faults
    ]
    approvals = {a.fingerprint: a for a in model.approvals} if model is not None else {}
    return approvals, diagnose(content.display_path(APPROVALS_FILE), file, faults, document)
