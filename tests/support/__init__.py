"""What tests share: commands and hosts to run, registries to build, questions to ask.  `tests` is
on the path of pytest.
"""
