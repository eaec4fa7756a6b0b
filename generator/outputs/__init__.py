"""The outputs of a build, one a module (see generator.contract.artifact).

`pages`, `records` and `search` are large: the pipeline calls their functions part by part.  All
others have `render`.
"""

LARGE = ("pages", "records", "search")
