"""What a build publishes, one output a module (see generator.contract.artifact).

`pages`, `records` and `search` are the large outputs, which the pipeline calls part by part; all
others have `render`.
"""

LARGE = ("pages", "records", "search")
