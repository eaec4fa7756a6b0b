"""Options that several commands share, and opening a registry."""

from __future__ import annotations

import contextlib
import functools
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from generator import UserError
from generator.cli import BUILD, hint_below

_Command = Callable[..., Any]

if TYPE_CHECKING:
    from generator.edit.starting.wheel import Requirements
    from generator.reader.client import Client, ListedCollection
    from generator.reader.verified import Trust

    _ParamType = click.ParamType[Any]  # generic only in newer versions of click
else:
    _ParamType = click.ParamType


class _BoundedNumber(_ParamType):
    """A number within bounds; the message for other values says what the option takes."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            from generator.problems.diagnostic import printable

            bounds: Any = self
            least, most = bounds.min, bounds.max
            taken = f"of at least {least:,}" if most is None else f"from {least:,} to {most:,}"
            text = printable(str(value))
            given = text if re.fullmatch(r"-?[0-9.]+", text) else f'"{text}"'
            option = param.opts[0] if param is not None else "This"
            raise click.UsageError(f"{option} takes a {self.name} {taken}, not {given}.") from None


class WholeNumber(_BoundedNumber, click.IntRange):
    name = "whole number"


class Number(_BoundedNumber, click.FloatRange):
    name = "number"


def option(
    form: str, help: str, type: Any = None, *, name: str | None = None, **more: Any
) -> Callable[[_Command], _Command]:
    """An option in the notation of its help: `--strict` is a flag, `--keep N` has a value; an
    option with a type has a value too. `name` is the parameter, if it differs from the option.
    The help shows defaults and environment variables.
    """
    flag, _, metavar = form.partition(" ")
    names = (flag, name) if name else (flag,)
    if not metavar and type is None:
        return click.option(*names, is_flag=True, help=help, **more)
    return click.option(
        *names,
        type=type,
        metavar=metavar or None,
        help=help,
        **{"show_default": "default" in more, "show_envvar": "envvar" in more, **more},
    )


def require_registry(content: str, elsewhere: str = "add --content DIR") -> None:
    """Refuse a folder without registry.yaml, a name similar to it, or a folder of records. If it
    has any of these, the command reads it and reports its problems. The message says to do
    `elsewhere` for a registry in another folder.
    """
    from generator.dialect.folder import REGISTRY_FILE, open_content
    from generator.problems.diagnostic import nearest_word, printable

    try:
        names = os.listdir(content)
    except FileNotFoundError:
        names = []
    except OSError:  # it exists; the command reports why it cannot be read
        return
    if not {*names} & {REGISTRY_FILE, *open_content(content).kinds} and not nearest_word(
        REGISTRY_FILE, names
    ):
        shown = printable(os.path.join(content, REGISTRY_FILE))
        advice = (hint_below() if content == "content" else None) or (
            "`registry init .` makes a new registry in this folder. To use another folder, "
            f"{elsewhere}."
        )
        raise UserError(f"There is no registry here: {shown} does not exist. {advice}")


any_content_option = option("--content DIR", "The folder with registry.yaml.", default="content")


def content_option(command: _Command) -> _Command:
    """The option `--content` for commands that need a registry in the folder."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> Any:
        require_registry(options["content"])
        return command(*arguments, **options)

    return any_content_option(run)


generator_option = option(
    "--generator ADDRESS",
    "Where the registry installs the generator from, like "
    "git+https://HOST/OWNER/registry-generator@COMMIT.  [default: a wheel of this one, in wheels/]",
)
first_option = option(
    "--first", "Allow the first publish: if nothing is published yet, compare with nothing."
)


