"""`registry explain`."""

from __future__ import annotations

import click

from generator import UserError


@click.command("explain", short_help="Explain the code of a problem, and how to fix it.")
@click.argument("code", required=False)
def command(code: str | None) -> int:
    """Explain the CODE of a problem: what it means, why it happens and how to fix it.
    Without CODE, list all codes.
    """
    from generator.problems.codes import codes
    from generator.problems.diagnostic import suggest_word

    known = codes()
    if code is None:
        width = max(map(len, known))
        for name, one in known.items():
            click.echo(f"{name:{width}}  {one.summary}")
        return 0
    if code not in known:
        hint = suggest_word(code, known) or "registry explain lists all codes"
        raise UserError(f'There is no code "{code}"; {hint}')
    one = known[code]
    parts = [f"{code}: {one.summary}", _filled(one.cause), _filled(f"Mend: {one.mend.lstrip()}")]
    if one.file:
        parts.append(f"For example {one.file}:\n{_indented(one.holds)}")
    click.echo("\n\n".join(part.strip("\n") for part in parts if part))
    return 0


def _filled(text: str) -> str:
    return click.wrap_text(text, width=100, preserve_paragraphs=True)


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())
