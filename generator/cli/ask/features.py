"""`registry features`."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

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
    from generator.kinds.models import Input
    from generator.problems.catalogue import read_toml

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
    addresses: list[str] = []
    for part in ("outputs", "views"):
        if part in feature.parts:
            addresses += getattr(feature.load(part), "ADDRESSES", ())
    if "addresses" in feature.parts:
        forms = feature.load("addresses").FORMS
        addresses += dict.fromkeys(f"/{form.folder}/" for form in forms)
    yield _line("files", addresses)
    if (codes := feature.folder / "codes.toml").is_file():
        yield _line("problems", [code for group in read_toml(codes).values() for code in group])


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
