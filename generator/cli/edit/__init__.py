"""Commands that change content, or files made for its editors.

Start with `new.py`; `_edit.py` carries out the changes.
May import what `generator.cli` may, but not another command.
"""
