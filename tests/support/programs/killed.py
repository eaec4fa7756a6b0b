"""`registry`, killed after it moved a number of files into place."""

import os
import sys

import generator.cli

moves, real = int(sys.argv.pop(1)), os.rename


def rename(source, target, **folders):
    global moves
    if source == target:
        if not moves:
            os._exit(137)
        moves -= 1
    real(source, target, **folders)


os.rename = rename
generator.cli.main()
