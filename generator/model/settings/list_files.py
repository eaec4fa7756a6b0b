"""The files beside registry.yaml that are one list: removed.yaml has the records that were removed
for good, whose slugs cannot be used again; approvals.yaml the changes that break a rule or trip a
guard and were approved.

Approvals are of the core, with `registry approve`: a build that a guard stops names it as the way
on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

from generator.kinds import Kinds
from generator.kinds.marks import Limits
from generator.kinds.models import Input, with_fields
from generator.kinds.types import FINGERPRINT_PATTERN, Date, Slug, Summary


class Removal(Input):
    """One record that is gone: when it was taken out, and why."""

    kind: str
    slug: Slug
    date: Date
    reason: Summary | None = None


class Removals(Input):
    """The fields of removed.yaml."""

    removed: list[Removal]


@cache
def removals_model(kinds: Kinds) -> type[Removals]:
    """The model of removed.yaml in a registry with these kinds."""
    removal: Any = with_fields(Removal, kind=(Literal[tuple(kinds.collection_of)], ...))
    return with_fields(Removals, removed=(list[removal], ...))


class Approval(Input):
    """An approved change: its fingerprint, the reason, and the day of the approval."""

    fingerprint: Annotated[str, Limits(pattern=FINGERPRINT_PATTERN)]
    reason: Summary | None = None
    date: Date | None = None


class Approvals(Input):
    """The fields of approvals.yaml."""

    approvals: list[Approval]


#: collection -> slug -> removal
Removed = Mapping[str, Mapping[str, Removal]]
