"""`registry new`."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any

import click

from generator import UserError
from generator.cli._where import content_option, option
from generator.cli.edit._edit import carry_out, collection_of, dry_run, open_workspace

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from generator.dialect.folder import Source
    from generator.edit.changes import Plan
    from generator.edit.new import Resembles
    from generator.kinds.declare import Field
    from generator.kinds.models import Input
    from generator.model.settings.registry import Settings


#: The kind and the slugs of the records that a field may refer to.
_Targets = tuple[str, "Collection[str]"]


def _check_values(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Refuse a field without its value, which Click took for a word of the name."""
    words = context.params["words"]
    for one in values:
        field, equals, value = one.partition("=")
        if not field:
            raise click.BadParameter(f'"{one}" is not FIELD=VALUE, like year=2026')
        if not equals:
            value = words[-1] if words else "VALUE"
            raise click.BadParameter(
                f'"{one}" is not FIELD=VALUE: write --set {shlex.quote(f"{field}={value}")}'
            )
    return values


def _one_name(kind: str, words: tuple[str, ...], name: str | None) -> str | None:
    if len(words) > 1:
        quoted = shlex.quote(" ".join(words))
        raise click.UsageError(
            f"A name of several words needs quotes: registry new {kind} {quoted}"
        )
    if words and name not in (None, words[0]):
        raise click.UsageError(f'Use either the name "{words[0]}" or --name.')
    return words[0] if words else name


@click.command("new", short_help="Create a record, or declare a kind.")
@click.argument("kind", required=False)
@click.argument("words", nargs=-1, metavar="[NAME]", is_eager=True)
@option("--name NAME", "The name of the record, like NAME.")
@option("--slug SLUG", "The slug.  [default: from the name]", default="", show_default=False)
@option(
    "--set FIELD=VALUE",
    "A field, with its value in YAML: year=2020, tags.topic=[climate, food].  May be repeated.",
    name="values",
    multiple=True,
    callback=_check_values,
)
@option("--duplicate", "Create it even if it looks like another record.")
@option("--kind PLURAL", "Declare a kind of records in registry.yaml instead.", name="plural")
@option("--one SINGULAR", "With --kind: the word for a single record.  [default: from PLURAL]")
@option(
    "--from FILE",
    "With --kind: a table, as `registry import` reads it, whose columns become its fields.",
    click.Path(exists=True, dir_okay=False),
    name="table",
)
@content_option
@dry_run
def command(
    kind: str | None,
    words: tuple[str, ...],
    name: str | None,
    slug: str,
    values: tuple[str, ...],
    duplicate: bool,
    plural: str | None,
    one: str | None,
    table: str | None,
    content: str,
    dry_run: bool,
) -> int:
    """Create the file of a new record with this NAME, in the folder with records of its kind.

    On a terminal, it asks for missing required fields, and what to do if the record looks like an
    existing one.  A record with an error is not written.

    With --kind, add a kind of records to registry.yaml: registry new --kind books --from books.csv
    guesses its fields from a table, and writes books.yaml, the map that imports the table.
    """
    if plural is not None:
        if kind or words or name or slug or values:
            raise click.UsageError("--kind declares a kind: leave out KIND, NAME, --slug and --set")
        return _declare(content, plural, one, table, dry_run)
    if kind is None or one or table:
        raise click.UsageError(
            "Say the kind of the record: registry new project. To declare a kind, write "
            "registry new --kind PLURAL"
        )
    from generator.dialect.folder import open_content
    from generator.edit.changes import Refused
    from generator.edit.new import Resembles, parse_value, plan_record, set_field
    from generator.published.content.read import read_header

    collection = collection_of(content, kind)
    settings = read_header(open_content(content))[0].settings
    if collection not in settings.kinds:
        raise UserError("registry.yaml has errors, which `registry check` shows")
    declared = settings.kinds[collection]
    name = _one_name(kind, words, name)
    fields: dict[str, Any] = {} if name is None else {"name": name}
    for setting in values:
        field, _, value = setting.partition("=")
        try:
            set_field(
                fields, field, parse_value(declared.places.get(tuple(field.split("."))), value)
            )
        except Refused as error:
            raise click.BadParameter(str(error), param_hint="--set") from None
    _ask(content, settings, collection, fields)

    def planned() -> Plan:
        try:
            return plan_record(content, collection, fields, slug, duplicate=duplicate)
        except Resembles as error:
            _confirm(error, dry_run)
            return plan_record(content, collection, fields, slug, duplicate=True)

    return carry_out(content, planned, f"A new {declared.noun}", dry=dry_run, fresh=True)


