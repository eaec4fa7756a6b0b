"""`registry submit`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from generator.cli._where import content_option, option
from generator.cli.edit._edit import clear_leftovers, open_workspace

_MOST = 1 << 24  # bytes of an event


@click.command("submit", short_help="Create a record from a filled-in issue form.")
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False))
@content_option
@option(
    "--out DIR",
    "Write the answer and the text of the pull request into this folder, and print "
    "KEY=VALUE lines for a workflow.",
    click.Path(file_okay=False, path_type=Path),
)
@option("--duplicate", "Create the record even if it looks like another record.")
def command(file: str, content: str, out: Path | None, duplicate: bool) -> int:
    """Create a record from a filled-in form of `registry forms`, and print an answer for its
    author.

    FILE is the event of a GitHub issue (.json), or the text of an issue.  The exit status is 1 if
    no record can be created.
    """
    from generator.features.forms.submit import submit
    from generator.problems.diagnostic import Faulty

    number, body = _issue(file)
    clear_leftovers(content)
    try:
        known = open_workspace(content)
    except Faulty as error:
        error.status = 2  # 1 is for a form that is refused
        raise
    done = submit(known, body, duplicate=duplicate)
    if out is None:
        click.echo(done.answer or "This is no form of the registry.")
    else:
        branch = f"submission-{number}" if done.outcome == "record" else ""
        told = {"outcome": done.outcome, "number": number, "branch": branch, "title": done.title}
        out.mkdir(parents=True, exist_ok=True)
        closes = f"Closes #{number}.\n\n" if number else ""
        (out / "answer.md").write_text(done.answer, "utf-8")
        (out / "request.md").write_text(f"{closes}{done.request}", "utf-8")
        whole = {**told, "kind": done.kind, "slug": done.slug, "file": done.file,
                 "problems": [problem._asdict() for problem in done.problems]}  # fmt: skip
        (out / "submission.json").write_text(json.dumps(whole, indent=1) + "\n", "utf-8")
        click.echo("".join(f"{key}={value}\n" for key, value in told.items()), nl=False)
    return 1 if done.outcome == "refused" else 0


def _issue(file: str) -> tuple[int, str]:
    data = Path(file).read_bytes()[: _MOST + 1]
    if len(data) > _MOST:
        raise click.BadParameter(f"{file} has more than {_MOST:,} bytes", param_hint="FILE")
    try:
        if not file.endswith(".json"):
            return 0, data.decode()
        event: Any = json.loads(data)
        issue = event["issue"]
        number, body = issue["number"], issue.get("body")
        if body is None or "pull_request" in issue:
            body = ""
        if type(number) is int and number > 0 and isinstance(body, str):
            return number, body.encode("utf-8", "replace").decode()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass
    raise click.BadParameter(f"{file} is no event of an issue, and no text", param_hint="FILE")
