"""A real web for everyone: documentation packages of Debian, page by page under their public addresses."""
