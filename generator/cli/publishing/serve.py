"""`registry serve`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli._where import content_option, errors_as_messages, option, site_options

if TYPE_CHECKING:
    from generator.reader.site import Site
    from generator.serve.builder import Built


def _hosts(
    context: click.Context, option: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    from generator.serve.callers import HOST

    for host in names:
        if not HOST.fullmatch(host):
            raise click.BadParameter(
                f'"{host}" is not a host. Write a name or an address, with or without a port.',
                context,
                option,
            )
    return names


@click.command(
    "serve", short_help="Serve the site and the API on this machine; rebuild on changes."
)
@content_option
@option("--out DIR", "The folder of the build.", default="build")
@option(
    "--port N",
    "The port; 0 takes any free port.",
    click.IntRange(0, 65535),
    default=8000,
)
@site_options
@option("--no-reload", "Build once, without watching for changes.")
@option(
    "--allow-host HOST",
    "Also answer to this host name: registry.test, localhost:5173. May be repeated.",
    name="hosts",
    multiple=True,
    callback=_hosts,
)
def command(
    content: str,
    out: str,
    port: int,
    no_site: bool,
    templates: str | None,
    no_reload: bool,
    hosts: tuple[str, ...],
) -> int:
    """Serve the site and the API on this machine as a host does, and rebuild when the content or a
    template changes.

    If the content has errors, the last good build stays, and every page shows the errors.  Stop it
    with Ctrl-C.
    """
    try:
        options = {"site": not no_site, "templates": templates}
        return _serve(content, out, port, not no_reload, hosts, options)
    except KeyboardInterrupt:
        return 0


def _serve(
    content: str,
    out: str,
    port: int,
    reload: bool,
    hosts: tuple[str, ...],
    options: Mapping[str, Any],
) -> int:
    from generator.disk.output_state import OutputError
    from generator.serve.server import CannotListen, CannotServe, serve

    try:
        with errors_as_messages(CannotListen, OutputError, ValueError):
            voice = _Terminal(content, out, reload)
            serve(content, Path(out), port, voice, reload=reload, hosts=hosts, options=options)
    except CannotServe:
        click.echo("Nothing to serve. Fix the content first.", err=True)
        return 1
    return 0


class _Terminal:
    """Addresses to standard output, everything else to standard error."""

    def __init__(self, content: str, out: str, reload: bool):
        self.content, self.out, self.reload = content, out, reload

    def ready(self, site: Site | None, port: int) -> None:
        from generator.grammar.grammar import Query
        from generator.grammar.paths import INDEX, NOT_FOUND, SKILL
        from generator.grammar.routes import routes
        from generator.serve.server import ADDRESS

        host = f"http://{ADDRESS}:{port}"
        if site is None:
            click.echo(
                f"Nothing to serve yet: {host}/ shows the errors, and the registry once they "
                "are fixed."
            )
        else:
            grammar = site.grammar
            pages = site.read("/index.html") is not None
            what = "the site, and the API with" if pages else "the API, with"
            click.echo(f"Serving {self.out} at {host}{grammar.prefix}/: {what}")
            single = [
                route.path for route in routes(grammar) if not route.query and ":" not in route.path
            ]
            lists = [
                grammar.query_url(Query(c))
                for c in (grammar.projects, grammar.programs, grammar.organizations)
            ]
            for url in (*lists, *map(grammar.url, (*single, INDEX, SKILL, NOT_FOUND))):
                click.echo(f"  {host}{url}")
        click.echo(f"Watching {self.content}. " * self.reload + "Stop with Ctrl-C.")

    def built(self, built: Built) -> None:
        from generator.cli._report import show_problems, unchanged_sentence
        from generator.cli.publishing._content import count_fixable
        from generator.published.reading.guards import describe_changed_counts

        show_problems(built.problems, fixable=count_fixable(self.content, built.problems))
        changed = describe_changed_counts(built.previous_records, built.records)
        if changed is not None:
            self._say(changed)
        took = f"in {built.seconds:.2f} s"
        if built.errors:
            self._say(f"Not built; {unchanged_sentence(self.out)}.")
        elif built.is_full_build:
            records = sum(built.records.values())
            self._say(f"Built {built.files:,} files of {records:,} records {took}.")
        else:
            files = f"{built.written:,} file{'s' * (built.written != 1)}"
            self._say(f"Built: {files} written, {built.removed:,} removed {took}.")

    def failed(self, text: str) -> None:
        from generator.cli._report import unchanged_sentence

        click.echo(text, err=True)
        self._say(f"Not built; {unchanged_sentence(self.out)}.")

    def waiting(self) -> None:
        self._say(f"Another build of {self.out} is running; waiting for it.")

    def _say(self, text: str) -> None:
        click.echo(f"{time.strftime('%H:%M:%S')}  {text}", err=True)
