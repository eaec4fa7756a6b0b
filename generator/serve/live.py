"""What the development server shows: the records without errors, and the newest problems.

A record whose file has an error is left out; references to it resolve by slug.  If registry.yaml
cannot be used, the registry before stays.

`Live` changes in one thread, and others read it: `deployment` is replaced in one assignment, by a
registry that never changes, so answers are from one state of the content.  Threads may make files
of one registry at the same time; those that need the same table, index or view wait for it
(generator.published.made_once), so a long answer, such as index.json, holds up only its like.

HTML pages get the reload script, and on top a banner with the problems of the content.  They come
from separate files and nothing is inline, so pages with a Content-Security-Policy look as they will
when published.  Only the reload needs a script.
"""

from __future__ import annotations

import contextlib
import gc
import re
import time
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import quote

from generator.dialect.folder import REGISTRY_FILE, read_file
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
from generator.site.theme import Texts, Theme, ThemeError
from generator.text.characters import split_lines

#: livereload's own address: the script finds itself by this name.
SCRIPT = "/livereload.js"
STYLE = "/livereload.css"
#: The page with the lines of a file that has an error; the query is its path as problems have it.
SOURCE = "/livereload.html"
#: Problems that are listed; the others are counted.
MOST_LISTED = 20
_MOST_OPEN = 3  # problems that the banner shows at once

_HEAD = f'<link rel="stylesheet" href="{STYLE}">'.encode()
#: The script tells the server the state that its page shows.
_RELOAD = f'<script src="{SCRIPT}?snipver=%s" defer></script>'

CSS = b"""\
#registry-problems {
  all: initial; display: block; position: relative; z-index: 20; box-sizing: border-box;
  max-height: 70vh; overflow: auto; color-scheme: dark; color: #e8eaed; background: #1d1f24;
  border-bottom: 4px solid #ff5c5c; font: 15px/1.5 system-ui, sans-serif;
}
#registry-problems * { box-sizing: border-box; }
#registry-problems summary {
  position: sticky; top: 0; padding: 10px 24px; background: #1d1f24; cursor: pointer;
}
#registry-problems :focus-visible { outline: 2px solid #8ab4f8; outline-offset: -2px; }
#registry-problems strong { color: #ff8a8a; }
#registry-problems ol { list-style: none; margin: 0; padding: 0 24px 4px; }
#registry-problems li {
  display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 12px; margin: 0; padding: 5px 0;
  border-top: 1px solid #3a3d45; overflow-wrap: anywhere;
}
#registry-problems code, #registry-problems pre {
  margin: 0; padding: 0; border: 0; background: none; font: 13px/1.5 ui-monospace, monospace;
}
#registry-problems a { color: #8ab4f8; }
#registry-problems .code { color: #a8adb8; }
#registry-problems .hint { color: #a5d6a7; }
#registry-problems pre {
  margin: 0; padding: 0 24px 16px; white-space: pre-wrap; overflow-wrap: anywhere;
}
@media print { #registry-problems { display: none; } }
ol.source { margin: 0; padding: 16px 24px 16px 72px; font: 14px/1.5 ui-monospace, monospace; }
ol.source li { padding: 0 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
ol.source li:target { background: #ff5c5c44; }
"""

_SOURCE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{path}</title>
<meta name="color-scheme" content="light dark">
</head>
<body>
<ol class="source">{lines}</ol>
</body>
</html>
"""


class Trouble(NamedTuple):
    """Errors in the content: the first of each file, and how many records are missing because of
    them.  Or, without errors, another reason why the content is not shown.
    """

    problems: Sequence[Diagnostic] = ()
    missing: int = 0
    failure: str = ""


def first_errors(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The first error of each file, and each that stands for those of several files; those of
    registry.yaml, which others may follow from, come first.
    """
    firsts: dict[object, Diagnostic] = {}
    for problem in filter(is_error, problems):
        firsts.setdefault(problem if problem.count > 1 else problem.path, problem)
    return sorted(firsts.values(), key=lambda p: p.path.rpartition("/")[2] != REGISTRY_FILE)


def add_banner(page: bytes, trouble: Trouble | None, texts: Texts, status: str = "") -> bytes:
    """The page with a banner about the trouble, if there is any; `status` is the key of what is
    shown in place of the content.
    """
    if trouble is None:
        return page
    details, is_open = _text(trouble.failure), True
    title = texts("serve.failed")
    if count := len(trouble.problems):
        key, number = ("missing", trouble.missing) if trouble.missing else ("errors", count)
        title = texts(f"serve.{key}", count=number)
        left = count - MOST_LISTED
        rest = f"<li>{escape(texts('serve.rest', count=left))}</li>" if left > 0 else ""
        details = f"<ol>{''.join(map(_item, trouble.problems[:MOST_LISTED]))}{rest}</ol>"
        is_open = bool(status) or count <= _MOST_OPEN
    shown = texts(f"serve.{status}") if status else ""
    return _add(page, _banner(title, shown, details, is_open=is_open))


def add_failure(page: bytes, failure: str) -> bytes:
    """The page that is shown in place of one that could not be made."""
    banner = _banner("This page could not be made.", "Other pages may work.", _text(failure))
    return _add(page, banner)


