"""`registry schema`: the published schemas, those of the input for editors, and the locks: that of
the generator, which holds the schemas, and that of a registry, which holds its kinds.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from generator import PACKAGE
from generator.cli._where import option
from generator.cli.edit._edit import carry_out, open_workspace, path_in_repository


@click.command("schema", short_help="Print the JSON Schema of one kind of document.")
@click.argument("kind", required=False)
@option("--input", "The schema of the YAML files, for editors.", name="of_input")
@option(
    "--content DIR",
    "With --input, --editor and --write: the content with the own kinds, fields, tags and slugs.",
    click.Path(exists=True, file_okay=False),
)
@option(
    "--editor DIR",
    "Write the schemas of the YAML files, for VS Code, into the folder with the content.",
    click.Path(exists=True, file_okay=False),
    name="repository",
)
@option("--force", "With --editor: overwrite files that were changed by hand.")
@option(
    "--check",
    "In a checkout of the generator: compare its lock file with the code, and report what would "
    "break a consumer.",
    name="checking",
)
@option(
    "--against FILE",
    "With --check: also compare with this older lock file.",
    click.Path(exists=True, dir_okay=False, path_type=Path),
)
@option(
    "--write",
    "Note what readers rely on in the kinds of registry.yaml in schema.lock.json beside it. In a "
    "checkout of the generator, without --content: write its lock file, unless this would break a "
    "consumer.",
    name="writing",
)
def command(
    kind: str | None,
    of_input: bool,
    content: str | None,
    repository: str | None,
    force: bool,
    checking: bool,
    against: Path | None,
    writing: bool,
) -> int:
    """Print the JSON Schema of one kind of document.  Without KIND, list all kinds.

    `registry check` compares registry.yaml with its schema.lock.json: a kind, field, relation or
    filter that is gone or has another type is an error until --write takes it on purpose.

    The lock file of the generator has the published schemas.  Within a major schema version, they
    only grow.
    """
    if sum((kind is not None or of_input, repository is not None, checking, writing)) > 1:
        raise click.UsageError("Use one of KIND, --editor, --check and --write.")
    if against is not None and not checking:
        raise click.UsageError("--against needs --check.")
    if content is not None and not of_input and repository is None and not writing:
        raise click.UsageError("--content needs --input, --editor or --write.")
    if force and repository is None:
        raise click.UsageError("--force needs --editor.")
    if repository is not None:
        return _write_for_editors(repository, content, force)
    if checking:
        return _check(against)
    if writing:
        is_checkout = content is None and Path.cwd() == PACKAGE.parent
        return _write() if is_checkout else _write_of_registry(content or "content")
    return _show(kind, of_input, content)


def _show(kind: str | None, of_input: bool, content: str | None) -> int:
    from generator.contract.input_schema import file_kinds, input_schema
    from generator.contract.lock import document_schema, locked_schemas, schema_text
    from generator.grammar.paths import schema_path
    from generator.kinds import built_in
    from generator.problems.diagnostic import suggest_word

    symbols = open_workspace(content).symbols if content is not None else None
    kinds = symbols.grammar.kinds if symbols is not None else built_in()
    known = file_kinds(kinds) if of_input else list(locked_schemas(kinds)["documents"])
    kind = kinds.kind_of.get(kind, kind) if kind is not None else None
    if kind is None:
        click.echo("\n".join(known))
    elif kind not in known:
        near = suggest_word(kind, known, max_words=20) or "`registry schema` lists all"
        own = "; --content DIR adds the own kinds of a registry" if of_input and not content else ""
        raise click.BadParameter(f'no kind "{kind}"; {near}{own}', param_hint="KIND")
    elif not of_input:
        click.echo(
            schema_text(document_schema(locked_schemas(built_in()), kind, schema_path(kind))),
            nl=False,
        )
    else:
        click.echo(schema_text(input_schema(kind, kinds, symbols)), nl=False)
    return 0


def _write_for_editors(repository: str, content: str | None, force: bool) -> int:
    from generator.edit.starting.files import plan_schemas

    folder = content or str(Path(repository, "content"))
    path = path_in_repository(repository, folder)
    known = open_workspace(folder)
    return carry_out(
        repository,
        lambda: plan_schemas(repository, path, known.symbols, force=force),
        "The schemas for editors are up to date",
        dry=False,
    )


def _breaks(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether the change breaks a client, after printing how."""
    from generator.guard.shapes import find_breaks

    broken = find_breaks(old, new)
    for line in broken:
        click.echo(f"breaks: {line}", err=True)
    if broken:
        click.echo(
            f"A consumer of schema {old['schema_version']} would break. Keep what was published "
            "and add beside it, or raise the major number of SCHEMA_VERSION in "
            "generator/__init__.py.",
            err=True,
        )
    return bool(broken)


def _locks() -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """The lock file, None if there is none, and the lock of the code."""
    from generator.contract.lock import LOCK, add_since, read_lock
    from generator.contract.published import generate_lock
    from generator.kinds import built_in

    old = read_lock() if LOCK.exists() else None
    return old, add_since(generate_lock(built_in(), old), old)


def _check(against: Path | None) -> int:
    old, new = _locks()
    if against is not None and _breaks(_read(against), new):
        return 1
    if old is None:
        click.echo("There is not a lock file; run: registry schema --write", err=True)
        return 1
    if new == old:
        click.echo(f"The lock file matches the code, schema {new['schema_version']}.")
        return 0
    if not _breaks(old, new):
        click.echo(
            "The published schema grew and the lock file does not have it yet; run: registry "
            "schema --write",
            err=True,
        )
    return 1


def _write() -> int:
    from generator.contract.lock import FIELDS, LOCK, field_tables, schema_text
    from generator.kinds import built_in

    old, new = _locks()
    if old is not None and _breaks(old, new):
        return 1
    LOCK.write_text(schema_text(new), "utf-8")
    click.echo(f"Wrote {LOCK.name}, schema {new['schema_version']}.")
    if FIELDS.exists():
        FIELDS.write_text(field_tables(FIELDS.read_text("utf-8"), built_in()), "utf-8")
        click.echo(f"Wrote the tables of fields in {FIELDS.name}.")
    return 0


def _write_of_registry(content: str) -> int:
    from generator.edit.declared import plan_lock

    open_workspace(content)
    return carry_out(
        content, lambda: plan_lock(content), "schema.lock.json has what readers rely on", dry=False
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        old: dict[str, Any] = json.loads(path.read_bytes())
        old["schema_version"], old["documents"], old["$defs"]
    except (ValueError, KeyError, TypeError) as error:
        raise click.BadParameter(f"{path} is not a lock file", param_hint="--against") from error
    return old
