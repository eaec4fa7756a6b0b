"""`registry` that gets a signal, by its number, as soon as it has written its first line.

Python runs a folder like `python -m`, so that what it remembers of a KeyboardInterrupt counts.
"""

import sys

import click

import generator.cli

#: A signal in code from a string, as that of a dataclass: a KeyboardInterrupt there makes Python
#: end itself by SIGINT, even if it was handled.
_SIGNAL = "import os\nos.kill(os.getpid(), {})\nfor _ in range(9): pass"


def main() -> None:
    number, echo = sys.argv.pop(1), click.echo

    def echo_and_signal(*arguments, **options):
        click.echo = echo
        echo(*arguments, **options)
        exec(_SIGNAL.format(number))  # noqa: S102

    click.echo = echo_and_signal
    generator.cli.main()


if __name__ == "__main__":  # the development server starts its builder from this file
    main()
