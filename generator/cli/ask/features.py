"""`registry features`."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from generator.cli._where import added_options
from generator.feature import features

if TYPE_CHECKING:
    from generator.feature import Feature


@click.command("features")
def command() -> None:
    """List the features of this installation, and what each adds.

    Features are what a registry can do without.  Other packages can add some.
    """
    for feature in features():
        said = " ".join((feature.load().__doc__ or "").strip().partition("\n\n")[0].split())
        origin = f" ({feature.origin})" if feature.origin else ""
        click.echo(f"{feature.name.replace('_', '-')}{origin}: {said}")
        for line in filter(None, _added(feature)):
            click.echo(f"    {line}")


def _added(feature: Feature) -> Iterator[str]:
    """Lines about what a feature adds."""
    from generator.grammar.grammar import Grammar
    from generator.kinds.models import Input
    from generator.problems.codes import read_toml

    if "commands" in feature.parts:
        folder = feature.folder / "commands"
        names = [found.name for found in pkgutil.iter_modules([str(folder)])]
        yield _line("commands", [n.rstrip("_").replace("_", "-") for n in names if n[0] != "_"])
    if "settings" in feature.parts:
        module = feature.load("settings")
        models = [
            (getattr(module, "Settings", Input), ""),
            (getattr(module, "Publish", Input), "publish."),
        ]
        keys = [f"{prefix}{name}" for model, prefix in models for name in model.model_fields]
        yield _line("keys of registry.yaml", keys)
    yield _line("fields", [*_fields(feature)])
    yield _line("files", [*_addresses(feature)])
    if "routes" in feature.parts:
        services = feature.load("routes").services(Grammar({}))
        yield _line("queries", [service.paths[0] for service in services])
    if "tools" in feature.parts:
        added = feature.load("tools").tools(Grammar({}))
        yield _line("tools of agents", [tool.name for _, tool in added])
    if "building" in feature.parts:
        options = added_options(feature.load("building"))
        yield _line("options of registry build", [option.opts[0] for option in options])
    workflows = (feature.folder / "templates" / "init" / "github").glob("*.yml.j2")
    yield _line("workflows of registry init", sorted(file.stem for file in workflows))
    if (codes := feature.folder / "codes.toml").is_file():
        yield _line("problems", [code for group in read_toml(codes).values() for code in group])


def _addresses(feature: Feature) -> Iterator[str]:
    """The beginnings of the addresses of its files."""
    for part in ("outputs", "views"):
        if part in feature.parts:
            yield from getattr(feature.load(part), "ADDRESSES", ())


def _fields(feature: Feature) -> Iterator[str]:
    """The fields that a feature adds, with the records that have them."""
    from generator.kinds import KINDS
    from generator.kinds.declare import read_fields

    module = feature.load("fields") if "fields" in feature.parts else None
    owners = {kind.model.__name__: kind.name for kind in KINDS.values()}
    for name, owner in {"Record": "all records", **owners}.items():
        for field in read_fields(getattr(module, name, object)):
            yield f"{field} of {owner}"


def _line(what: str, names: list[str]) -> str:
    return f"{what}: {', '.join(names)}" if names else ""
