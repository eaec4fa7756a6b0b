"""What the development server shows: the last registry without errors, and the newest problems.

`Live` changes in one thread, and others read it: `deployment` is replaced in one assignment, by a
registry that never changes, so answers are from one state of the content.  Threads may make files
of one registry at the same time; those that need the same table, index or view wait for it
(generator.published.made_once), so a long answer, such as index.json, holds up only its like.
"""

from __future__ import annotations

import gc
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from generator.disk.output_state import OutputError
from generator.engine.context import Engine
from generator.engine.note import make_table
from generator.executors import ChooseExecutor, WorkerFailed, choose_executor, in_process
from generator.feature import describe_failure
from generator.problems.diagnostic import Diagnostic, is_error
from generator.published.content.causes import gather_problems
from generator.published.content.guards import Guard
from generator.published.content.load import count_records
from generator.published.content.records import Records, read, reread
from generator.published.content.theme_files import read_theme, theme_folder
from generator.published.history.provenance import moment
from generator.published.published import Options, Published
from generator.reader.deployment import Deployment
from generator.serve import overlay
from generator.serve.overlay import Trouble
from generator.serve.watch import EVERYTHING, Saves


class Update(NamedTuple):
    """What was read after a save, and its problems.

    `records` and `records_before` count the records of the content by collection.  `saves` is None
    for the first read.  `changed` names the fields of the symbols that differ; because of these or
    of other errors `all_again` is True: all records were read again.  `is_shown` is False if no
    registry without errors was read yet.
    """

    problems: list[Diagnostic]
    records: Mapping[str, int]
    records_before: Mapping[str, int] | None
    saves: Saves | None
    changed: Sequence[str]
    all_again: bool
    is_shown: bool
    seconds: float

    @property
    def has_errors(self) -> bool:
        return any(map(is_error, self.problems))


class Reporter(Protocol):
    """Reports events to the user."""

    def ready(self, deployment: Deployment | None, port: int) -> None:
        """The server answers requests."""

    def updated(self, update: Update) -> None:
        """The content was read, with or without errors."""

    def failed(self, text: str) -> None:
        """The content was not read, for another reason than errors in it."""


class Live:
    """Reads the content and keeps what answers need of it.

    `options` are those of `Published`: the site can be left out.  `templates` is the folder of the
    registry's own templates, if it is not beside the content.
    """

    def __init__(
        self, content: str, reporter: Reporter, templates: str | None = None, *, site: bool = True
    ):
        self.content, self.reporter, self._templates = content, reporter, templates
        theme = theme_folder(content, templates)
        self.folders = Path(content), Path(theme).parent
        self._options = Options(site=site, theme_folder=theme)
        self._records: Records | None = None  # the newest, also with errors
        #: The last good registry; None if there was none.
        self.deployment: Deployment | None = None
        #: Why the newest content is not shown; None if it is.
        self.trouble: Trouble | None = None

    def start(self) -> None:
        """Read everything, in several processes: no thread may run yet.  Raises OutputError."""
        try:
            self._update(None, lambda items, symbols=None: choose_executor(None, items))
        except OutputError:
            raise
        except Exception as error:
            self._fail(error)

    def update(self, saves: Saves) -> None:
        """Read again what was saved."""
        try:
            self._update(saves if self._records is not None else EVERYTHING)
        except Exception as error:
            self._records = None  # nobody knows which of the saves it has
            self._fail(error)

    def _update(
        self,
        saves: Saves | None,
        workers: ChooseExecutor = in_process,
    ) -> None:
        began, before, options = time.perf_counter(), self._records, self._options
        if saves is None or saves.theme:
            options = replace(options, theme=read_theme(self.content, self._templates))
        at = moment(self.content, None)
        if before is None or saves is None:
            records = read(self.content, at, workers, site=options.site)
        else:
            records = reread(before, saves.paths, at, site=options.site)
        if saves is None:  # once: what is frozen is never collected
            gc.collect()
            gc.freeze()  # most of it stays, and later collections are quick
        found = records.check(Guard(loss="tell"))[1]
        problems = gather_problems(records.content, found, strict=False)
        deployment, trouble = self.deployment, Trouble(list(filter(is_error, problems)))
        if not trouble.problems:
            published = Published(records, options)
            published.registry  # noqa: B018  # sorts the tables before anybody waits for them
            deployment = deployment_of(published, deployment)
        self._records, self._options = records, options
        self.deployment, self.trouble = deployment, trouble if trouble.problems else None
        was_rendered = before is not None and before.is_rendered
        self.reporter.updated(
            Update(
                problems,
                records=count_records(records.content),
                records_before=count_records(before.content) if before is not None else None,
                saves=saves,
                changed=records.changed,
                all_again=bool(records.changed) or was_rendered != records.is_rendered,
                is_shown=deployment is not None,
                seconds=time.perf_counter() - began,
            )
        )

    def _fail(self, error: Exception) -> None:
        text = str(error)
        if isinstance(error, MemoryError):
            text = "There is not enough memory to read the content."
        elif not isinstance(error, OutputError | OSError | WorkerFailed):
            text = describe_failure(error) or traceback.format_exc()
        self.trouble = Trouble(failure=text)
        self.reporter.failed(text)

    def add_overlay(self, page: bytes) -> bytes:
        """An HTML page with the problems of the newest content."""
        return overlay.add_overlay(page, self.trouble, stale=self.deployment is not None)


def deployment_of(published: Published, before: Deployment | None = None) -> Deployment:
    """A registry as answers read it, with the engine of the one `before` if its addresses stay."""
    grammar = published.grammar
    if before is not None and before.grammar.arguments == grammar.arguments:
        engine = before.engine
    else:
        engine = Engine(partial(make_table, grammar))
    return Deployment(grammar, published.read_files, engine, published.read_for_queries)
