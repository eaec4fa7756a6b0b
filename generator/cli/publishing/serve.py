"""`registry serve`, `registry mcp`: servers on this machine."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from generator.cli._where import (
    WholeNumber,
    content_option,
    option,
    registry,
    site_options,
    source_options,
)

if TYPE_CHECKING:
    from generator.problems.diagnostic import Diagnostic
    from generator.reader.client import Client
    from generator.reader.deployment import Deployment
    from generator.serve.live import Update


def _hosts(
    context: click.Context, option: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    from generator.serve.listener import HOST

    for host in names:
        if not HOST.fullmatch(host):
            raise click.BadParameter(
                f'"{host}" is not a host. Write a name or an address, with or without a port.',
                context,
                option,
            )
    return names


@click.command(
    "serve", short_help="Serve the site and the API on this machine; show changes at once."
)
@content_option
@option("--port N", "The port; 0 takes any free port.", WholeNumber(0, 65535), default=8000)
@site_options
@option("--no-reload", "Read the content once, without watching for changes.")
@option(
    "--allow-host HOST",
    "Also answer to this host name: registry.test, localhost:5173. May be repeated.",
    name="hosts",
    multiple=True,
    callback=_hosts,
)
def serve_command(
    content: str,
    port: int,
    no_site: bool,
    templates: str | None,
    no_reload: bool,
    hosts: tuple[str, ...],
) -> int:
    """Serve the site and the API on this machine as a host does, and show each change of the
    content or a template when it is saved.  Nothing is built: a page is made when it is asked for.

    A record with an error is left out, and every page says so on top.  If registry.yaml has errors,
    the pages stay as they were before.  Stop it with Ctrl-C.
    """
    from generator.serve.live import Live
    from generator.serve.server import CannotServe, serve

    terminal = _Terminal(content, reload=not no_reload)
    try:
        live = Live(content, terminal, templates, site=not no_site)
        serve(port, live, reload=not no_reload, hosts=hosts)
    except CannotServe:
        terminal.report_start()
        click.echo("Nothing to serve. Fix the content first.", err=True)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


class _Terminal:
    """Addresses to standard output, everything else to standard error."""

    def __init__(self, content: str, *, reload: bool):
        self.content, self.reload = content, reload
        self._known: set[tuple[str, str, str]] = set()  # problems that were shown
        self._start: Update | None = None  # the first read, until it is reported

    def ready(self, deployment: Deployment | None, port: int) -> None:
        from generator.grammar.grammar import Query
        from generator.grammar.paths import INDEX, NOT_FOUND, SKILL
        from generator.grammar.routes import routes
        from generator.serve.listener import ADDRESS

        host = f"http://{ADDRESS}:{port}"
        if deployment is None:
            click.echo(
                f"Nothing to serve yet: {host}/ shows the errors, and the registry once they "
                "are fixed."
            )
        else:
            grammar = deployment.grammar
            what = "the site, and the API with" if grammar.pages else "the API, with"
            click.echo(f"Serving {self.content} at {host}{grammar.prefix}/: {what}")
            single = [
                route.path for route in routes(grammar) if not route.query and ":" not in route.path
            ]
            lists = [
                grammar.query_url(Query(c))
                for c in grammar.collections.values()
                if not c.declared.timed
            ]
            for url in (*lists, *map(grammar.url, (*single, INDEX, SKILL, NOT_FOUND))):
                click.echo(f"  {host}{url}")
        click.echo(f"Watching {self.content}. " * self.reload + "Stop with Ctrl-C.")
        self.report_start()

    def report_start(self) -> None:
        """Report the first read: after the addresses, which stay in sight."""
        if self._start is not None:
            self._report(self._start)
            self._start = None

    def updated(self, update: Update) -> None:
        if update.saves is None:
            self._start = update
        else:
            self._report(update)

    def _report(self, update: Update) -> None:
        from generator.published.content.guards import describe_changed_counts

        self._report_problems(update)
        changed = describe_changed_counts(update.records_before, update.records, "save")
        if changed is not None:
            self._say(changed)
        self._say(f"{_what_was_read(update)} in {update.seconds:.2f} s{_why(update)}.")
        if update.is_stale:
            shown = "Pages stay as they were" if update.is_shown else "Nothing is shown"
            self._say(f"{shown} until the errors in registry.yaml are fixed.")
        elif update.missing:
            which = "their files have errors" if update.missing > 1 else "its file has an error"
            self._say(f"Without {_records(update.missing)}: {which}.")

    def _report_problems(self, update: Update) -> None:
        """Print what changed in the problems: the new ones, a line for each file with errors and
        for each warning, and how many there are.
        """
        from generator.cli._report import count_sentence
        from generator.problems.diagnostic import is_error
        from generator.serve.live import MOST_LISTED, first_errors

        known, self._known = self._known, {_identity(problem) for problem in update.problems}
        new = [problem for problem in update.problems if _identity(problem) not in known]
        lines = [*first_errors(new), *(problem for problem in new if not is_error(problem))]
        for problem in lines[:MOST_LISTED]:
            click.echo(_line(problem), err=True)
        if len(lines) > MOST_LISTED:
            click.echo(f"and {len(lines) - MOST_LISTED:,} more: registry check", err=True)
        counts = [", ".join(count_sentence(new)) + " new" * (update.saves is not None)]
        counts = counts if new else []
        for found, words in ((known - self._known, "fixed"), (known & self._known, "as before")):
            counts += [f"{len(found):,} {words}"] * bool(found)
        if counts:
            self._say(f"Problems: {'; '.join(counts)}.")

    def failed(self, text: str) -> None:
        click.echo(text, err=True)
        self._say("The content could not be read.")

    def _say(self, text: str) -> None:
        click.echo(f"{time.strftime('%H:%M:%S')}  {text}", err=True)


def _line(problem: Diagnostic) -> str:
    """A problem in one line."""
    from generator.cli._report import colour

    head, message, *_ = str(problem).split("\n")
    tint = "red" if problem.severity == "error" else "yellow"
    return f"{click.style(head, fg=tint) if colour() else head}: {message.strip()}"


def _identity(problem: Diagnostic) -> tuple[str, str, str]:
    """By this a problem is the same after a save, also in another line."""
    return problem.path, problem.code, problem.message


def _what_was_read(update: Update) -> str:
    from generator.dialect.folder import is_content, is_record

    total, saves = sum(update.records.values()), update.saves
    if saves is None:
        return f"{_records(total)} read"
    if saves.paths is None or update.all_again:
        return f"All {total:,} records read again"
    content = [path for path in saves.paths if is_content(path, update.kinds)]
    others = sorted(path for path in content if not is_record(path, update.kinds))
    records = len(content) - len(others)
    parts = [_records(records)] * bool(records) + ["templates"] * saves.theme
    parts += others if len(others) < 4 else [f"{len(others)} other files"]
    return f"{', '.join(parts) or 'names of files'} read again"


def _records(number: int) -> str:
    return f"{number:,} record{'s' * (number != 1)}"


#: Field of the symbols -> what changed, if that is not registry.yaml.
_CHANGES = {
    "current_slugs": "former slugs",
    "websites": "websites of records that others name",
    "logos": "logos",
    "today": "the day",
    "updated": "the history",
}


def _why(update: Update) -> str:
    """Why all records were read again, if a change of other files is the reason."""
    if not update.all_again or update.saves is None or update.saves.paths is None:
        return ""
    causes = dict.fromkeys(
        name if name in update.kinds else _CHANGES.get(name, "registry.yaml")
        for name in update.changed
    )
    return f", because {' and '.join(causes) or 'errors elsewhere'} changed"


@click.command("mcp")
@source_options
@option("--http", "Use Streamable HTTP on this machine instead of standard input and output.")
@option(
    "--port N", "With --http: the port; 0 takes any free port.", WholeNumber(0, 65535), default=8100
)
def mcp_command(where: str, http: bool, port: int, **more: Any) -> int:
    """Start an MCP server, so that a model can read the registry.

    An MCP client starts this command.  With --http, the server runs by itself until Ctrl-C.
    """
    with registry(where, **more) as client, contextlib.suppress(KeyboardInterrupt):
        if http:
            from generator.serve.mcp import serve_http

            shown = "MCP server of {} at {}. Stop it with Ctrl-C."
            serve_http(client, port, lambda address: click.echo(shown.format(where, address)))
        else:
            _serve_lines(client)
    return 0


def _serve_lines(client: Client) -> None:
    """Serve on standard input and output until the client ends or a signal comes."""
    import signal

    from generator.serve.mcp import serve_lines

    # A thread that waits for a host cannot be interrupted, and there is nothing to clean up.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os._exit(0))
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0) as sink:
        serve_lines(client, sys.stdin.buffer, sink)
