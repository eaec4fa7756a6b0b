"""The options `--executor` and `--scheduler` of `registry build`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from generator.cli._where import option

if TYPE_CHECKING:
    from generator.build.options import Asked

OPTIONS = (
    option(
        "--executor",
        "Where a build runs: on this machine, or on a dask cluster, which needs the extra cluster.",
        click.Choice(["local", "dask"]),
        default="local",
    ),
    option(
        "--scheduler ADDRESS",
        "For --executor dask: the scheduler of the cluster, such as tcp://HOST:8786.",
        envvar="DASK_SCHEDULER_ADDRESS",
    ),
)


def prepare(asked: Asked) -> None:
    if asked.given["executor"] != "dask":
        return
    address: str | None = asked.given["scheduler"]
    if not address:
        raise click.UsageError(
            "--executor dask needs --scheduler ADDRESS. dask scheduler prints its address when it "
            "starts"
        )
    if asked.options.jobs is not None:
        raise click.UsageError("--jobs is only for --executor local")
    from dataclasses import replace

    from generator.features.cluster.cluster import Cluster

    cluster = Cluster(address, lambda line: click.echo(line, err=True))
    click.get_current_context().with_resource(cluster)
    asked.options = replace(asked.options, executor=cluster.workers)
