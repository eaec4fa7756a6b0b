"""From content to output: the decision what to build, the pipeline, its processes and the files it
writes.
"""

from __future__ import annotations

import contextlib
import gc
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from generator.api.artifact import utc
from generator.build.buildlog import Log, fingerprint, why_whole
from generator.build.executors import WorkerFailed
from generator.build.executors.forked import none_left
from generator.build.losses import Guard, earlier
from generator.build.options import BuildOptions, Job
from generator.build.provenance import Moment
from generator.build.report import Nothing, Outcome, Report, Whole
from generator.build.write import Workspace, check_apart
from generator.disk.beside import explained
from generator.records.folder import Content

if TYPE_CHECKING:
    from generator.build.changes import Changes


def build(folder: str, out: Path, moment: Moment, options: BuildOptions = BuildOptions()) -> Report:  # noqa: B008
    """Build the content of `folder` into `out`; when the report has failed, nothing was touched
    there.

    What the last build left is used as far as it holds: nothing is done when nothing changed, and
    only what changed is rendered when that is little.  Raises OutputError, WorkerFailed and
    KeyboardInterrupt, all with the last output as it was.
    """
    began = time.time_ns()
    check_apart(Path(folder), out)
    with _frugal(), explained(out), Workspace(out, options.waiting) as workspace, none_left():
        asked = (*options.hosts, *(f"precompress={coding}" for coding in options.precompress))
        mark = fingerprint(os.path.abspath(folder), folder, *asked)
        log = Log.open(workspace.log, mark) if workspace.whole else None
        report = Report(
            earlier=log.head.kept if log is not None else earlier(folder, out, surely=False)
        )
        job = Job(
            folder,
            workspace,
            moment,
            options,
            Guard(report.earlier, options.loss),
            mark,
            began,
            log,
            report,
        )
        report.outcome = _with_log(job, log) if log is not None else _without_log(job)
        if isinstance(report.outcome, Whole):
            from generator.build.pipeline import build_whole

            report.sizes.clear()
            build_whole(job, report.outcome.reason)
    return report


def _without_log(job: Job) -> Outcome:
    workspace = job.workspace
    return Whole(
        why_whole(workspace.log, job.fingerprint)
        if workspace.whole
        else "the last build was killed half way"
    )


def _with_log(job: Job, log: Log) -> Outcome:
    """Do what the log lets do without building all; where it lets nothing, `Whole` and nothing was
    done.

    Whatever a log says that is not so ends here, LogDamaged or another: a whole build needs none.
    """
    try:
        found = _compared(job, log)
        if isinstance(found, Whole):
            return found
        at, as_of, revision = log.head.moment
        now = job.moment
        same = (as_of, revision) == (now.as_of.isoformat(), now.revision) and (
            at == utc(now.at) or now.from_clock
        )
        if same and not found.content:
            return _nothing(job, log, found)
        from generator.build.warm import rebuild

        return rebuild(job, log, found)
    except (OSError, WorkerFailed):
        raise
    except Exception as error:
        return Whole(f"the build log is damaged ({type(error).__name__})")


def _compared(job: Job, log: Log) -> Changes | Whole:
    """What changed since the last build.  Raises LogDamaged."""
    from generator.build.changes import changes

    with job.report.stage("compare"):
        try:
            found = changes(job.folder, job.workspace.out, log, job.began)
        except OSError as error:
            return Whole(f"{error.filename} cannot be read")
    return (
        Whole(f"{found.damaged} was changed, added or removed since the last build")
        if found.damaged
        else found
    )


def _nothing(job: Job, log: Log, found: Changes) -> Outcome:
    """Say again what the last build said, and note times that are others."""
    head, report = log.head, job.report
    report.too_large, report.records, report.hosts, report.sizes = (
        head.too_large,
        head.records,
        head.hosts,
        head.sizes,
    )
    lost = job.guard.problems(Content(job.folder), head.records, head.allow_loss)
    report.finish([*lost, *head.problems], job.options.strict)
    kept = job.guard.kept(head.records)
    if not report.failed and (found.restat or kept != head.kept):
        from generator.build.buildlog import Writer

        writer = Writer(job.workspace.log, log)
        writer.keep(*(name for name in head.parts if name != "inputs"))
        for name in head.rows:
            writer.keep_rows(name)
        with writer:
            writer.inventory("inputs", found.inputs)
            writer.prepare(replace(head, kept=kept))
            writer.finish()
    return Nothing()


@contextlib.contextmanager
def _frugal() -> Iterator[None]:
    """No cyclic garbage collection: a build makes many objects, no cycles to speak of, and then
    ends.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
