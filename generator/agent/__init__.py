"""What models are given: tools as data, arguments held against them, answers cut to a budget."""
