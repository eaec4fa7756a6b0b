"""`python -m generator` is the `registry` command."""

from generator.cli import main

main()
