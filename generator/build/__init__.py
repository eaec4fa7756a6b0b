"""From content to output: the decision what to build, the pipeline, its processes and the files it writes."""

from __future__ import annotations

import contextlib
import gc
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from generator.api.artifact import utc
from generator.api.diagnostic import Diagnostic
from generator.build.buildlog import Log, fingerprint, why_whole
from generator.build.losses import Guard, Loss, earlier
from generator.build.provenance import Moment
from generator.build.report import Progress, Report, Sizes
from generator.build.workers import WorkerFailed, none_left
from generator.build.write import Workspace, check_apart
from generator.disk.beside import explained
from generator.records.folder import Content


def build(
    folder: str,
    out: Path,
    moment: Moment,
    *,
    hosts: tuple[str, ...] = (),
    jobs: int | None = None,
    strict: bool = False,
    precompress: tuple[str, ...] = (),
    loss: Loss = "stop",
    progress: Progress = lambda name, done, total: None,
    waiting: Callable[[], None] = lambda: None,
) -> Report:
    """Build the content of `folder` into `out`; when the report has failed, nothing was touched there.

    What the last build left is used as far as it holds: nothing is done when nothing changed, and only what changed is
    rendered when that is little.  With `strict`, warnings are errors.  Without `hosts`, those of registry.yaml are
    meant.  `precompress` has codings of generator.build.compress.  `loss` says what is done where too many records are
    gone since the last build.  Raises OutputError, WorkerFailed and
    KeyboardInterrupt, all with the last output as it was.
    """
    report = Report()
    began = time.time_ns()
    check_apart(Path(folder), out)
    with _frugal(), explained(out), Workspace(out, waiting) as workspace, none_left():
        mark = fingerprint(os.path.abspath(folder), folder, *hosts, *(f"precompress={coding}" for coding in precompress))
        log = Log.open(workspace.log, mark) if workspace.whole else None
        if log is None:
            report.reason = why_whole(workspace.log, mark) if workspace.whole else "the last build was killed half way"
        report.earlier = log.head["kept"] if log is not None else earlier(folder, out, surely=False)
        guard = Guard(report.earlier, loss)
        if log is not None:
            try:
                if _partial(folder, workspace, log, moment, report, guard, strict, began, mark):
                    return report
            except (OSError, WorkerFailed):
                raise
            except Exception as error:
                # Whatever a log says that is not so ends here, LogDamaged or another: a whole build needs none.
                report.reason, report.whole = f"the build log is damaged ({type(error).__name__})", True
        from generator.build.pipeline import build_whole
        from generator.records.folder import scan

        report.sizes.clear()
        build_whole(scan(folder), workspace, moment, report, hosts=hosts, jobs=jobs, strict=strict, guard=guard,
                    progress=progress, precompress=precompress, began=began, fingerprint=mark, last=log)  # fmt: skip
    return report


def _partial(
    folder: str,
    workspace: Workspace,
    log: Log,
    moment: Moment,
    report: Report,
    guard: Guard,
    strict: bool,
    began: int,
    mark: str,
) -> bool:
    """Bring the output up to date from the log; False, and a reason in the report, where that takes a whole build."""
    from generator.build.changes import changes

    with report.stage("compare"):
        try:
            found = changes(folder, workspace.out, log, began)
        except OSError as error:
            report.reason = f"{error.filename} cannot be read"
            return False
    if found.damaged:
        report.reason = f"{found.damaged} was changed, added or removed since the last build"
        return False
    at, as_of, revision = log.head["moment"]
    same = as_of == moment.as_of.isoformat() and revision == moment.revision and (at == utc(moment.at) or moment.from_clock)
    if found.content or not same:
        from generator.build.warm import rebuild

        return rebuild(folder, workspace, log, found, moment, report, guard, strict=strict, fingerprint=mark, began=began)
    report.whole = False
    report.too_large = log.head["too_large"]
    report.records, report.hosts, report.sizes = log.head["records"], tuple(log.head["hosts"]), Sizes(log.head["sizes"])
    lost = guard.problems(Content(folder), report.records, log.head["allow_loss"])
    report.finish([*lost, *(Diagnostic(*p) for ps in log.head["problems"].values() for p in ps)], strict)
    kept = guard.kept(report.records)
    if not report.failed and (found.restat or kept != log.head["kept"]):
        from generator.build.buildlog import Writer

        writer = Writer(workspace.log, log)
        writer.keep(*(name for name in log.head["parts"] if name != "inputs"))
        for name in log.head["rows"]:
            writer.keep_rows(name)
        with writer:
            writer.inventory("inputs", found.inputs)
            writer.prepare(mark, {**log.head, "kept": kept})
            writer.finish()
    return True


@contextlib.contextmanager
def _frugal() -> Iterator[None]:
    """No cyclic garbage collection: a build makes many objects, no cycles to speak of, and then ends."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
