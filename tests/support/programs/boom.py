"""`registry`, whose builds end otherwise while there is a file called "boom": by the signal that it
names, for want of memory, or by a bug where it is empty.
"""

import os
import signal

import generator.build
import generator.cli

real = generator.build.build


def build(*arguments, **more):
    if os.path.exists("boom"):
        with open("boom") as file:
            how = file.read()
        if how.startswith("SIG"):
            os.kill(os.getpid(), getattr(signal, how))
        raise MemoryError if how else RuntimeError("boom <b>")
    return real(*arguments, **more)


generator.build.build = build
if __name__ == "__main__":  # a process that builds takes it in under another name
    generator.cli.main()
