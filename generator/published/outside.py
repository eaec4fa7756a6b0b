"""Files of hosts that are outside the output, such as functions, and what their hosts take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import generator.hosts
from generator.contract.artifact import load_module
from generator.grammar.grammar import Grammar
from generator.problems.diagnostic import Diagnostic


def too_large_outside(hosts: Iterable[str], grammar: Grammar, where: str) -> Iterator[Diagnostic]:
    """Warnings about files outside the output that are larger than their hosts take; `where` is
    the file that declares kinds and filters.
    """
    for name in hosts:
        find_excess = getattr(load_module(generator.hosts, name), "find_excess", None)
        if excess := find_excess and find_excess(grammar):
            yield Diagnostic(
                where, 1, 1, "host-limit", f"{name}: {excess[0]}", excess[1], "warning"
            )
