"""The key `compare` of registry.yaml: which records are compared."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from generator.kinds.models import Input
from generator.kinds.types import Line
from generator.model.settings.keys import Keys
from generator.problems.diagnostic import suggest_word
from generator.problems.faults import Fault

if TYPE_CHECKING:
    from generator.kinds import Kinds
    from generator.model.settings.registry import Settings as Registry


class Compare(Input):
    """Whose records are compared: these, and the parts of them by filter."""

    of: Annotated[
        Line | None,
        Field(description="The collection of the comparison; without it, the projects."),
    ] = None


class Settings(Keys):
    compare: Annotated[Compare | None, Field(description="The records of the page /compare/.")] = (
        None
    )


def compared_collection(kinds: Kinds, compare: Compare | None) -> str:
    """The collection of the comparison: the one that is named, else the one with the role
    `counted`; "" if the registry has none, or none of this name.
    """
    of = (compare.of if compare else None) or kinds.counted
    return of if of in kinds and not kinds[of].timed else ""


def check_keys(settings: Registry, unread: Container[str]) -> Iterator[Fault]:
    compare, kinds = Settings.of(settings).compare, settings.kinds
    if compare is None or "kinds" in unread or compared_collection(kinds, compare):
        return
    known = [name for name, kind in kinds.items() if not kind.timed]
    near = suggest_word(compare.of, known) if compare.of else None
    hint = near or f"name one of: {', '.join(known)}"
    message = f'compare.of: "{compare.of or ""}" is no collection whose records can be compared'
    yield Fault("invalid-choice", message, ("compare", "of"), hint)