def _with(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:

    def add(command: _Command) -> _Command:
        for add_one in reversed(options):
            command = add_one(command)
        return command

    return add


def added_options(building: ModuleType) -> list[click.Parameter]:
    """The options that the part `building` of a feature adds to `registry build`."""
    options = _with(*getattr(building, "OPTIONS", ()))
    return click.command(options(lambda: None)).params


site_options = _with(
    option("--no-site", "Write only the API, no site for people."),
    option(
        "--templates DIR", "The registry's own templates.  [default: templates/ beside the content]"
    ),
)
key_option = option(
    "--key KEY",
    "The registry's public key, ed25519:...; anything that it did not sign is rejected. "
    "May be repeated.",
    name="keys",
    envvar="REGISTRY_KEY",
    multiple=True,
)
timeout_option = option(
    "--timeout SECONDS",
    "How long to wait for a host that sends nothing.",
    Number(0.1, 600),
    default=10.0,
)
source_options = _with(
    option(
        "--from WHERE",
        "A build's folder, or the base URL of a registry.",
        name="where",
        default=BUILD,
        envvar="REGISTRY_URL",
    ),
    timeout_option,
    option("--no-cache", "Do not keep or use answers of hosts on disk."),
    option("--verify", "Check every answer with the registry's manifest.  --key implies it."),
    key_option,
)
copy_options = _with(
    key_option,
    option(
        "--allow-loss",
        "Copy even if more than a fifth of a collection's records, or all, are gone.",
    ),
    option(
        "--most GB", "The largest allowed size of the copy.", Number(0.001, 10_000), default=20.0
    ),
    timeout_option,
)
page_options = _with(
    option("--page N", "The number of the page.", WholeNumber(1, 999_999_999), default=1),
    option("--all", "Print every page.", name="every"),
)
filter_option = option(
    "--filter NAME=VALUE",
    "Only records with this value; may be repeated.  A,B means any, all:A,B all, "
    "not:A,B none; 2019..2024 is a range.",
    name="filters",
    multiple=True,
)
filter_and_sort_options = _with(
    filter_option,
    option("--sort SORT", "The order of the records.", default="", show_default=False),
)


def trust_for(keys: tuple[str, ...], memory: Path | None) -> Trust:
    """The trust that the options ask for. The latest root is stored in `memory`."""
    from generator.contract.manifest import is_key
    from generator.reader.verified import Trust

    for key in keys:
        if not is_key(key):
            raise click.BadParameter(
                f'"{key}" is not a public key. A public key is ed25519: followed by '
                "43 characters and =",
                param_hint="--key",
            )
    return Trust(frozenset(keys), memory)


@contextlib.contextmanager
def copying(
    parameter: str,
    url: str,
    out: str,
    unit: str,
    *,
    keys: tuple[str, ...],
    most: float,
    timeout: float,
    check: bool = False,
    allow_loss: bool,
) -> Iterator[tuple[Any, ...]]:
    """The arguments of `registry mirror` and `registry sync` for a copy of the registry at a URL,
    which `parameter` gave, in `out`.  Progress is counted in `unit`.
    """
    from generator.cli._report import progress_bar
    from generator.reader.copying import CopyOptions
    from generator.reader.location import base_url, host_reader, is_url

    if not is_url(url):
        raise click.BadParameter(
            "it is not a base URL, which begins with https://", param_hint=parameter
        )
    base, trust = base_url(url), trust_for(keys, None)
    options = CopyOptions(Path(out), base, trust.keys, int(most * 1e9), check, allow_loss)
    with progress_bar() as progress:
        yield (
            host_reader(base, timeout, stay=True),
            options,
            lambda done, all: progress(unit, done, all),
            lambda: click.echo(f"Another command writes {out}; waiting for it.", err=True),
        )


@contextlib.contextmanager
def registry(
    where: str, timeout: float, no_cache: bool, verify: bool = False, keys: tuple[str, ...] = ()
) -> Iterator[Client]:
    """The registry that the options name."""
    from generator.grammar.limits import clip
    from generator.grammar.refusals import QueryError
    from generator.problems.diagnostic import printable
    from generator.reader.client import Client
    from generator.reader.etags import default_cache_folder
    from generator.reader.location import base_url, is_url

    trust = None
    if verify or keys:
        from generator.reader.verified import default_memory

        remote = not no_cache and is_url(where)
        trust = trust_for(keys, default_memory(base_url(where)) if remote else None)
    if where == BUILD and not os.path.lexists(where) and (hint := hint_below()):
        raise UserError(f"There is no registry here. {hint}")
    if where.rpartition(os.sep)[2] == BUILD and (content := newer_content(where)):
        click.echo(
            f"{printable(content)} has changed since this build: `registry build` makes it again.",
            err=True,
        )
    try:
        cache = None if no_cache else default_cache_folder()
        yield Client.open(where, timeout=timeout, cache=cache, trust=trust)
    except QueryError as error:
        near = ", ".join(clip(printable(word), 250) for word in error.allowed)
        raise UserError(f"{error.detail}\n  one of: {near}" if near else error.detail) from error


def newer_content(out: str) -> str | None:
    """The content folder of an output if a file of it was saved, added or removed since the build;
    None if not, and if it is unknown.
    """
    from generator.dialect.folder import is_input, open_content, walk
    from generator.disk.output_state import find_content, time_of_build

    content, built = find_content(out), time_of_build(out)
    if content is None or built is None or not os.path.isdir(content):
        return None
    kinds = open_content(content).kinds
    for folder, entries in walk(content, kinds):
        if isinstance(entries, OSError):
            continue
        inside = [f"{folder}/{name}".lstrip("/") for name, _ in entries]
        for path in [
            f"{folder}/" if folder else "",
            *(path for path in inside if is_input(path, kinds)),
        ]:
            with contextlib.suppress(OSError):
                if path and os.stat(os.path.join(content, path)).st_mtime > built:
                    return os.path.relpath(content)
    return None


def find_collection(client: Client, name: str) -> ListedCollection:
    """A collection by its name or the name of its kind: projects, project."""
    from generator.problems.diagnostic import suggest_word

    known = client.collections
    for each in known.values():
        if name in (each.name, each.kind):
            return each
    raise click.BadParameter(
        f'no collection "{name}"; {suggest_word(name, known)}', param_hint="COLLECTION"
    )


def split_filters(filters: tuple[str, ...]) -> list[tuple[str, str]]:
    """Name and value of each filter."""
    named = []
    for name, _, value in (one.partition("=") for one in filters):
        if not value:
            raise click.BadParameter(
                f'"{name}" has no value. Write NAME=VALUE', param_hint="--filter"
            )
        named.append((name, value))
    return named


def without_blanks(names: str | None) -> str | None:
    """Names with commas between, without blanks around them."""
    return names and ",".join(name.strip() for name in names.split(","))


def generator_source(address: str | None) -> Requirements:
    """The source of the generator that `--generator` names."""
    from generator.edit.starting.wheel import from_requirement, running_generator

    try:
        return running_generator() if address is None else from_requirement(address)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--generator") from error


def path_in_content(content: str, file: str) -> str:
    """The path of a file below the content folder, with links resolved."""
    from generator.dialect.folder import open_content
    from generator.problems.diagnostic import printable

    shown = printable(os.fsencode(file).decode("utf-8", "backslashreplace"))
    if os.path.isdir(file):
        raise click.BadParameter(
            f"{shown} is a folder. Name files, or no files to check everything", param_hint="FILE"
        )
    if not os.path.lexists(file):
        raise click.BadParameter(f"{shown}: No such file or directory", param_hint="FILE")
    above, own = os.path.split(file)
    place = os.path.join(os.path.realpath(above or "."), own)
    for name in ("", *open_content(content).kinds.referred_first):
        folder = os.path.realpath(os.path.join(content, name))
        if os.path.commonpath([place, folder]) == folder:
            return os.path.join(name, os.path.relpath(place, folder))
    raise click.BadParameter(
        f"{shown} is outside the content folder {printable(content)}. If it belongs to "
        "another registry, add --content DIR",
        param_hint="FILE",
    )


def base_url_of_content(content: str) -> str | None:
    """The base_url of registry.yaml, which `published` stands for; None if it is not set."""
    from generator.dialect.folder import open_content
    from generator.published.content.read import read_header

    return read_header(open_content(content))[0].settings.base_url


def nothing_published(why: str, first: bool) -> None:
    """Report that there is nothing to compare with, and `why`. An error unless this is the `first`
    publish.
    """
    if not first:
        raise UserError(
            f"{why}, so there is nothing to compare with.\nIs the address wrong? Correct it. Is "
            "this the first publish? Say so with --first. If a workflow of registry init "
            "publishes, start publish.yml by hand with `first`, or a GitLab pipeline with "
            "FIRST=true."
        )
    click.echo(f"{why}: this is the first publish, and nothing is compared.", err=True)
