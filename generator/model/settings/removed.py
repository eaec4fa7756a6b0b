"""removed.yaml: records that were removed for good.  Their slugs cannot be used again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from generator.kinds import COLLECTION_OF
from generator.kinds.models import Input
from generator.kinds.types import Date, Slug, Summary

Kind: Any = Literal[tuple(COLLECTION_OF)]


class Removal(Input):
    """One record that is gone: when it was taken out, and why."""

    kind: Kind
    slug: Slug
    date: Date
    reason: Summary | None = None


class Removals(Input):
    """The fields of removed.yaml."""

    removed: list[Removal]


#: collection -> slug -> removal
Removed = Mapping[str, Mapping[str, Removal]]
