"""Checks content without building it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import date

import generator.hosts
from generator.contract.artifact import module_names
from generator.dialect.folder import (
    APPROVALS_FILE,
    LOCK_FILE,
    REGISTRY_FILE,
    REMOVED_FILE,
    Planned,
)
from generator.executors import Executor, choose_executor
from generator.feature import Hook
from generator.model.settings.registry import Settings
from generator.problems.diagnostic import Diagnostic, is_accepted, sort_diagnostics
from generator.problems.faults import Fault
from generator.published.content.causes import gather_problems
from generator.published.content.guards import Guard
from generator.published.content.load import count_records
from generator.published.content.read import diagnose_settings
from generator.published.content.records import Records, read
from generator.published.history.provenance import Moment
from generator.published.outside import too_large_outside
from generator.published.report import Report

#: The work of a check on a record, as a share of that of a build.
CHECK_SHARE = 1 / 4


def check(
    folder: str,
    as_of: date,
    guard: Guard = Guard(),  # noqa: B008
    *,
    jobs: int | None = None,
    strict: bool = False,
    files: Collection[str] = (),
    planned: Planned | None = None,
) -> Report:
    """Report every problem of the content; nothing is written.

    With `files`, paths below the content folder, all records are checked, but only the problems of
    these files and of registry.yaml and the files beside it are listed; the others are counted.
    The content is checked as it will be after the changes `planned`.
    """

    def workers(items: int, anywhere: bool = False) -> Executor:
        return choose_executor(jobs, int(items * CHECK_SHARE))

    records = read(folder, Moment.of_day(as_of), workers, renders=False, planned=planned)
    content = records.content
    _, problems = records.check(guard, strict=strict)
    # A build here would lack the package; the content itself is right.
    problems += [replace(p, severity="warning") for p in check_settings(records)]
    symbols = None if records.linked.symbols.unread_settings else records.linked.symbols
    if symbols and not files and planned is None:
        where = content.display_path(REGISTRY_FILE)
        # Unknown hosts are problems of registry.yaml.
        hosts = [
            n for n in records.linked.settings.hosts or () if n in module_names(generator.hosts)
        ]
        problems += records.linked.accepting([*too_large_outside(hosts, symbols.grammar, where)])
    listed = problems
    if files:
        paths = (*files, REGISTRY_FILE, REMOVED_FILE, APPROVALS_FILE, LOCK_FILE, "")
        shown_paths = set(map(content.display_path, paths))
        listed = [problem for problem in problems if problem.path in shown_paths]
    elsewhere = sum(not is_accepted(p) for p in problems) - sum(not is_accepted(p) for p in listed)
    notes = list[str]()
    if content.hidden and not files:
        number, first = len(content.hidden), content.display_path(min(content.hidden))
        notes.append(
            f"{number:,} hidden files ignored, like {first}"
            if number > 1
            else f"1 hidden file ignored: {first}"
        )
    return Report(
        gather_problems(content, listed, strict), count_records(content), guard.counts,
        elsewhere=elsewhere,
        notes=tuple(notes),
        accepted=sort_diagnostics(filter(is_accepted, listed)),
        symbols=symbols,
    )  # fmt: skip


CHECK_SETTINGS: Hook[Callable[[Settings], Iterable[Fault]]] = Hook(
    "checks", "check_settings", "settings"
)


def check_settings(records: Records) -> list[Diagnostic]:
    """What features find in registry.yaml before a build, such as a package that is missing."""
    faults = [fault for check in CHECK_SETTINGS for fault in check(records.linked.settings)]
    return diagnose_settings(records.content, faults)
