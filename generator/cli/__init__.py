"""The `registry` command.  A module has the `command` of its name and is imported when that is
called; those of `_TOGETHER` have several, with their names before `_command`.

Commands are in the packages of `_PACKAGES`, and in `commands/` of features; modules that begin with
`_` are shared.  Start with any command.  May import everything but features.

The registry that a command works on is in the working folder or in a folder above it, as git finds
a repository.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import importlib
import io
import os
import pkgutil
import shlex
import sys
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

import click

from generator import UserError, __version__
from generator.feature import FeatureError, describe_failure, features

if TYPE_CHECKING:
    from typing_extensions import Buffer


class _OutputLost(OSError):
    """Standard output cannot be written."""


class _Output(io.FileIO):
    """Standard output. Its errors differ from those of other files: `_OutputLost`."""

    def write(self, data: Buffer) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            # Without errno, because click would report it as an error of the content.
            raise BrokenPipeError from None
        except OSError as error:
            raise _OutputLost(error.errno, error.strerror) from error


#: The packages that have commands.
_PACKAGES = ("ask", "edit", "publishing")
#: Modules with several commands.
_TOGETHER = {
    "check": ("check", "explain", "features"),
    "read": ("list", "get", "rows", "search", "count", "dashboard", "calendar"),
    "serve": ("serve", "mcp"),
    "slugs": ("rename", "remove", "merge"),
}

_NO_MEMORY = (
    "There is not enough memory. If the command has --jobs, try --jobs 1: it needs the least."
)


class _Commands(click.Group):
    """Takes the `command` of a command's module."""

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted({*_modules(), *_added()})

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        path = _modules().get(name) or _added().get(name)
        if path is None:
            return None
        module = importlib.import_module(path)
        command: click.Command = getattr(module, f"{name}_command", None) or module.command
        return command

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(context, args)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(args[0], self.list_commands(context), 1)
            meant = next(
                (name for name, words in _OTHERS.items() if args[0] in words.split()), None
            )
            meant = meant or next(iter(near), None)
            hint = f' Did you mean "{meant}"?' if meant else ""
            raise click.UsageError(error.message + hint, context) from None


#: Command -> the words that other programs have for it.
_OTHERS = {
    "build": "generate make compile",
    "check": "validate lint test",
    "fmt": "format",
    "new": "add create",
    "publish": "deploy upload push",
    "remove": "delete rm del",
    "rename": "mv move",
    "serve": "start run dev preview watch",
}


@cache
def _modules() -> dict[str, str]:
    return {
        command: module
        for package in _PACKAGES
        for name, module in _in_folder(f"{__name__}.{package}", os.path.join(__path__[0], package))
        for command in _TOGETHER.get(name, (name,))
    }


@cache
def _added() -> dict[str, str]:
    """The modules of the commands of features; looked for only if the core has no such command."""
    added: dict[str, str] = {}
    for feature in features():
        if "commands" in feature.parts:
            folder = str(feature.folder / "commands")
            for name, module in _in_folder(f"{feature.package}.commands", folder):
                if name in _modules() or name in added:
                    raise FeatureError(
                        f"The feature {feature.name} has the command {name}, which there is "
                        "already. Uninstall it."
                    )
                added[name] = module
    return added


def _in_folder(package: str, folder: str) -> Iterator[tuple[str, str]]:
    """The commands of a package with their modules.  A module has `_` at its end if its name would
    be a word of Python.
    """
    for found in pkgutil.iter_modules([folder]):
        if not found.name.startswith("_"):
            yield found.name.rstrip("_").replace("_", "-"), f"{package}.{found.name}"


def _print_version(context: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        from generator.edit.starting.wheel import running_commit

        commit = running_commit()
        click.echo(f"registry, version {__version__}" + (f" ({commit[:8]})" if commit else ""))
        context.exit()


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Show the version and exit.",
)  # fmt: skip
@click.pass_context
def commands(context: click.Context) -> None:
    """Publish a registry of YAML records as a read-only JSON API of plain files.

    In a folder of a registry, commands find its content/ and build/ above the folder.
    """
    try:
        os.getcwd()
    except FileNotFoundError:
        raise UserError(
            "The current folder no longer exists. Change to another folder and try again."
        ) from None
    name = context.invoked_subcommand or ""
    if command := commands.get_command(context, name):
        context.default_map = {name: defaults_above(command)}


