"""`registry` whose development server waits at the end of each read while there is a file "hold",
and says so with a file "waiting".  Reads fail if there is a file "boom": for lack of memory if it
says so, otherwise by a bug.
"""

import os
import time
from pathlib import Path

import generator.cli
import generator.serve.live


def changed(real):
    def read(*arguments, **options):
        if os.path.exists("boom"):
            raise MemoryError if Path("boom").read_text() else RuntimeError("boom <b>")
        records = real(*arguments, **options)
        while os.path.exists("hold"):
            Path("waiting").touch()
            time.sleep(0.01)
        Path("waiting").unlink(missing_ok=True)
        return records

    return read


generator.serve.live.read = changed(generator.serve.live.read)
generator.serve.live.reread = changed(generator.serve.live.reread)
generator.cli.main()
