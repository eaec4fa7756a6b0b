"""`registry` whose builds fail if there is a file "boom": by the signal named in it, for lack of
memory, or, if it is empty, by a bug.
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
if __name__ == "__main__":  # worker processes import it under another name
    generator.cli.main()
