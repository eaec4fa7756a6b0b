"""`registry approve`."""

from __future__ import annotations

import click

from generator.cli._where import content_option, option
from generator.cli.edit._edit import carry_out, dry_run


@click.command("approve", short_help="Approve a change that a rule or a guard stops.")
@click.argument("fingerprints", nargs=-1, required=True, metavar="FINGERPRINT...")
@option(
    "--reason TEXT",
    "Why, in one line of at most 300 characters; replaces the former reason.",
    name="reasons",
    multiple=True,
)
@content_option
@dry_run
def command(
    fingerprints: tuple[str, ...], reasons: tuple[str, ...], content: str, dry_run: bool
) -> int:
    """Approve a change that registry diff or a stopped build reported with a FINGERPRINT.

    The approval is written to approvals.yaml and is only for that change.  To give another reason,
    approve the change again.
    """
    import re
    from datetime import UTC, datetime

    from generator.edit.approve import plan_approvals
    from generator.kinds.types import FINGERPRINT_PATTERN
    from generator.problems.diagnostic import printable

    for one in fingerprints:
        if not re.fullmatch(FINGERPRINT_PATTERN, one):
            raise click.BadParameter(
                f'"{printable(one)}" is not a fingerprint. A fingerprint has 16 characters from '
                "0-9 and a-f; registry diff shows it",
                param_hint="FINGERPRINT",
            )
    if len(reasons) > 1:
        raise click.UsageError(
            "--reason is given more than once. All fingerprints of one command get the same reason:"
            " run registry approve once for each reason."
        )
    reason = reasons[0] if reasons else None
    several = len(set(fingerprints)) > 1
    day = datetime.now(UTC).date().isoformat()
    return carry_out(
        content,
        lambda: plan_approvals(content, fingerprints, reason, day),
        "Noted. A build or registry diff that reports "
        f"{'one of these fingerprints' if several else 'this fingerprint'} lets it pass",
        dry=dry_run,
    )
