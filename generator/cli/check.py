"""`registry check`."""

from __future__ import annotations

import click


@click.command("check")
@click.option("--content", default="content", show_default=True, metavar="DIR", help="The folder with registry.yaml.")
@click.option("--format", "form", type=click.Choice(["text", "json", "github", "sarif"]), default="text", show_default=True,
              help="github prints workflow commands, sarif a SARIF 2.1.0 log.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Processes to use.")
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
def command(content: str, form: str, jobs: int | None, strict: bool) -> int:
    """Report every problem of the content; write nothing."""
    from datetime import UTC, datetime

    from generator.build.pipeline import check
    from generator.build.workers import WorkerFailed
    from generator.cli._report import show_problems

    try:
        report = check(content, datetime.now(UTC).date(), jobs=jobs, strict=strict)
    except WorkerFailed as error:
        raise click.ClickException(str(error)) from error
    show_problems(report.problems, form)
    if form == "text" and not report.problems:
        click.echo(f"{sum(report.records.values()):,} records, no problem.")
    return 1 if report.failed else 0
