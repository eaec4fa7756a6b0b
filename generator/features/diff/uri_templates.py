"""Whether a changed URI template (RFC 6570) still gives every address that it gave."""

from __future__ import annotations

import re
from typing import NamedTuple

#: An expression of a template: its operator, then names with commas between.
_expressions = re.compile(r"\{([+#./;?&]?)([^{}]*)\}")


class _Form(NamedTuple):
    """A template: its path with expressions, its fixed parameters as `name=value`, and the names of
    its other parameters.  Parameters have no order.
    """

    path: str
    fixed: frozenset[str]
    names: frozenset[str]


def covers(now: str, was: str) -> bool:
    """Whether `now` gives every address that `was` gives: variables may be added, because an
    address is made without those that have no value.
    """
    known = {name for _, names in _expressions.findall(was) for name in names.split(",")}
    old, new = _form(was), _form(now)
    given = {pair.partition("=")[0] for pair in old.fixed - new.fixed}
    return (
        _expressions.sub(lambda found: _with_names(found, known), new.path) == old.path
        and new.fixed <= old.fixed
        and given | old.names <= new.names
    )


def _form(template: str) -> _Form:
    names: set[str] = set()

    def without_query(found: re.Match[str]) -> str:
        if found[1] not in ("?", "&"):
            return found[0]
        names.update(found[2].split(","))
        return ""

    path, _, query = _expressions.sub(without_query, template).partition("?")
    return _Form(path, frozenset(filter(None, query.split("&"))), frozenset(names))


def _with_names(found: re.Match[str], known: set[str]) -> str:
    """An expression with the known ones of its variables; no expression if there are none."""
    kept = ",".join(name for name in found[2].split(",") if name in known)
    return f"{{{found[1]}{kept}}}" if kept else ""
