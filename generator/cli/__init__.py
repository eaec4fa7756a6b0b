"""The `registry` command: one module a subcommand, imported when it is called."""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import sys

import click

from generator import __version__


class _Commands(click.Group):
    """Finds `generator/cli/NAME.py` and takes its `command`."""

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted(info.name for info in pkgutil.iter_modules(__path__) if not info.name.startswith("_"))

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(context):
            return None
        command: click.Command = importlib.import_module(f"{__name__}.{name}").command
        return command

    def resolve_command(self, context: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(context, args)
        except click.UsageError as error:
            import difflib

            near = difflib.get_close_matches(args[0], self.list_commands(context), 1)
            hint = f' Did you mean "{near[0]}"?' if near else ""
            raise click.UsageError(error.message + hint, context) from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="registry")
def commands() -> None:
    """Publish a registry of YAML records as a read-only JSON API of plain files."""


def main() -> None:
    """Run the command line.  Exit status: 0 done, 1 the content has errors, 2 wrong usage or environment."""
    try:
        _open_closed_streams()
        status = commands.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status = 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted; nothing was changed.", err=True)
        status = 2
    except BrokenPipeError:
        # The reader of our output went away, as `head` does; nothing more can be said to it.
        sys.stderr.close()
        status = 0
    gc.freeze()  # the end of the process frees everything: nobody need look for cycles first
    sys.exit(status if isinstance(status, int) else 0)


def _open_closed_streams() -> None:
    """Some supervisors start a process without standard streams: it gets the null device, before a file takes their numbers."""
    while (file := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(file)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)
