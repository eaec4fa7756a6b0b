"""From content to output: the decision what to build, the pipeline, its processes and the files it
writes.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from generator.api.artifact import utc
from generator.build.buildlog import Log, fingerprint, why_whole
from generator.build.executors import WorkerFailed, WorkerRaised
from generator.build.executors.forked import none_left
from generator.build.guards import Guard, earlier
from generator.build.options import BuildOptions, Job
from generator.build.provenance import Moment, shallow
from generator.build.report import Clock, Nothing, Part, Report, Whole, judged
from generator.build.themes import digest_of, own_theme
from generator.build.write import Workspace, check_apart
from generator.disk.beside import explained

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
        asked = [*options.hosts, *(f"precompress={coding}" for coding in options.precompress)]
        theme = own_theme(folder, options.templates) if options.site else {}
        asked += [f"site={options.site}", digest_of(theme)]
        if options.signing_key is not None:
            asked.append("signed=" + hashlib.sha256(options.signing_key.encode()).hexdigest())
        mark = fingerprint(os.path.abspath(folder), folder, *asked)
        log = Log.open(workspace.log, mark) if workspace.whole else None
        if options.against is not None:
            known = options.against.state
        else:
            known = log.head.earlier if log is not None else earlier(folder, out, surely=False)
        guard = Guard(known, options.loss)
        job = Job(folder, workspace, moment, options, guard, mark, began, log, Clock(), theme)
        done = _with_log(job, log) if log is not None else _without_log(job)
        return _whole(job, done) if isinstance(done, Whole) else done


def _without_log(job: Job) -> Whole:
    if not job.workspace.whole:
        return Whole("the last build was killed half way")
    return Whole(why_whole(job.workspace.log, job.fingerprint))


def _with_log(job: Job, log: Log) -> Report | Whole:
    """Do what the log lets do without building all; where it lets nothing, `Whole` and nothing was
    done.

    Whatever a log says that is not so ends here, LogDamaged or another: a whole build needs none.
    """
    try:
        changes = _compared(job, log)
        if isinstance(changes, Whole):
            return changes
        at, as_of, revision = log.head.moment
        now = job.moment
        deepened = log.head.history.state == "shallow" and not shallow(job.folder)
        same = (as_of, revision) == (now.as_of.isoformat(), now.revision) and (
            at == utc(now.at) or now.from_clock
        )
        passed = job.guard.earlier == log.head.state and not log.head.tripped
        same = same and passed and not deepened and not now.renews(log.head.issued)
        return (
            _nothing(job, log, changes)
            if same and not changes.content
            else _part(job, log, changes)
        )
    except WorkerRaised:
        return Whole("the build log is damaged")
    except (OSError, WorkerFailed):
        raise
    except Exception as error:
        return Whole(f"the build log is damaged ({type(error).__name__})")


def _compared(job: Job, log: Log) -> Changes | Whole:
    """What changed since the last build.  Raises LogDamaged."""
    from generator.build.changes import changes

    with job.clock.stage("compare"):
        try:
            seen = changes(job.folder, job.workspace.out, log, job.began)
        except OSError as error:
            return Whole(f"{error.filename} cannot be read")
    if seen.damaged:
        return Whole(f"{seen.damaged} was changed, added or removed since the last build")
    return seen


def _nothing(job: Job, log: Log, changes: Changes) -> Report:
    """Say again what the last build said, and note times that are others, and folders that need
    not be listed again.
    """
    head = log.head
    report = Report(
        judged(head.problems, job.options.strict),
        head.records,
        head.state.counts,
        head.sizes,
        head.hosts,
        job.clock,
        Nothing(),
        remarks=head.remarks,
        state=head.state,
    )
    if not report.failed and (changes.restat or changes.resettled):
        from generator.build.buildlog import Writer

        writer = Writer(job.workspace.log, log)
        other = {"settled", *(["inputs"] if changes.restat else [])}
        writer.keep(*(head.parts.keys() - other))
        for name in head.rows:
            writer.keep_rows(name)
        with writer:
            if changes.restat:
                writer.inventory("inputs", changes.inputs)
            writer.settled(changes.settled)
            writer.prepare(head)
            writer.finish()
    return report


def _part(job: Job, log: Log, changes: Changes) -> Report | Whole:
    """Build what changed.  Raises LogDamaged."""
    from generator.build.affected import NeedsWhole, of_changes
    from generator.build.pipeline import build

    try:
        with job.clock.stage("read"):
            scope = of_changes(job.folder, log, changes, job.moment.as_of.isoformat())
        with none_left():
            return build(job, scope, Part())
    except NeedsWhole as why:
        return Whole(str(why))


def _whole(job: Job, outcome: Whole) -> Report:
    from generator.build.pipeline import build
    from generator.build.scope import everything

    with job.clock.stage("read"):
        scope = everything(job.folder, job.moment.as_of.isoformat())
    return build(job, scope, outcome)


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