def source_page(trouble: Trouble | None, path: str) -> bytes | None:
    """A page with the lines of a file that has an error; None if the trouble names no such file."""
    if trouble is None or all(path != problem.path for problem in trouble.problems):
        return None
    try:
        text = read_file(path).decode("utf-8", "replace")
    except OSError:
        return None
    lines = (f'<li id="L{n}">{escape(line)}</li>' for n, line in enumerate(split_lines(text), 1))
    page = _SOURCE.format(path=escape(path), lines="".join(lines)).encode()
    return _insert(page, _HEAD, b"</head>")


def _add(page: bytes, banner: bytes) -> bytes:
    """The page with the banner on top."""
    body = re.search(rb"<body\b[^>]*>\n?", page)
    at = body.end() if body else 0
    page = page[:at] + banner + page[at:]
    return page if _HEAD in page else _insert(page, _HEAD, b"</head>")


def _insert(page: bytes, part: bytes, before: bytes) -> bytes:
    at = page.find(before)
    return page[:at] + part + page[at:] if at >= 0 else page + part


def _banner(title: str, status: str, details: str, *, is_open: bool = True) -> bytes:
    return (
        f'<details id="registry-problems"{" open" * is_open}><summary><strong>{escape(title)}'
        f"</strong> {escape(status)}</summary>{details}</details>\n"
    ).encode()


def _text(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"


def _item(problem: Diagnostic) -> str:
    where = escape(f"{problem.path}:{problem.line}:{problem.column}")
    href = escape(f"{SOURCE}?{quote(problem.path)}#L{problem.line}")
    hint = f'<span class="hint">{escape(problem.hint)}</span>' if problem.hint else ""
    return (
        f'<li lang="en"><code><a href="{href}">{where}</a></code>'
        f"<span>{escape(problem.message)}</span>{hint}"
        f'<code class="code">{escape(problem.code)}</code></li>'
    )


class Update(NamedTuple):
    """What was read after a save, and its problems.

    `records` and `records_before` count the records of the content by collection.  `saves` is None
    for the first read.  `changed` names the fields of the symbols that differ; because of these or
    because registry.yaml can be used again, or no longer, `all_again` is True: all records were
    read again.  `missing` counts the records that are left out.  `is_stale` is True if the registry
    before stays, or nothing is shown; `is_shown` is False if nothing is.
    """

    problems: list[Diagnostic]
    kinds: Kinds
    records: Mapping[str, int]
    records_before: Mapping[str, int] | None
    saves: Saves | None
    changed: Sequence[str]
    all_again: bool
    missing: int
    is_stale: bool
    is_shown: bool
    seconds: float


class Reporter(Protocol):
    """Reports events to the user."""

    def ready(self, deployment: Deployment | None, port: int) -> None:
        """The server answers requests."""

    def updated(self, update: Update) -> None:
        """The content was read, with or without errors."""

    def failed(self, text: str) -> None:
        """The content was not read, for another reason than errors in it."""


def _name_state() -> str:
    """A name that no other state has, nor one of a server before; livereload.js would round a
    number.
    """
    return f"read-{time.time_ns()}"


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
        #: The newest registry that can be shown; None if there was none.
        self.deployment: Deployment | None = None
        self._published: Published | None = None
        self._is_stale = True
        #: What is wrong with the newest content; None if all of it is shown.
        self.trouble: Trouble | None = None
        #: Names the newest state, and changes last.
        self.state = _name_state()

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
        self.state = _name_state()

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
        deployment, missing = self.deployment, 0
        if records.is_rendered:
            right = records.without_errors(found)
            missing = sum(entry.record is None for entry in right.all_entries())
            published = Published(right, options)
            published.registry  # noqa: B018  # sorts the tables before anybody waits for them
            deployment, self._published = deployment_of(published, deployment), published
        self._records, self._options = records, options
        errors = first_errors(problems)
        self.deployment, self._is_stale = deployment, not records.is_rendered
        self.trouble = Trouble(errors, missing) if errors else None
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
                missing=missing,
                is_stale=self._is_stale,
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
        self.trouble, self._is_stale = Trouble(failure=text), True
        self.reporter.failed(text)

    def add_banner(self, page: bytes, state: str | None = None) -> bytes:
        """An HTML page with the problems of the newest content and, with the state that it shows,
        the script that reloads it.
        """
        if state is not None:
            page = _insert(page, _HEAD + (_RELOAD % state).encode(), b"</head>")
        status = ""
        if self._is_stale:
            status = "before" if self.deployment is not None else "nothing"
        return add_banner(page, self.trouble, self._texts(), status)

    def _texts(self) -> Texts:
        """The texts of the registry's language, or English ones if the theme cannot be read."""
        with contextlib.suppress(ThemeError):
            if self._published is not None:
                return self._published.theme.texts
        return _english()


@cache
def _english() -> Texts:
    return Theme("en").texts


def deployment_of(published: Published, before: Deployment | None = None) -> Deployment:
    """A registry as answers read it, with the engine of the one `before` if its addresses stay."""
    grammar = published.grammar
    if before is not None and before.grammar == grammar:
        engine = before.engine
    else:
        engine = Engine(partial(make_table, grammar))
    return Deployment(grammar, published.read_files, engine, published.read_for_queries)
