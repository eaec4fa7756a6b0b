"""The landscape: the projects of each tag as small tiles, by status.

For people who want a whole market on one page.  Adds the page `/landscape/` for the first tag
family that projects have tags of, and one below it for each further family.
"""
