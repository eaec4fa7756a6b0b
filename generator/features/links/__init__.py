"""Links: whether the websites, links and sources of records still answer.

For people who keep records true.  Adds the command `registry links`, for which lychee asks the
addresses; the workflow `links.yml` of new registries runs it once a month.
"""
