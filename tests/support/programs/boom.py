"""`registry`, whose builds raise while there is a file called "boom"."""

import os

import generator.build
import generator.cli

real = generator.build.build


def build(*arguments, **more):
    if os.path.exists("boom"):
        raise MemoryError if os.path.getsize("boom") else RuntimeError("boom <b>")
    return real(*arguments, **more)


generator.build.build = build
generator.cli.main()
