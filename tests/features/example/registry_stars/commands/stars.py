import json

import click

from generator.cli._where import registry, source_options
from registry_stars.addresses import STARS


@click.command("stars")
@source_options
def command(**where: str) -> None:
    """Print the projects with most stars."""
    with registry(**where) as client:
        (raw,) = client.read([STARS])
    for project in json.loads(raw)["data"] if raw else ():
        click.echo(f"{project['stars']:>8,}  {project['name']}")
