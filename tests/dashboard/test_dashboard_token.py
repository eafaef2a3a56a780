"""Tokens that outlast a run: kept in a file, which nobody else may read."""

import pytest

from honeyguide.base import BadInput, HoneyguideError
from honeyguide.dashboard.token import kept_token


def test_a_token_is_kept_in_a_file_for_its_owner_only(tmp_path):
    path = tmp_path / "token"
    token = kept_token(path)
    assert (len(token) >= 43, path.stat().st_mode & 0o777) == (True, 0o600)
    assert path.read_text() == token  # as Prometheus reads it
    assert kept_token(path) == token
    path.write_text(f"{token}\n")
    assert kept_token(path) == token
    path.chmod(0o640)
    with pytest.raises(BadInput, match="chmod 600"):
        kept_token(path)


@pytest.mark.parametrize("content", ["", "short", "x" * 40 + " y", "\u00e9" * 40, "x" * 201])
def test_a_file_without_a_token_is_refused(tmp_path, content):
    path = tmp_path / "token"
    path.touch(0o600)
    path.write_text(content)
    with pytest.raises(BadInput, match="holds no token"):
        kept_token(path)


def test_a_place_where_no_token_can_be_kept_is_told(tmp_path):
    with pytest.raises(HoneyguideError, match="nowhere"):
        kept_token(tmp_path / "nowhere" / "token")
