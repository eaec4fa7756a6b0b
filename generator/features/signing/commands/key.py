"""`registry key`."""

from __future__ import annotations

import os

import click

from generator import UserError


@click.command("key", short_help="Create, show or replace the key that signs a registry.")
@click.argument("action", type=click.Choice(["new", "show", "hand-over"]))
@click.argument("file")
@click.argument("to", required=False)
def command(action: str, file: str, to: str | None) -> int:
    """Create the key that signs the manifest of a registry, show its public key, or replace it.

    \b
    registry key new FILE              writes a private key; keep it secret
    registry key show FILE             prints its public key, for readers
    registry key hand-over FILE TO     signs that the key TO replaces it

    TO is the file of another key, or its public key.  Copy the output into registry.yaml.
    """
    from generator.contract.manifest import hand_over_bytes, is_key
    from generator.features.signing.private_key import PrivateKey, new_key, read_key_file

    if (action == "hand-over") != (to is not None):
        raise click.UsageError("registry key hand-over FILE TO; new and show take FILE alone.")
    if action == "new":
        key = PrivateKey(_create_key_file(file, new_key()))
        click.echo(f"Wrote {file}. Keep it secret, and out of the repository.", err=True)
    else:
        key = PrivateKey(read_key_file(file))
    if action == "show":
        click.echo(key.public)
        return 0
    if to is None:
        click.echo(f"signing:\n  keys:\n    - {key.public}")
        return 0
    new = to if is_key(to) else PrivateKey(read_key_file(to)).public
    signature = key.sign(hand_over_bytes(key.public, new))
    click.echo(f"signing:\n  keys:\n    - {new}\n  handovers:")
    click.echo(f"    - old: {key.public}\n      new: {new}\n      signature: {signature}")
    return 0


def _create_key_file(file: str, text: str) -> str:
    """Create a file that only its owner can read."""
    try:
        number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no path"
        raise UserError(f"{file}: {why}; nothing was written.") from error
    with open(number, "w") as stream:
        stream.write(text)
    return text
