"""`registry verify`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from generator.cli._where import WholeNumber, key_option, option, timeout_option, trust_for

if TYPE_CHECKING:
    from generator.contract.files import ReadFiles
    from generator.features.verify.files import FileFault, VerifyResult


@click.command("verify", short_help="Check a published registry with its manifest.")
@click.argument("where", default="build", metavar="[WHERE]")
@option("--sample N", "Check N random files.  [default: all]", WholeNumber(1, 10_000_000))
@option(
    "--answer FILE",
    "Check a saved answer of get_record with proof: true, without its host.  - reads the standard "
    "input.",
    click.File("rb"),
)
@key_option
@timeout_option
@option("--format", "", click.Choice(["text", "json"]), name="form", default="text")
def command(
    where: str,
    sample: int | None,
    answer: BinaryIO | None,
    keys: tuple[str, ...],
    timeout: float,
    form: str,
) -> int:
    """Check that every file of a registry is as it was published.

    WHERE is the folder of a build or a mirror, or a base URL.  The exit status is 1 if a file is
    missing or different, if the manifest has expired, or if it is older than the last one.
    """
    from generator.cli._report import progress_bar
    from generator.disk.output_state import recover_output
    from generator.features.verify.files import find_unlisted, verify
    from generator.reader.location import FolderReader, base_url, host_reader, is_url
    from generator.reader.verified import default_memory

    if answer is not None:
        return _check_answer(answer, keys, form)
    memory: Path | None = None
    read: ReadFiles
    if is_url(where):
        base = base_url(where)
        read, memory = host_reader(base, timeout, stay=True), default_memory(base)
    else:
        recover_output(where)
        read = FolderReader(Path(where), stay=True)
    trust = trust_for(keys, memory)
    with progress_bar() as progress:
        outcome = verify(read, trust, sample, lambda done, all: progress("files", done, all))
    faults = outcome.faults
    if outcome.paths and not is_url(where):
        faults = [*faults, *find_unlisted(Path(where), outcome.paths)]
    _print_outcome(where, outcome, faults, bool(keys), form)
    return 1 if faults else 0


def _print_outcome(
    where: str, outcome: VerifyResult, faults: Sequence[FileFault], signed: bool, form: str
) -> None:
    from generator.problems.diagnostic import printable

    root = outcome.root
    if form == "json":
        said = {
            "where": where,
            "version": root.version if root else None,
            "expires_at": root.expires if root else None,
            "signed": signed and root is not None,
            "files": outcome.files,
            "bytes": outcome.bytes,
            "faults": [fault._asdict() for fault in faults],
        }
        click.echo(json.dumps(said))
        return
    for fault in faults:
        click.echo(f"{printable(fault.path)}: {fault.problem}")
    looked = f"{outcome.files:,} files, {outcome.bytes / 1e6:,.1f} MB"
    if faults:
        count = "1 fault" if len(faults) == 1 else f"{len(faults):,} faults"
        click.echo(f"{count} in {looked}: not what was published.", err=True)
        return
    assert root is not None
    whose = "signed" if signed else "whoever made it (--key names who must have signed it)"
    click.echo(f"{looked}: as published, version {root.version}, {whose}, until {root.expires}.")


def _check_answer(answer: BinaryIO, keys: tuple[str, ...], form: str) -> int:
    from generator.features.verify.files import MAX_SAVED, NotProved, check_answer
    from generator.problems.diagnostic import printable

    proved, problem = None, None
    try:
        proved = check_answer(answer.read(MAX_SAVED + 1), trust_for(keys, None))
    except NotProved as error:
        problem = str(error)
    if form == "json":
        said = {
            "answer": answer.name,
            "path": proved.path if proved else None,
            "version": proved.root.version if proved else None,
            "issued_at": proved.root.issued if proved else None,
            "expires_at": proved.root.expires if proved else None,
            "signed": bool(keys) and proved is not None,
            "fault": problem,
        }
        click.echo(json.dumps(said))
    elif proved is None:
        click.echo(f"Not what was published: {printable(str(problem))}.", err=True)
    else:
        root = proved.root
        whose = "signed" if keys else "by whoever made it (--key names who must have signed it)"
        click.echo(
            f"{proved.path}: as published at {root.issued}, version {root.version}, {whose}; "
            f"valid until {root.expires}."
        )
    return 1 if proved is None else 0