def _declare(content: str, name: str, one: str | None, table: str | None, dry: bool) -> int:
    """Add a kind to registry.yaml, with the columns of a table as its fields, and write the map of
    the table beside it.
    """
    from pathlib import Path

    from generator.cli._report import show_problems
    from generator.edit.changes import Refused
    from generator.edit.new_kind import plan_kind, singular
    from generator.edit.tables.sources import read
    from generator.kinds.rules import is_name
    from generator.problems.diagnostic import Faulty
    from generator.text.words import word_slug

    one = one or singular(name)
    if not one:
        raise click.UsageError(f'Say what one of "{name}" is called: --one WORD')
    for given, word in (("--kind", name), ("--one", one)):
        if not is_name(word):
            near = word_slug(word)
            hint = f"write {near}" if is_name(near) else "like books"
            message = f'"{word}" is not a name of a kind: use a-z, digits and hyphens, {hint}'
            raise click.BadParameter(message, param_hint=given)
    map_path = Path(table).with_suffix(".yaml") if table else None
    if table and map_path == Path(table):
        map_path = map_path.with_suffix(".map.yaml")
    if map_path is not None and map_path.exists():
        message = f"{map_path} exists already, and its map would be written there: move it"
        raise Refused(message)
    try:
        known = open_workspace(content)
        sheet = read(table) if table is not None else None
    except Faulty as error:
        show_problems(error.problems)
        return error.status
    made = plan_kind(content, known, name, one, sheet)
    status = carry_out(content, lambda: made.plan, f"The kind {name} is declared", dry=dry)
    if status or dry:
        click.echo(made.map_text, nl=False)
        return status
    click.echo(f"\n{made.added}")
    if map_path is None:
        click.echo(f"Edit it in registry.yaml, then write records: registry new {one}")
        return 0
    map_path.write_text(made.map_text, "utf-8")
    click.echo(f"written  {map_path}\n\nCorrect both, then import the table:\n"
               f"registry import {table} --map {map_path}")  # fmt: skip
    return 0


def _confirm(error: Resembles, dry_run: bool) -> None:
    """Ask whether a record is new although it resembles another record. Raises Refused."""
    from generator.edit.changes import Refused
    from generator.problems.diagnostic import printable

    looks = f"T{printable(str(error))[1:]}."
    if dry_run:
        click.echo(looks, err=True)
    elif not sys.stdin.isatty():
        raise Refused(
            f"{looks} If it is the same, edit that record. If not, add --duplicate: its slug "
            f"will be {error.slug}."
        )
    else:
        click.echo(looks, err=True)
        if not click.confirm(f"Is the new one different? Its slug will be {error.slug}.", err=True):
            raise Refused(f"no record was created; edit {error.records[0].file}")


def _ask(content: str, settings: Settings, collection: str, fields: dict[str, Any]) -> None:
    """Ask for required fields on a terminal; elsewhere list the missing fields."""
    from generator.dialect.folder import scan
    from generator.edit.new import choices_of, missing_fields
    from generator.model.settings.own_fields import record_model

    model = record_model(settings.kinds[collection])
    terminal, began = sys.stdin.isatty(), len(fields)
    sources: Mapping[str, Sequence[Source]] = {}
    while missing := missing_fields(settings, collection, fields):
        if not terminal:
            options = [_option(field, choices_of(settings, field)) for field in missing]
            raise click.UsageError(
                f"Add {', '.join(options)}. Without a terminal the command asks no questions."
            )
        need = missing[0]
        choices = choices_of(settings, need)
        targets: _Targets = "", ()
        if need.refers:
            sources = sources or scan(content).sources
            slugs = {source.slug for source in sources[need.refers]}
            targets = settings.kinds.kind_of[need.refers], slugs
        shown = click.Choice(choices) if choices else None
        _put(fields, need, model, targets, text=need.label, type=shown)
    written = settings.kinds[collection].written
    for name in ("summary", "website", "year") if len(fields) > began else ():
        if name in written and name not in fields:
            asked = f"{name.capitalize()} (may be empty)"
            _put(fields, written[name], model, text=asked, default="", show_default=False)


def _put(
    fields: dict[str, Any],
    field: Field,
    model: type[Input],
    targets: _Targets = ("", ()),
    **question: Any,
) -> None:
    from copy import deepcopy

    from generator.edit.new import read, set_field
    from generator.problems.diagnostic import printable

    while said := click.prompt(err=True, **question):
        answered = deepcopy(fields)
        set_field(answered, ".".join(field.place), read(field, said))
        wrong = _field_problem(answered, field, model, targets)
        if wrong is None:
            fields.update(answered)
            return
        click.echo(f"Error: {printable(wrong)}", err=True)


def _field_problem(
    fields: dict[str, Any], field: Field, model: type[Input], targets: _Targets
) -> str | None:
    """What is wrong with a field."""
    from generator.dialect import values
    from generator.edit.rename import value_at
    from generator.kinds.event import Event
    from generator.model.kinds.event_checks import check_times
    from generator.model.validate import read_model
    from generator.problems.one_edit import differ_by_one_edit

    raw = values.record(fields).encode("utf-8", "surrogatepass")
    record, faults, _ = read_model(raw, model)
    if isinstance(record, Event):
        faults += (one for one in check_times(record) if one.code != "timezone-required")
    for fault in faults:
        if fault.loc[: len(field.place)] == field.place and fault.severity == "error":
            return f"{fault.message}; {fault.hint}" if fault.hint else fault.message
    kind, slugs = targets
    named = value_at(fields, field.place) if kind else []
    for slug in map(str, named if isinstance(named, list) else (named,)):
        if slug not in slugs:
            near = [other for other in slugs if differ_by_one_edit(other, slug)]
            make = f"make it first: registry new {kind}"
            hint = f'did you mean "{near[0]}"?' if len(near) == 1 else make
            return f'there is no {kind} "{slug}"; {hint}'
    return None


def _option(field: Field, choices: Collection[str]) -> str:
    option = "NAME" if field.name == "name" else f"--set {'.'.join(field.place)}=…"
    return option + (f" (one of {', '.join(choices)})" if choices else "")
