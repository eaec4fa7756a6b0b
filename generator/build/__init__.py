"""Builds an output folder from a content folder.

`build` is the whole of it; `options.py` has what can be asked of it.  Several features build what
they compare or keep in a temporary folder: content as it is, or a revision of git.
"""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from generator import UserError
from generator.build.limits import check_output
from generator.build.options import BuildOptions, Job, last_root, note_current, output_is_current
from generator.build.output import (
    BuildOutput,
    PathTaken,
    Tree,
    WrittenFile,
    check_is_ours,
    check_separate,
)
from generator.dialect.folder import Content, open_content
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
from generator.executors import all_workers_stopped
from generator.guard.published import PublishedState
from generator.model.settings.registry import Settings
from generator.problems.diagnostic import Diagnostic
from generator.published.check import check_settings
from generator.published.content.causes import gather_problems
from generator.published.content.guards import Guard, is_of_other_content, last_state
from generator.published.content.load import count_records
from generator.published.content.read import read_header
from generator.published.content.records import read
from generator.published.families import Item
from generator.published.history.provenance import Moment, run_git, write_git_tree
from generator.published.published import Published
from generator.published.report import OutputDifference, Report
from generator.reader.location import FolderReader


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
        texts = output_state.new_path()
        records = read(folder, moment, job.workers, site=options.site, texts=texts)
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
        published = Published(records, job.asked(last_root(output_state.out)))
        report = replace(report, hosts=published.hosts, state=state.kept())
        output = BuildOutput(output_state)
        is_current = output_is_current(job, published, output.before)
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
                    note_current(job, published, output.stats)
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
            here, anywhere = published.items_of(stage)
            # A file is about half the work of a record.
            workers = job.workers((len(here) + len(anywhere)) // 2, True)
            for results in workers.run(write, anywhere, shared, here=here):
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


class NotBuilt(UserError):
    """The content has errors."""

    def __init__(self, name: str, problems: list[Diagnostic]):
        super().__init__(f"{name} does not build: fix the problems above")
        self.problems = problems


def resolve_commit(content: str, revision: str) -> str | None:
    """The commit of a revision in the repository of a content folder; None if there is none."""
    commit = run_git(
        _inside(content), "rev-parse", "--verify", "--quiet", "--end-of-options",
        f"{revision}^{{commit}}",
    )  # fmt: skip
    return commit.decode().strip() if commit else None


@contextlib.contextmanager
def check_out(content: str, commit: str) -> Iterator[str]:
    """The content of a commit, in a temporary folder.  Raises UserError."""
    top = run_git(_inside(content), "rev-parse", "--show-toplevel")
    if top is None:
        raise UserError(f"{content} is not in a git checkout")
    root = os.path.realpath(os.fsdecode(top.rstrip(b"\n")))
    below = os.path.relpath(os.path.realpath(content), root)
    tree = f"{commit}^{{tree}}" if below == "." else f"{commit}:{below}"
    with tempfile.TemporaryDirectory(prefix="registry-") as folder:
        target = os.path.join(folder, "content")
        os.mkdir(target)
        if not write_git_tree(root, tree, os.path.join(folder, "index"), f"{target}{os.sep}"):
            raise UserError(f"commit {commit[:12]} has no folder {below}")
        yield target


class TemporaryBuild(NamedTuple):
    """The settings of the content, the published state, and the folder of a build."""

    settings: Settings
    state: PublishedState
    folder: Path


@contextlib.contextmanager
def build_temporarily(
    content: str, name: str, at: Moment, shown: str, *, site: bool = False
) -> Iterator[TemporaryBuild]:
    """A build of the content in a temporary folder, as the state `name`.

    In problems `shown` stands for the folder.  Raises NotBuilt, OutputError and WorkerFailed.
    """
    with tempfile.TemporaryDirectory(prefix="registry-") as folder:
        out = Path(folder, "build")
        report = build(content, out, at, BuildOptions(loss="allow", site=site))
        if report.failed:
            inside = f"{content}{os.sep}"
            problems = [replace(p, path=p.path.replace(inside, shown, 1)) for p in report.problems]
            raise NotBuilt(name, problems)
        settings = settings_of(open_content(content))
        state = PublishedState(name, FolderReader(out), has_site=settings.has_site)
        yield TemporaryBuild(settings, state, out)


def settings_of(content: Content) -> Settings:
    """The settings in registry.yaml; defaults for missing and faulty fields."""
    return read_header(content)[0].settings


def _inside(content: str) -> str:
    """The nearest existing folder: the content may exist only in the revision."""
    path = os.path.realpath(content)
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    return path
