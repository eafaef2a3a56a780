"""Benchmarks: what the code costs, as ratios to a limit or to a bare loop in the same run."""
