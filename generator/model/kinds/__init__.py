"""The kinds of records: what `generator.kinds` declares, with what a module here computes of it."""

from __future__ import annotations

from collections.abc import Mapping

from generator.kinds import KINDS as DECLARED
from generator.model.kind import Kind
from generator.model.kinds.event import Events
from generator.model.kinds.organization import Organizations
from generator.model.kinds.program import Programs
from generator.model.kinds.project import Projects

_COMPUTING: Mapping[str, type[Kind]] = {
    "projects": Projects,
    "programs": Programs,
    "organizations": Organizations,
    "events": Events,
}
KINDS: Mapping[str, Kind] = {
    name: _COMPUTING.get(name, Kind)(declared) for name, declared in DECLARED.items()
}
