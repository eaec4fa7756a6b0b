"""Commands that check content, build it, compare builds and publish them.

Start with `build.py`.
May import what `generator.cli` may, but not another command.
"""
