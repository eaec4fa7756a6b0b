"""The outputs of a build (see generator.contract.artifact).  May import agent and below, not site,
hosts or guard.
"""
