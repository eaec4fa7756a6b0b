"""The options of a build, and the data of one build."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from generator.build.cache.compare import Differences
from generator.build.cache.store import Cache
from generator.build.executors import Executor, choose_executor
from generator.build.guards import Guard, Loss
from generator.build.output.write import Workspace
from generator.build.provenance import Moment
from generator.build.report import Clock, Progress
from generator.guard.state import State

if TYPE_CHECKING:
    from generator.build.executors.cluster import Cluster
    from generator.model.symbols import Symbols


class Against(NamedTuple):
    """A published state for the guards to compare with; None if nothing was published yet."""

    state: State | None


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """The options of a build.

    hosts: the hosts to write for; if empty, those of registry.yaml.
    jobs: the number of processes; None for as many as are useful.
    strict: whether warnings are errors.
    precompress: codings of generator.build.output.compress.
    loss: what to do about a tripped guard.
    against: the state that guards compare the build with; None for that of the last build.
    site: whether to write pages for people.
    templates: the folder of the registry's own templates; None for the one beside the content.
    signing_key: the text of the private key that signs the manifest.
    progress: called with the progress of stages.
    waiting: called before waiting for another build of the same output.
    cluster: the cluster that does the work of full builds, if any.
    """

    hosts: tuple[str, ...] = ()
    jobs: int | None = None
    strict: bool = False
    precompress: tuple[str, ...] = ()
    loss: Loss = "stop"
    against: Against | None = None
    site: bool = True
    templates: str | None = None
    signing_key: str | None = field(default=None, repr=False)
    progress: Progress = lambda name, done, total: None
    waiting: Callable[[], None] = lambda: None
    cluster: Cluster | None = None


class Job(NamedTuple):
    """The data of one build.

    `began` is its start (ns since 1970), `differences` the differences from the last build; `theme`
    has the registry's own files of the site.
    """

    folder: str
    workspace: Workspace
    moment: Moment
    options: BuildOptions
    guard: Guard
    began: int
    cache: Cache
    differences: Differences
    clock: Clock
    theme: Mapping[str, bytes]

    def workers(self, items: int, symbols: Symbols) -> Executor:
        """The executor for so many items: the cluster, if there is one and this is a full build, or
        processes of this machine.
        """
        if self.options.cluster is not None and self.cache.empty:
            return self.options.cluster.workers(self, symbols)
        return choose_executor(self.options.jobs, items)
