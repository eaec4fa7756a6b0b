"""The options of a build, what `registry build` is asked for, and one build; whether an output is
one of the same content, day, commit, version and options already.

build.json says of what an output is a build, and a note beside it of which folder.  Another note
has a digest of everything else: the generator and its libraries, the options, and the names, sizes
and times of all files, so that files that somebody changed are made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import orjson

from generator.build.output import BuildOutput, Stat
from generator.contract import manifest
from generator.disk import output_state, safe_paths
from generator.engine.bundles import NOTE, note_of
from generator.executors import ChooseExecutor, Executor, Progress, choose_executor
from generator.feature import features
from generator.grammar.paths import BUILD, MANIFEST_ROOT
from generator.guard.state import State
from generator.published.content.guards import Loss
from generator.published.content.theme_files import read_theme, theme_folder
from generator.published.families.manifest import Signer
from generator.published.history.provenance import Moment, is_shallow, is_whole
from generator.published.published import Options, Published


class Against(NamedTuple):
    """A published state for the guards to compare with; None if nothing was published yet."""

    state: State | None


class Finish(Protocol):
    """Adds files that are made of all others and that the manifest does not list, such as
    compressed copies.
    """

    def __call__(self, output: BuildOutput, workers: ChooseExecutor) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """The options of a build.

    hosts: the hosts to write for; if empty, those of registry.yaml.
    jobs: the number of processes; None for as many as are useful.
    strict: whether warnings are errors.
    finishes: called in order when all files are made, by a text that says what they add.
    loss: what to do about a tripped guard.
    against: the state that guards compare the build with; None for that of the last build.
    site: whether to write pages for people.
    templates: the folder of the registry's own templates; None for the one beside the content.
    signer: signs the manifest, if anything does.
    progress: called with the progress of stages.
    waiting: called before waiting for another build of the same output.
    executor: what does the work in place of this machine: called with the content folder and a
        folder for files beside the output.
    """

    hosts: tuple[str, ...] = ()
    jobs: int | None = None
    strict: bool = False
    finishes: Mapping[str, Finish] = field(default_factory=dict)
    loss: Loss = "stop"
    against: Against | None = None
    site: bool = True
    templates: str | None = None
    signer: Signer | None = field(default=None, repr=False)
    progress: Progress = lambda name, done, total: None
    waiting: Callable[[], None] = lambda: None
    executor: Callable[[str, Path], Executor] | None = None


@dataclass
class Asked:
    """What `registry build` is asked for.  Features may change it before the build (see
    docs/extending.md); `given` has the values of their options, and `afterwards` is called in order
    after a build that succeeded.
    """

    content: str
    out: str
    options: BuildOptions
    given: Mapping[str, Any]
    afterwards: list[Callable[[], object]] = field(default_factory=list)

    def finish(self, adds: str, finish: Finish) -> None:
        """Call `finish` when all files are made.  `adds` says what it adds: an output to which
        something else was added is not current.
        """
        self.options = replace(self.options, finishes={**self.options.finishes, adds: finish})


@dataclass(frozen=True)
class Job:
    """One build."""

    folder: str
    state: output_state.OutputState
    moment: Moment
    options: BuildOptions

    @cached_property
    def theme(self) -> Mapping[str, bytes]:
        """The registry's own files of the site."""
        return read_theme(self.folder, self.options.templates) if self.options.site else {}

    def asked(self, last_root: bytes | None) -> Options:
        """What the registry is published for; `last_root` is that of the output."""
        options = self.options
        return Options(
            hosts=options.hosts,
            site=options.site,
            theme=self.theme,
            theme_folder=theme_folder(self.folder, options.templates),
            signer=options.signer,
            last_root=last_root,
        )

    def workers(self, items: int, anywhere: bool = False) -> Executor:
        """The executor for so many items: that of the options, if there is one and they may go
        `anywhere`, or processes of this machine.
        """
        options = self.options
        if options.executor is not None and anywhere:
            executor = options.executor(self.folder, self.state.path)
        else:
            executor = choose_executor(options.jobs, items)
        executor.progress = options.progress
        return executor


def last_root(out: Path) -> bytes | None:
    """The root of the manifest in an output; None if there is none."""
    return _read(out, MANIFEST_ROOT)


def _read(out: Path, address: str) -> bytes | None:
    return safe_paths.read_below(out, address[1:], manifest.MAX_FILE_SIZE)


def output_is_current(job: Job, published: Published, files: Mapping[str, Stat]) -> bool:
    """Whether the output, which has these files, is what this build would write."""
    out, moment, root = job.state.out, job.moment, published.options.last_root
    if root is None or output_state.find_content(out) != output_state.name_of_content(job.folder):
        return False  # with another history
    try:
        there = orjson.loads(_read(out, BUILD) or b"")
        issued = datetime.fromisoformat(manifest.read_root(root).issued).timestamp()
    except (OSError, ValueError, manifest.Malformed):
        return False
    wanted = orjson.loads(dict(published.documents.make("outputs.about"))[BUILD])
    if moment.from_clock:  # only the time of this build
        there["generated_at"] = wanted["generated_at"]
    return (
        there == wanted
        and not moment.needs_renewal(int(issued))
        and output_state.read_state_file(out, output_state.MADE) == _digest(job, files)
    )


def note_current(job: Job, published: Published, files: Mapping[str, Stat]) -> None:
    """Note of what the output, which has these files, is a build; and the table of its engine."""
    notes = {
        output_state.MADE: _digest(job, files),
        output_state.FEATURES: orjson.dumps({f.name: f.origin for f in features()}),
        NOTE: note_of(published.grammar, partial(_read, job.state.out)),
    }
    with contextlib.suppress(OSError):  # the next build makes everything
        for name, data in notes.items():
            job.state.replace_file(name, data)


def _digest(job: Job, files: Mapping[str, Stat]) -> bytes:
    options, whole = job.options, hashlib.sha256(output_state.fingerprint().encode())
    # A commit may get a longer history.
    history = is_shallow(job.folder), is_whole(job.folder)
    key = options.signer.public if options.signer is not None else None
    asked = options.hosts, (*options.finishes,), options.site, key, job.theme
    whole.update(repr((history, asked)).encode("utf-8", "surrogatepass"))
    for path, stat in sorted(files.items()):
        whole.update(b"%b\0%d\0%d\0" % (os.fsencode(path), stat.size, stat.mtime))
    return whole.hexdigest().encode()
