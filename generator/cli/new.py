"""`registry new`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from generator.api.names import COLLECTION_OF
from generator.cli._edit import carry_out, dry_run, kind_argument
from generator.cli._where import content_option

if TYPE_CHECKING:
    from generator.edit.needed import Need


@click.command("new", short_help="Make a record, checked against the registry.")
@kind_argument
@click.option("--name", metavar="NAME", help="What the record is called.")
@click.option("--slug", default="", metavar="SLUG", help="Its slug; else one made of the name.")
@click.option(
    "--set",
    "values",
    multiple=True,
    metavar="FIELD=VALUE",
    help="A field, its value in YAML: year=2020, tags.topic=[climate, food].  May be repeated.",
)
@content_option
@dry_run
def command(
    kind: str,
    name: str | None,
    slug: str,
    values: tuple[str, ...],
    content: str,
    dry_run: bool,
) -> int:
    """Make the file of a new record, in the folder where its like lie.

    On a terminal it asks for what must be there and was not given. A record with an error is not
    written.
    """
    from generator.edit.changes import Refused
    from generator.edit.new import asked, plan, put

    collection = COLLECTION_OF[kind]
    fields: dict[str, Any] = {} if name is None else {"name": name}
    for one in values:
        field, equals, value = one.partition("=")
        if not equals or not field:
            raise click.BadParameter(f'"{one}" is not FIELD=VALUE', param_hint="--set")
        try:
            put(fields, field, asked(field, value))
        except Refused as error:
            raise click.BadParameter(str(error), param_hint="--set") from None
    _ask(content, collection, fields)
    return carry_out(
        content,
        lambda: plan(content, collection, fields, slug),
        f"A new {kind}",
        dry=dry_run,
        fresh=True,
    )


def _ask(content: str, collection: str, fields: dict[str, Any]) -> None:
    """Ask for what must be there, on a terminal; else say what is missing."""
    from generator.build.load import read_header
    from generator.edit.needed import Need, needed, read
    from generator.edit.new import put
    from generator.records.folder import Content

    settings = read_header(Content(content))[0].settings
    terminal, began = sys.stdin.isatty(), len(fields)
    while missing := needed(settings, collection, fields):
        if not terminal:
            raise click.UsageError(
                f"Without a terminal nothing is asked; add {', '.join(map(_option, missing))}"
            )
        need = missing[0]
        choices = click.Choice(need.choices) if need.choices else None
        put(fields, need.field, read(need, click.prompt(need.label, type=choices, err=True)))
    for name in ("summary", "website", "year") if len(fields) > began else ():
        if name not in fields and name in settings.models()[collection].model_fields:
            said = click.prompt(f"{name.capitalize()} (may be empty)", default="", err=True,
                                show_default=False)  # fmt: skip
            if said:
                fields[name] = read(Need(name, name), said)


def _option(need: Need) -> str:
    """The option that gives a field."""
    option = "--name NAME" if need.field == "name" else f"--set {need.field}=…"
    return option + (f" (one of {', '.join(need.choices)})" if need.choices else "")
