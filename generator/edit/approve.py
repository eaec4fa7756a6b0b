"""New entries of approvals.yaml, the file of approved changes of a published registry."""

from __future__ import annotations

from collections.abc import Sequence

from generator.dialect.folder import APPROVALS_FILE, open_content
from generator.dialect.text_edits import Text
from generator.edit.changes import Plan, Refused, Skipped
from generator.edit.rename import append_entries, check_entry
from generator.model.settings.list_files import Approval
from generator.problems.diagnostic import is_error
from generator.published.content.read import read_approvals

_NEW = (
    "# Approved changes of the published registry, each of which breaks a rule or trips a guard.\n"
    "# `registry diff` shows their fingerprints, `registry approve` adds them here.\n"
)


def plan_approvals(folder: str, fingerprints: Sequence[str], reason: str | None, day: str) -> Plan:
    """Add approvals; an existing approval with another reason gets this reason.  Raises Refused."""
    content = open_content(folder)
    approvals, problems = read_approvals(content)
    if any(map(is_error, problems)):
        raise Refused(
            f"{content.display_path(APPROVALS_FILE)} has errors: run registry check and fix them"
        )
    reason_field = {"reason": reason} if reason else {}
    new: list[dict[str, str]] = []
    changed: list[str] = []
    left: list[Skipped] = []
    for fingerprint in dict.fromkeys(fingerprints):
        if fingerprint not in approvals:
            new.append({"fingerprint": fingerprint, **reason_field, "date": day})
        elif reason and approvals[fingerprint].reason != reason:
            changed.append(fingerprint)
        else:
            left.append(Skipped(fingerprint, "it is already approved"))
    if not new and not changed:
        return Plan([], left)
    check_entry({"fingerprint": fingerprints[0], **reason_field}, Approval)

    def edit(text: Text) -> None:
        for number, entry in enumerate(text.data["approvals"]):
            if entry["fingerprint"] in changed and reason is not None:
                text.put(("approvals", number), "reason", reason)

    return Plan([append_entries(content, APPROVALS_FILE, new, _NEW, edit)], left)
