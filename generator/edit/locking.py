"""Writes the schema.lock.json of a content folder."""

from __future__ import annotations

from generator.contract.lock import schema_text
from generator.dialect.folder import LOCK_FILE, open_content
from generator.edit.changes import FileChange, Plan, Refused, read
from generator.kinds.promised import promised
from generator.published.content.read import read_header


def plan_lock(folder: str) -> Plan:
    """The change that notes what readers rely on in the kinds of a registry.  Raises Refused if it
    declares none, and has no lock.
    """
    content = open_content(folder)
    kinds = read_header(content)[0].settings.kinds
    before = read(folder, LOCK_FILE)
    if before is None and kinds is kinds.having({}, {}, ()):
        raise Refused("registry.yaml declares no kinds and fields of its own: nothing to note")
    after = schema_text({"kinds": promised(kinds)}).encode()
    return Plan([FileChange(LOCK_FILE, before, after)] if after != before else [], [])
