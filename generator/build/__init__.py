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
    """Build the content of `folder` into `out`; when the report has failed, nothing was touched
    there.

    What the last build made is used as far as it holds.  If that leads to an error, all is built
    without it.  Raises OutputError, PathTaken, WorkerFailed and KeyboardInterrupt, all with the
    last output as it was.
    """
    began = time.time_ns()
    check_apart(Path(folder), out)
    with _frugal(), explained(out), Workspace(out, options.waiting) as workspace, none_left():
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
            why = str(error).rstrip().rpartition("\n")[2]
        except (OSError, OutputError, PathTaken, WorkerFailed):
            raise
        except Exception as error:
            if job.cache.empty:
                raise
            why = f"{type(error).__name__}: {error}"
        finally:
            cache.close()
        return _build(job._replace(cache=cache.emptied(f"the cache caused an error ({why})")))


def _cache(
    folder: str, out: Path, workspace: Workspace, options: BuildOptions, theme: str
) -> Cache:
    """What the last build made; nothing if its output is not whole."""
    asked = [*options.hosts, *(f"precompress={coding}" for coding in options.precompress)]
    asked += [f"site={options.site}", theme, os.path.abspath(folder)]
    if options.signing_key is not None:
        asked.append("signed=" + hashlib.sha256(options.signing_key.encode()).hexdigest())
    cache = Cache.open(folder, out, fingerprint(folder, *asked))
    if not workspace.whole:
        return cache.emptied("the last build was interrupted while writing files")
    return cache


def _build(job: Job) -> Report:
    """Build what differs from the last build, if anything does."""
    if not job.cache.empty:
        with job.clock.stage("compare"):
            known = listed(job.folder, str(job.workspace.out), job.cache)
            head = job.cache.get("head")
            if known is None or head is None:
                job = job._replace(
                    cache=job.cache.emptied("the cache of the last build cannot be read")
                )
            elif known.same and _same(job, head):
                return _nothing(job, head)
            else:
                differs = compared(known, job.folder, job.cache, job.began)
                job = job._replace(known=differs)
                if differs.nothing and _same(job, head):
                    _retime(job)
                    return _nothing(job, head)
    from generator.build.pipeline import build

    return build(job)


def _same(job: Job, head: tuple[Any, ...]) -> bool:
    """Whether a build of the same content would write what the last one wrote."""
    (at, as_of, revision), _, _, state, tripped, *_, issued, history = head
    now = job.moment
    deepened = history == "shallow" and not shallow(job.folder)
    return (
        (as_of, revision) == (now.as_of.isoformat(), now.revision)
        and (at == utc(now.at) or now.from_clock)
        and job.guard.earlier is not None
        and tuple(job.guard.earlier) == tuple(state)
        and not tripped
        and not deepened
        and not now.renews(issued)
    )


def _nothing(job: Job, head: tuple[Any, ...]) -> Report:
    """What the last build reported."""
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


def _retime(job: Job) -> None:
    """Note the times that files have now, so that they need not be read again."""
    from generator.build.cache.inventory import inventory

    noted = inventory((path, stat, blob) for path, (stat, blob) in job.known.inputs.items())
    job.cache.put("inputs", tuple(noted))
    job.cache.save(everything=True)


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
