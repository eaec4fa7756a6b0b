"""Commands that check content, build it, compare builds and publish them.

Start with `build.py`; `_content.py` opens content.
May import what `generator.cli` may, but not another command.
"""
