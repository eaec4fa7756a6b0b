"""A folder of YAML -> checked models, and every problem on the way."""
