"""The strategy of this project: evidence of many kinds, weighed by a model that starts at a rule and learns."""
