"""What is asked of a build, and what one build has at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from generator.build.cache.compare import Compared
from generator.build.cache.store import Cache
from generator.build.executors import Executor, executor
from generator.build.guards import Guard, Loss
from generator.build.output.write import Workspace
from generator.build.provenance import Moment
from generator.build.report import Clock, Progress
from generator.guard.state import State

if TYPE_CHECKING:
    from generator.build.executors.cluster import Cluster
    from generator.model.symbols import Symbols


class Against(NamedTuple):
    """What a build is held against in place of the last one: a state, or that nothing was published
    yet.
    """

    state: State | None


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What is asked of a build besides its content, its output and its moment.

    With `strict`, warnings are errors. Without `hosts`, those of registry.yaml are meant; without
    `jobs`, as many processes as are worth it. `precompress` has codings of
    generator.build.output.compress. `loss` says what to do about a tripped guard, and `against` is
    what guards compare the build with if that is not the last one. Without `site`, nothing is made
    for people; `templates` is the folder of the registry's own templates, where it is not the one
    beside the content. `signing_key` is the text of the private key that signs the manifest.
    `progress` is told how far a stage is, and `waiting` is called where another build of the same
    output has to end first.  `cluster` does what a build of everything leaves to workers.
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
    """One build: what is asked, where it writes, and what is known of the last build.

    `began` is when it began (ns since 1970), `known` how content and output differ from what the
    last build noted; `clock` counts the time of each stage; `theme` has the registry's own files of
    the site.
    """

    folder: str
    workspace: Workspace
    moment: Moment
    options: BuildOptions
    guard: Guard
    began: int
    cache: Cache
    known: Compared
    clock: Clock
    theme: Mapping[str, bytes]

    def workers(self, items: int, symbols: Symbols) -> Executor:
        """What does the work on so many items: a cluster, where nothing is known of the last build,
        or this machine.
        """
        if self.options.cluster is not None and self.cache.empty:
            return self.options.cluster.workers(self, symbols)
        return executor(self.options.jobs, items)
