"""`registry new`."""

from __future__ import annotations

import sys
from typing import Any

import click

from generator.api.names import COLLECTION_OF
from generator.cli._edit import carry_out, dry_run, kind_argument
from generator.cli._where import content_option


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
    """Ask for the fields that must be there, on a terminal; else say which are missing."""
    from generator.build.load import read_header
    from generator.edit.new import asked
    from generator.records.folder import Content

    settings = read_header(Content(content))[0].settings
    types, categories = settings.program_types or {}, settings.organization_categories or {}
    needed: dict[str, list[str]] = {"name": []}
    if collection == "programs":
        needed |= {"kind": ["program", "cohort"], "type": list(types), "organization": []}
    elif collection == "organizations":
        needed |= {"category": list(categories)}
    elif collection == "events":
        needed |= {"kind": ["application_window", "deadline", "event"]}
    terminal = sys.stdin.isatty()
    missing = [name for name in needed if name not in fields]
    if missing and not terminal:
        raise click.UsageError(_missing(missing, needed))
    for name in missing:
        choices = click.Choice(needed[name]) if needed[name] else None
        fields[name] = click.prompt(name.capitalize(), type=choices, err=True)
    if collection == "events":
        from generator.records.kinds.event import REQUIRED

        time = REQUIRED.get(str(fields["kind"]))
        if time is not None and time not in fields:
            if not terminal:
                raise click.UsageError(_missing([time], {}))
            fields[time] = click.prompt(f"{time.capitalize()} (YYYY-MM-DD or with HH:MM)", err=True)
            if " " in fields[time] and "timezone" not in fields:
                fields["timezone"] = click.prompt("Time zone (like Europe/Oslo, or AoE)", err=True)
    for name in ("summary", "website", "year") if terminal and missing else ():
        if name not in fields and (name != "year" or collection != "events"):
            said = click.prompt(f"{name.capitalize()} (may be empty)", default="", err=True,
                                show_default=False)  # fmt: skip
            if said:
                fields[name] = asked(name, said)


def _missing(names: list[str], choices: dict[str, list[str]]) -> str:
    told = [
        (f"--{name} NAME" if name == "name" else f"--set {name}=…")
        + (f" (one of {', '.join(known)})" if (known := choices.get(name)) else "")
        for name in names
    ]
    return "Without a terminal nothing is asked; add " + ", ".join(told)
