"""So that `python -m honeyguide` is the command line."""

from honeyguide.cli import main

main()