def main() -> None:
    """Run the command line.  Exit status: 0 done, 1 the content has errors, 2 wrong usage or
    environment.
    """
    # Objects stay until the end and are rarely in cycles: frequent collections would find nothing.
    gc.set_threshold(500_000, 20, 100)
    try:
        _open_closed_streams()
        status = commands.main(standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        with _on_stderr():
            error.show()
        status = 2
    except UserError as error:
        with _on_stderr():
            _show(error)
        status = error.status
    except (click.Abort, KeyboardInterrupt):
        with _on_stderr():
            click.echo("Interrupted; nothing was changed.", err=True)
        status = 2
    except BrokenPipeError:
        # The reader of the output closed it, as `head` does.
        from generator.cli._report import discard_output

        discard_output()
        status = 0
    except Exception as error:
        # Commands report problems of content and output themselves: this is the system, a feature
        # that others wrote, or a bug.
        is_of_system = isinstance(error, OSError | MemoryError | ImportError)
        told = (_of_system(error) if is_of_system else None) or describe_failure(error)
        if told is None:
            raise
        with _on_stderr():
            click.echo(f"Error: {told}", err=True)
        status = 2
    gc.freeze()  # the process ends, so no garbage collection is needed
    sys.exit(status if isinstance(status, int) else 0)


def _show(error: UserError) -> None:
    """Print the problems of an error, if it has any, and its message."""
    from generator.cli._report import show_problems
    from generator.problems.diagnostic import printable

    show_problems(getattr(error, "problems", ()))
    if str(error):
        click.echo("Error: " + "\n".join(map(printable, str(error).split("\n"))), err=True)


def _of_system(error: Exception) -> str | None:
    """The error message for what the system refused, in one line; None for a bug."""
    if isinstance(error, ImportError):
        # The text of the error comes from the loader of shared libraries.
        return (
            _NO_MEMORY if "map segment" in str(error) or "allocate memory" in str(error) else None
        )
    if not isinstance(error, OSError) or error.errno == errno.ENOMEM:
        return _NO_MEMORY
    from generator.problems.diagnostic import printable

    if isinstance(error, _OutputLost):
        from generator.cli._report import discard_output

        discard_output(1)
        return f"Standard output cannot be written: {error.strerror}. The output is not complete."
    where = (
        printable(os.fsdecode(error.filename)) + ": "
        if isinstance(error.filename, str | bytes)
        else ""
    )
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return f"{where}{error.strerror or error}" + ("; free some space and try again" * full)


@contextlib.contextmanager
def _on_stderr() -> Iterator[None]:
    """For a last message: what cannot be written is discarded, so that the status stays."""
    try:
        yield
        sys.stderr.flush()
    except OSError:
        from generator.cli._report import discard_output

        discard_output(2)


def _open_closed_streams() -> None:
    """Open missing standard streams as the null device, so that no other file gets their numbers.
    Some supervisors start a process without them.
    """
    while (file := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(file)
    if sys.stdout is not None:
        sys.stdout.flush()
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(_Output(1, "w", closefd=False)),
        getattr(sys.stdout, "encoding", None),
        getattr(sys.stdout, "errors", None),
        line_buffering=os.isatty(1),
    )
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


_CONTENT, BUILD = "content", "build"
#: The parameters of commands that name a folder of the registry, with their defaults.
_DEFAULTS = {"content": _CONTENT, "out": BUILD, "where": BUILD, "folder": "."}
_MOST = 1000  # sub-folders that are looked into


def defaults_above(command: click.Command) -> dict[str, str]:
    """The defaults of a command's parameters if the registry is in a folder above the working
    folder; else none. Only defaults: what the user writes is relative to the working folder.
    """
    named = [p.name for p in command.params if p.name and _DEFAULTS.get(p.name) == p.default]
    above = _registry_above() if named else None
    if above is None:
        return {}
    return {name: os.path.normpath(os.path.join(above, _DEFAULTS[name])) for name in named}


def _registry_above() -> str | None:
    """The nearest folder above with a registry. None if there is none, or if the working folder has
    a content folder or a build itself.
    """
    if os.path.lexists(_CONTENT) or os.path.lexists(BUILD):
        return None
    above = ""
    for _ in os.getcwd().strip(os.sep).split(os.sep):
        above = os.path.join(above, os.pardir)
        if _has_registry(above):
            return above
    return None


def hint_below() -> str | None:
    """What to do if the registry is not in the working folder but in a folder of it, or if its
    content is the working folder; None if neither is so.
    """
    from generator.dialect.folder import REGISTRY_FILE
    from generator.problems.diagnostic import printable

    if os.path.isfile(REGISTRY_FILE):
        return f"{REGISTRY_FILE} is in this folder: add --content ."
    with os.scandir() as entries:
        names = sorted(entry.name for entry in islice(entries, _MOST))
    found = [name for name in names if _has_registry(name)]
    if not found:
        return None
    more = f" ({len(found) - 1:,} other folders have one, too.)" if len(found) > 1 else ""
    return f"There is one in {printable(found[0])}: cd {printable(shlex.quote(found[0]))}{more}"


def _has_registry(folder: str) -> bool:
    from generator.dialect.folder import REGISTRY_FILE  # imported here to keep start-up fast

    return os.path.isfile(os.path.join(folder, _CONTENT, REGISTRY_FILE))
