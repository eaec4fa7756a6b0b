"""`registry` whose development server makes the answer to /slow only after that to /quick, and
fails to make those to /boom and /api/boom.
"""

import threading

import generator.cli
import generator.serve.server

real = generator.serve.server.answer
asked = threading.Event()


def answer(method, target, site, **options):
    if target.endswith("/boom"):
        raise RuntimeError("boom")
    if target == "/slow":
        asked.wait()
    if target == "/quick":
        asked.set()
    return real(method, target, site, **options)


generator.serve.server.answer = answer
if __name__ == "__main__":  # worker processes import it under another name
    generator.cli.main()
