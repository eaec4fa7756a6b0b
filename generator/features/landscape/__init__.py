"""The landscape: every project by its tags, by name or logo.

For people who want a whole market on one page.  Adds the key `landscape`, the page `/landscape/`
for the first tag family that projects have tags of, and one below it for each further family.
"""
