"""Builds an output folder from a content folder.

`build` opens the output and the cache, and decides whether there is anything to build; the stages
are in `pipeline.py`.
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

from generator.build.cache.compare import NOTHING_KNOWN, compared, listed
from generator.build.cache.fingerprint import fingerprint
from generator.build.cache.store import Cache
from generator.build.executors import WorkerFailed, WorkerRaised
from generator.build.executors.forked import none_left
from generator.build.guards import Guard, earlier
from generator.build.options import BuildOptions, Job
from generator.build.output.write import PathTaken, Workspace, check_apart
from generator.build.provenance import Moment, shallow
from generator.build.report import Clock, Nothing, Report, Sizes, judged
from generator.build.site_files import digest_of, own_theme
from generator.disk.output_state import OutputError, explained
from generator.grammar.text import utc


def build(folder: str, out: Path, moment: Moment, options: BuildOptions = BuildOptions()) -> Report:  # noqa: B008
    """Build the content of `folder` into `out`.  If the report has failed, `out` is unchanged.

    The build reuses results of the last build from the cache.  If a build with a cache raises an
    unexpected exception, it runs again with an empty cache.  Raises OutputError, PathTaken,
    WorkerFailed and KeyboardInterrupt, and leaves the last output as it was.
    """
    began = time.time_ns()
    check_apart(Path(folder), out)
    with (
        _without_garbage_collection(),
        explained(out),
        Workspace(out, options.waiting) as workspace,
        none_left(),
    ):
        theme = own_theme(folder, options.templates) if options.site else {}
        known = options.against.state if options.against else earlier(folder, out, surely=False)
        cache = _cache(folder, out, workspace, options, digest_of(theme))
        job = Job(folder, workspace, moment, options, Guard(known, options.loss), began, cache,
                  NOTHING_KNOWN, Clock(), theme)  # fmt: skip
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
        return _build(job._replace(cache=cache.emptied(f"the cache caused an error ({reason})")))


def _cache(
    folder: str, out: Path, workspace: Workspace, options: BuildOptions, theme: str
) -> Cache:
    """The cache of the last build; empty if the output is incomplete."""
    inputs = [*options.hosts, *(f"precompress={coding}" for coding in options.precompress)]
    inputs += [f"site={options.site}", theme, os.path.abspath(folder)]
    if options.signing_key is not None:
        inputs.append("signed=" + hashlib.sha256(options.signing_key.encode()).hexdigest())
    cache = Cache.open(folder, out, fingerprint(folder, *inputs))
    if not workspace.whole:
        return cache.emptied("the last build was interrupted while writing files")
    return cache


def _build(job: Job) -> Report:
    """Run the pipeline, unless content, output and moment are those of the last build."""
    if not job.cache.empty:
        with job.clock.stage("compare"):
            inventories = listed(job.folder, str(job.workspace.out), job.cache)
            head = job.cache.get("head")
            if inventories is None or head is None:
                reason = "the cache of the last build cannot be read"
                job = job._replace(cache=job.cache.emptied(reason))
            elif inventories.same and _is_same(job, head):
                return _unchanged_report(job, head)
            else:
                differences = compared(inventories, job.folder, job.cache, job.began)
                job = job._replace(known=differences)
                if differences.nothing and _is_same(job, head):
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
    deepened = history == "shallow" and not shallow(job.folder)
    return (
        (as_of, revision) == (moment.as_of.isoformat(), moment.revision)
        and (at == utc(moment.at) or moment.from_clock)
        and job.guard.earlier is not None
        and tuple(job.guard.earlier) == tuple(state)
        and not tripped
        and not deepened
        and not moment.renews(issued)
    )


def _unchanged_report(job: Job, head: tuple[Any, ...]) -> Report:
    """The report of the last build, for a build that has nothing to do."""
    from generator.guard.state import State
    from generator.problems.diagnostic import Diagnostic

    _, problems, records, state, _, sizes, hosts, remarks, *_ = head
    return Report(
        judged(map(Diagnostic.unpack, problems), job.options.strict),
        records,
        State(*state).counts,
        Sizes(sizes),
        tuple(hosts),
        job.clock,
        Nothing(),
        remarks=remarks,
        state=State(*state),
    )


def _save_times(job: Job) -> None:
    """Save the current times of files, so the next build need not read the files again."""
    from generator.build.cache.inventory import inventory

    inputs = inventory((path, stat, blob) for path, (stat, blob) in job.known.inputs.items())
    job.cache.put("inputs", tuple(inputs))
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
