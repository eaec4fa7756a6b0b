"""What the development server shows: the last registry without errors, and the newest problems.

`Live` changes in one thread, and others read it: `deployment` is replaced in one assignment, by a
registry that never changes, so answers are from one state of the content.  Threads may make files
of one registry at the same time; those that need the same table, index or view wait for it
(generator.published.made_once), so a long answer, such as index.json, holds up only its like.

HTML pages get the reload script and the problems of the content.  They come from separate files and
nothing is inline, so pages with a Content-Security-Policy look as they will when published.  Only
the reload needs a script.
"""

from __future__ import annotations

import gc
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path
from typing import NamedTuple, Protocol

from generator.disk.output_state import OutputError
from generator.engine.bundles import make_table
from generator.engine.context import Engine
from generator.executors import ChooseExecutor, WorkerFailed, choose_executor, in_process
from generator.feature import describe_failure
from generator.kinds import Kinds
from generator.problems.diagnostic import Diagnostic, is_error
from generator.published.content.causes import gather_problems
from generator.published.content.guards import Guard
from generator.published.content.load import count_records
from generator.published.content.records import Records, read, reread
from generator.published.content.theme_files import read_theme, theme_folder
from generator.published.history.provenance import moment
from generator.published.published import Options, Published
from generator.reader.deployment import Deployment
from generator.serve.watch import EVERYTHING, Saves

#: livereload's own address: the script finds itself by this name.
SCRIPT = "/livereload.js"
STYLE = "/livereload.css"

_HEAD = f'<link rel="stylesheet" href="{STYLE}"><script src="{SCRIPT}" defer></script>'.encode()

CSS = b"""\
#registry-problems {
  all: initial; position: fixed; inset: auto 0 0; z-index: 2147483647; box-sizing: border-box;
  max-height: 70vh; overflow: auto; color-scheme: dark; color: #e8eaed; background: #1d1f24;
  border-top: 4px solid #ff5c5c; box-shadow: 0 -2px 16px #0004;
  font: 15px/1.5 system-ui, sans-serif; text-align: left;
}
#registry-problems * { box-sizing: border-box; }
#registry-problems summary {
  position: sticky; top: 0; padding: 12px 24px; background: #1d1f24; cursor: pointer;
}
#registry-problems summary:focus-visible { outline: 2px solid #8ab4f8; outline-offset: -2px; }
#registry-problems strong { color: #ff8a8a; }
#registry-problems ol { list-style: none; margin: 0; padding: 0 24px 16px; }
#registry-problems li { padding: 10px 0; border-top: 1px solid #3a3d45; overflow-wrap: anywhere; }
#registry-problems p { margin: 2px 0; }
#registry-problems .place {
  display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline;
  gap: 0 24px;
}
#registry-problems code, #registry-problems pre {
  padding: 0; border: 0; background: none; font: 13px/1.5 ui-monospace, monospace;
}
#registry-problems .where { color: #8ab4f8; }
#registry-problems .code { color: #a8adb8; }
#registry-problems .hint { color: #a5d6a7; }
#registry-problems pre {
  margin: 0; padding: 0 24px 16px; white-space: pre-wrap; overflow-wrap: anywhere;
}
"""


class Trouble(NamedTuple):
    """Errors in the content, or, if there are none, another reason why it is not shown."""

    problems: Sequence[Diagnostic] = ()
    failure: str = ""


def add_overlay(page: bytes, trouble: Trouble | None, *, stale: bool = True) -> bytes:
    """The page with the reload script and the trouble.  `stale`: the page is of earlier content."""
    page = _insert(page, _HEAD, b"</head>")
    if trouble is None:
        return page
    title, details = "The content could not be read.", _text(trouble.failure)
    if count := len(trouble.problems):
        title = f"{count} error{'s' * (count != 1)} in the content."
        details = f"<ol>{''.join(map(_item, trouble.problems))}</ol>"
    status = "You see the content as it was before." if stale else "There is nothing to show yet."
    return _insert(page, _overlay(title, status, details), b"</body>")


def add_failure(page: bytes, failure: str) -> bytes:
    """The page that is shown in place of one that could not be made."""
    overlay = _overlay("This page could not be made.", "Other pages may work.", _text(failure))
    return _insert(page, overlay, b"</body>")


def _insert(page: bytes, part: bytes, before: bytes) -> bytes:
    at = page.rfind(before)
    return page[:at] + part + page[at:] if at >= 0 else page + part


def _overlay(title: str, status: str, details: str) -> bytes:
    return (
        f'<details id="registry-problems" open><summary><strong>{title}</strong> '
        f"{status}</summary>{details}</details>\n"
    ).encode()


def _text(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"


def _item(problem: Diagnostic) -> str:
    where = escape(f"{problem.path}:{problem.line}:{problem.column}")
    place = (
        f'<p class="place"><code class="where">{where}</code><code '
        f'class="code">{escape(problem.code)}</code></p>'
    )
    hint = f'<p class="hint">{escape(problem.hint)}</p>' if problem.hint else ""
    return f"<li>{place}<p>{escape(problem.message)}</p>{hint}</li>"


class Update(NamedTuple):
    """What was read after a save, and its problems.

    `records` and `records_before` count the records of the content by collection.  `saves` is None
    for the first read.  `changed` names the fields of the symbols that differ; because of these or
    of other errors `all_again` is True: all records were read again.  `is_shown` is False if no
    registry without errors was read yet.
    """

    problems: list[Diagnostic]
    kinds: Kinds
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
            self._update(None, lambda items, anywhere=False: choose_executor(None, items))
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

    def _update(self, saves: Saves | None, workers: ChooseExecutor = in_process) -> None:
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
                kinds=records.content.kinds,
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
        return add_overlay(page, self.trouble, stale=self.deployment is not None)


def deployment_of(published: Published, before: Deployment | None = None) -> Deployment:
    """A registry as answers read it, with the engine of the one `before` if its addresses stay."""
    grammar = published.grammar
    if before is not None and before.grammar == grammar:
        engine = before.engine
    else:
        engine = Engine(partial(make_table, grammar))
    return Deployment(grammar, published.read_files, engine, published.read_for_queries)
