"""Builds an output folder from a content folder.

`build` is the whole of it; `options.py` has what can be asked of it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.build import current
from generator.build.limits import check_output
from generator.build.options import BuildOptions, Job
from generator.build.output import BuildOutput, check_is_ours, check_separate
from generator.build.tree import PathTaken, Tree, WrittenFile
from generator.disk.output_state import (
    CONTENT,
    STATE,
    OutputError,
    OutputState,
    explain_errors,
    find_content,
    name_of_content,
    remove_entry,
)
from generator.executors.forked import all_workers_stopped
from generator.published.check import check_settings
from generator.published.content.causes import gather_problems
from generator.published.content.guards import Guard, is_of_other_content, last_state
from generator.published.content.load import count_records
from generator.published.content.records import read
from generator.published.families import Item
from generator.published.history.provenance import Moment
from generator.published.published import Published
from generator.published.report import OutputDifference, Report


def build(folder: str, out: Path, moment: Moment, options: BuildOptions = BuildOptions()) -> Report:  # noqa: B008
    """Build the content of `folder` into `out`.  If the report has failed, `out` is unchanged.

    Raises OutputError, WorkerFailed and KeyboardInterrupt, and leaves the last output as it was.
    """
    check_separate(Path(folder), out)
    with explain_errors(out):
        check_is_ours(out)
    with (
        explain_errors(out),
        OutputState(out, options.waiting) as output_state,
        all_workers_stopped(),
    ):
        job = Job(folder, output_state, moment, options)
        records = read(folder, moment, job.workers, site=options.site)
        is_other = is_of_other_content(folder, out)
        known = options.against.state if options.against else last_state(folder, out, surely=False)
        guard = Guard(known, options.loss)
        state, problems = records.check(guard, strict=options.strict)
        problems += check_settings(records)
        counts = count_records(records.content)
        gathered = gather_problems(records.content, problems, options.strict)
        report = Report(gathered, counts, guard.counts)
        if report.failed:
            return report
        published = Published(records, job.asked(current.last_root(output_state.out)))
        report = replace(report, hosts=published.hosts, state=state.kept())
        output = BuildOutput(output_state)
        is_current = current.is_current(job, published, output.before)
        if not is_current:
            make(published, output, job)
            for finish in options.finishes.values():
                finish(output, job.workers)
        sizes = {path: size for path, (size, *_) in (output.listing.files or output.before).items()}
        more, notes = check_output(published, sizes, output.tree.read("/_redirects") or b"")
        if is_other and options.against is None:
            notes += (f"{out} was a build of other content: losses were not compared with it.",)
        report = replace(
            report,
            problems=gather_problems(records.content, [*problems, *more], options.strict),
            sizes=output.listing.sizes,
            difference=OutputDifference() if is_current else output.difference,
            is_current=is_current,
            notes=notes,
        )
        if not report.failed:
            if not is_current:
                output.complete()
            # Writing the state first finds a full disk before the output is changed.
            output_state.prepare_file(STATE, guard.next(state, folder).dump().encode())
            with _uninterrupted():
                if is_current:
                    output_state.commit_file(STATE)
                else:
                    _commit(job, output)
                    current.note(job, published, output.stats)
                output_state.tidy()
        return report


def _commit(job: Job, output: BuildOutput) -> None:
    """Put the files and the state for guards in place.  Killed in between, it leaves no note whose
    content the output is, if that changed.
    """
    source, output_state = name_of_content(job.folder), job.state
    is_noted = find_content(output_state.out) == source
    if not is_noted:
        remove_entry(CONTENT, output_state.folder)
    output.commit()
    output_state.commit_file(STATE)
    if not is_noted:
        with contextlib.suppress(OSError):  # the source stays unknown
            output_state.replace_file(CONTENT, os.fsencode(source))


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ignore Ctrl-C while the output changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def make(published: Published, output: BuildOutput, job: Job) -> None:
    """Write every file of a registry.  Raises OutputError if two outputs have the same path."""
    shared = published, output.tree
    with _explaining(published):
        for stage in published.stages:
            published.prepare(stage)
            items = published.items_of(stage)
            # A file is about half the work of a record.
            for results in job.workers(len(items) // 2, published.symbols).run(
                write, items, shared
            ):
                for surface, written in results:
                    output.account(surface, WrittenFile(*written))
            published.note(output.listing)
        for family in published.late:
            for item in family.items():
                for artifact in family.make(item):
                    output.put(family.surface(artifact.path), artifact)


def write(items: list[Item], shared: tuple[Published, Tree]) -> list[tuple[str, Any]]:
    """Write the files of items: the surface of each, and the fields of `WrittenFile`."""
    published, tree = shared
    made = (file for item in items for file in published.make(item))
    with _explaining(published):
        return [(surface, tuple(tree.write(artifact))) for surface, artifact in made]


@contextlib.contextmanager
def _explaining(published: Published) -> Iterator[None]:
    """Say which outputs have the same path, and where own templates have an error."""
    try:
        yield
    except PathTaken as taken:
        owners = published.documents.owners(str(taken)) or ["two outputs"]
        mend = "hosts that do cannot share an output: build each with --host and --out"
        if any(owner.startswith("features.") for owner in owners):
            mend = "uninstall the feature"
        raise OutputError(f"{taken} is written by {' and by '.join(owners)}; {mend}") from None
    except Exception as error:
        from generator.site.theme import MEND, ThemeError

        if not isinstance(error, ThemeError):
            raise
        raise OutputError(f"{error}\n{MEND} Nothing was written.") from error
