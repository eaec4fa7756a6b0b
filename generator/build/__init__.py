"""Builds an output folder from a content folder.

`build` opens the output and the cache, and decides whether there is anything to build; the stages
are in `pipeline.py`.  May import stores and below.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator.build.cache.compare import UNKNOWN_DIFFERENCES, compare
from generator.build.cache.fingerprint import fingerprint
from generator.build.cache.store import Cache
from generator.build.executors import WorkerFailed, WorkerRaised
from generator.build.executors.forked import all_workers_stopped
from generator.build.guards import Guard, last_state
from generator.build.options import BuildOptions, Job
from generator.build.output.write import PathTaken, Workspace, check_separate
from generator.build.provenance import Moment, is_shallow
from generator.build.report import Clock, NothingChanged, Report, Sizes, sort_problems
from generator.build.site_files import read_theme, theme_digest
from generator.disk.output_state import OutputError, explain_errors, find_content_folder
from generator.grammar.text import format_utc


def build(folder: str, out: Path, moment: Moment, options: BuildOptions = BuildOptions()) -> Report:  # noqa: B008
    """Build the content of `folder` into `out`.  If the report has failed, `out` is unchanged.

    The build reuses results of the last build from the cache.  If a build with a cache raises an
    unexpected exception, it runs again with an empty cache.  Raises OutputError, PathTaken,
    WorkerFailed and KeyboardInterrupt, and leaves the last output as it was.
    """
    began = time.time_ns()
    check_separate(Path(folder), out)
    with (
        _without_garbage_collection(),
        explain_errors(out),
        Workspace(out, options.waiting) as workspace,
        all_workers_stopped(),
    ):
        theme = read_theme(folder, options.templates) if options.site else {}
        known = options.against.state if options.against else last_state(folder, out, surely=False)
        cache = _cache(folder, out, workspace, options, theme_digest(theme))
        job = Job(folder, workspace, moment, options, Guard(known, options.loss), began, cache,
                  UNKNOWN_DIFFERENCES, Clock(), theme)  # fmt: skip
        try:
            return _build(job)
        except WorkerRaised as error:
            if job.cache.empty:
                raise
            reason = str(error).rstrip().rpartition("\n")[2]
        except (OSError, OutputError, PathTaken, WorkerFailed):
            raise
        except Exception as error:
            if job.cache.empty:
                raise
            reason = f"{type(error).__name__}: {error}"
        finally:
            cache.close()
        return _build(
            job._replace(cache=cache.without_parts(f"the cache caused an error ({reason})"))
        )


def _cache(
    folder: str, out: Path, workspace: Workspace, options: BuildOptions, theme: str
) -> Cache:
    """The cache of the last build; empty if the output is incomplete, or not noted as a build of
    this content.
    """
    inputs = [*options.hosts, *(f"precompress={coding}" for coding in options.precompress)]
    inputs += [f"site={options.site}", theme, os.path.abspath(folder)]
    if options.signing_key is not None:
        inputs.append("signed=" + hashlib.sha256(options.signing_key.encode()).hexdigest())
    cache = Cache.open(folder, out, fingerprint(folder, *inputs))
    if not workspace.whole:
        return cache.without_parts("the last build was interrupted while writing files")
    if not cache.empty and find_content_folder(out) != os.path.realpath(folder):
        return cache.without_parts("the notes beside the output are gone")
    return cache


def _build(job: Job) -> Report:
    """Run the pipeline, unless content, output and moment are those of the last build."""
    if not job.cache.empty:
        with job.clock.stage("compare"):
            out, head = str(job.workspace.out), job.cache.get("head")
            differences = compare(job.folder, out, job.cache, job.began)
            if differences is None or head is None:
                reason = "the cache of the last build cannot be read"
                job = job._replace(cache=job.cache.without_parts(reason))
            else:
                job = job._replace(differences=differences)
                if differences.is_unchanged and _is_same(job, head):
                    _save_times(job)
                    return _unchanged_report(job, head)
    from generator.build.pipeline import build

    return build(job)


def _is_same(job: Job, head: tuple[Any, ...]) -> bool:
    """Whether a build of unchanged content would write the same files as the last build.

    `head` is what `Work.commit` noted of that build.
    """
    (at, as_of, revision), _, _, state, tripped, *_, issued, history = head
    moment = job.moment
    deepened = history == "shallow" and not is_shallow(job.folder)
    return (
        (as_of, revision) == (moment.as_of.isoformat(), moment.revision)
        and (at == format_utc(moment.at) or moment.from_clock)
        and job.guard.earlier is not None
        and tuple(job.guard.earlier) == tuple(state)
        and not tripped
        and not deepened
        and not moment.needs_renewal(issued)
    )


def _unchanged_report(job: Job, head: tuple[Any, ...]) -> Report:
    """The report of the last build, for a build that has nothing to do."""
    from generator.guard.state import State
    from generator.problems.diagnostic import Diagnostic

    _, problems, records, state, _, sizes, hosts, remarks, *_ = head
    return Report(
        sort_problems(map(Diagnostic.unpack, problems), job.options.strict),
        records,
        State(*state).counts,
        Sizes(sizes),
        tuple(hosts),
        job.clock,
        NothingChanged(),
        remarks=remarks,
        state=State(*state),
    )


def _save_times(job: Job) -> None:
    """Save changed times of files, so the next build need not read the files again."""
    if job.differences.inputs != job.cache.get("inputs"):
        job.cache.put("inputs", job.differences.inputs)
        job.cache.save(everything=True)


@contextlib.contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Turn cyclic garbage collection off: a build makes many objects and few cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
