"""Other people's ways to choose what to fetch next, each in one file, as faithful as a shared frontier allows."""
