"""New entries of approvals.yaml."""

from __future__ import annotations

from collections.abc import Sequence

from generator.dialect.folder import APPROVALS_FILE, Content
from generator.dialect.text_edits import Text
from generator.edit.changes import Plan, Refused
from generator.edit.rename import hold, with_entries
from generator.model.settings.approvals import Approval, read
from generator.problems.diagnostic import is_error

_NEW = (
    "# Approved changes of the published registry, each of which breaks a rule or trips a guard.\n"
    "# `registry diff` shows their fingerprints, `registry approve` adds them here.\n"
)


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
