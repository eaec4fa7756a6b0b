"""The options of a build, what `registry build` is asked for, and one build."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from generator.build.output import BuildOutput
from generator.disk.output_state import OutputState
from generator.executors import ChooseExecutor, Executor, Progress, choose_executor
from generator.guard.state import State
from generator.published.content.guards import Loss
from generator.published.content.theme_files import read_theme, theme_folder
from generator.published.families.manifest import Signer
from generator.published.history.provenance import Moment
from generator.published.published import Options

if TYPE_CHECKING:
    from generator.model.symbols import Symbols


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
    executor: what does the work in place of this machine: called with the content folder, a folder
        for files beside the output, and the symbols.
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
    executor: Callable[[str, Path, Symbols], Executor] | None = None


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
    state: OutputState
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

    def workers(self, items: int, symbols: Symbols | None = None) -> Executor:
        """The executor for so many items: that of the options, if there is one and the symbols
        are known, or processes of this machine.
        """
        options = self.options
        if options.executor is not None and symbols is not None:
            executor = options.executor(self.folder, self.state.path, symbols)
        else:
            executor = choose_executor(options.jobs, items)
        executor.progress = options.progress
        return executor
