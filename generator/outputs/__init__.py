"""The outputs of a build, one a module (see generator.contract.artifact).

`pages` and `records` are large: the pipeline calls their functions part by part.  All others have
`render`.  May import agent and below, not site, hosts or guard.
"""

LARGE = ("pages", "records")
