"""`registry init`."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli._where import generator_option, generator_source, option
from generator.cli.edit._edit import carry_out, dry_run
from generator.edit.starting.init import (
    EXAMPLES,
    HOSTS,
    branch_of,
    can_publish,
    checked_base_url,
    forge_of,
    host_named,
    plan,
)
from generator.model.settings.colours import ACCENTS
from generator.problems.extras import EXTRAS, FILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.edit.starting.init import NewRegistry
    from generator.edit.starting.wheel import Requirements


class _Host(click.Choice[str]):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert(host_named(str(value)), param, ctx)


@click.command("init", short_help="Create a new registry: content, checks and publishing.")
@click.argument("folder", metavar="DIR")
@option("--name NAME", "The name of the registry.  [default: from DIR]")
@option("--repository URL", "The repository of the registry: https://github.com/YOU/REPOSITORY.")
@option(
    "--host",
    "The host to publish on.  [default: the host of the repository, else netlify]",
    _Host(list(HOSTS)),
)
@option(
    "--base-url URL",
    "The address of the registry.  [default: the host's address for the repository]",
)
@option(
    "--accent COLOUR",
    "The colour of links, buttons and icons.  [default: a colour that the name gives]",
    click.Choice(list(ACCENTS)),
)
@option(
    "--example",
    "Begin with a small registry of kinds of its own, which you change into yours.  [default: a "
    "record of each of project, program, organization and event]",
    click.Choice(list(EXAMPLES)),
)
@option(
    "--extra EXTRA",
    f"Write {FILE} with the package of an extra, which the workflows install too; may be repeated.",
    click.Choice(list(EXTRAS)),
    name="extras",
    multiple=True,
)
@generator_option
@dry_run
def command(
    folder: str,
    name: str | None,
    repository: str | None,
    host: str | None,
    base_url: str | None,
    accent: str | None,
    example: str | None,
    extras: tuple[str, ...],
    generator: str | None,
    dry_run: bool,
) -> int:
    """Create a registry in DIR, ready to check, build and publish.

    On a terminal, it asks for the name, the repository and the host, if you did not give them.  It
    never overwrites files.
    """
    source = generator_source(generator)
    above = os.path.dirname(os.path.abspath(folder))
    if not os.path.isdir(above):
        raise click.BadParameter(f"there is no folder {above}", param_hint="DIR")
    registry = _read_options(folder, name, repository, host, base_url, source)
    registry = registry._replace(
        extras=extras, accent=accent or "", branch=branch_of(folder), begin=example or ""
    )
    fresh = not dry_run and not os.path.lexists(folder)
    if fresh:
        os.mkdir(folder)
    try:
        carry_out(
            folder, lambda: plan(folder, registry), f"A new registry, {registry.name}", dry=dry_run
        )
    finally:
        if fresh:
            with contextlib.suppress(OSError):  # the folder exists, because it is not empty
                os.rmdir(folder)
    if registry.ci == "none":
        click.echo(
            f"{forge_of(registry.repository)} is neither GitHub nor GitLab: .github/ with "
            "workflows, Dependabot and issue forms is left out. README.md, section Publishing, has "
            "the commands that the service has to run.",
            err=True,
        )
    if not dry_run:
        click.echo(
            f"Look at it:     {_command(folder)} serve\n"
            "Publish it:     commit all files, push, and follow the section Publishing of README.md"
        )
    return 0


def _command(folder: str) -> str:
    """How to call `registry` in the new registry, by the environment there if it has one."""
    path = os.path.join(".venv", "bin", "registry")
    call = path if os.path.exists(os.path.join(folder, path)) else "registry"
    here = os.path.realpath(folder) == os.path.realpath(os.curdir)
    return call if here else f"cd {shlex.quote(folder)} && {call}"


def _read_options(
    folder: str,
    name: str | None,
    repository: str | None,
    host: str | None,
    base_url: str | None,
    generator: Requirements,
) -> NewRegistry:
    """The options and, on a terminal, answers; each is checked before the next question."""
    from datetime import UTC, datetime

    from generator.edit.starting import init

    if name is not None:
        _given(init.checked_name, "--name", name)
    if repository is not None:
        repository = _given(init.checked_repository, "--repository", repository)
    if base_url is not None:
        _given(init.checked_base_url, "--base-url", base_url)
    if host is not None and repository is not None:
        _given(partial(_fitting, repository=repository), "--host", host)
    terminal = sys.stdin.isatty()
    if name is None:
        words = Path(folder).resolve().name.replace("-", " ").replace("_", " ").split()
        name = " ".join(words).title() or "New Registry"
        if terminal:
            name = _answer("Name", init.checked_name, default=name)
    if repository is None:
        repository = ""
        if terminal:
            question = "Repository, like https://github.com/YOU/REPOSITORY (may be empty)"

            def check(said: str) -> str:
                url = init.checked_repository(said)
                if host is not None:
                    _fitting(host, url)
                return url

            repository = _answer(question, check, default="", show_default=False)
    if host is None:
        host = init.host_of(repository)
        if terminal:
            hosts = _Host(list(HOSTS))
            host = _answer(
                "Host", partial(_fitting, repository=repository), type=hosts, default=host
            )
    if base_url is None:
        base_url = init.base_url_of(host, repository)
        if host.endswith("-pages") and not base_url:
            base_url = _address(host, terminal)
    return init.NewRegistry(name, repository, host, base_url, generator, datetime.now(UTC).year)


def _given(check: Callable[[str], str], option: str, value: str) -> str:
    from generator.problems.diagnostic import printable

    try:
        return check(value)
    except ValueError as error:
        raise click.BadParameter(printable(str(error)), param_hint=option) from None


def _answer(question: str, check: Callable[[str], str], **prompt: Any) -> str:
    from generator.problems.diagnostic import printable

    def read(said: str) -> str:
        try:
            return check(said)
        except ValueError as error:
            raise click.UsageError(printable(str(error))) from None

    answer: str = click.prompt(question, value_proc=read, err=True, **prompt)
    return answer


def _fitting(host: str, repository: str) -> str:
    """A host that can publish from the repository. Raises ValueError."""
    host = host_named(host)
    if host not in HOSTS:
        raise ValueError(f'there is no host "{host}": take one of {", ".join(HOSTS)}')
    if not can_publish(host, repository):
        raise ValueError(f"{host} does not publish {repository}: take another host")
    return host


def _address(host: str, terminal: bool) -> str:
    """The base URL of a registry, if the host does not determine it."""

    if not terminal:
        raise click.UsageError(
            f"{host} publishes below the name of the repository, and no link works without it: "
            "say with --repository which repository it is, or the address with --base-url."
        )

    def check(said: str) -> str:
        if not said:
            raise ValueError("enter an address: links on the pages do not work without it")
        return checked_base_url(said)

    question = "Address of the registry, like https://YOU.github.io/REPOSITORY"
    return _answer(question, check, default="", show_default=False)
