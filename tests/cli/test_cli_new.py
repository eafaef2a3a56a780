"""The command `new`: four questions, a file with every setting, and a crawl that starts from it."""

import dataclasses
import json
import re
import shlex
import subprocess
import sys
import tomllib

import pytest

from honeyguide.cli.new import written
from honeyguide.settings import Settings, default_of
from loopback import Loopback, answer

HONEYGUIDE = [sys.executable, "-m", "honeyguide"]
GIVEN = ("--topic", "keyword:bee", "--seed", "https://a.example/", "--pages", "7", "--contact", "me@a.example")


def run(*arguments, typed=None, code=0, cwd=None):
    command = [*HONEYGUIDE, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, input=typed, cwd=cwd)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def settings_in(file):
    return Settings.from_dict(tomllib.loads(file.read_text())["crawl"])


def test_four_questions_are_asked_until_they_are_answered(tmp_path):
    file = tmp_path / "bees.toml"
    topics, pages = ["bees", "keyword:bee &", "keyword:bee"], ["-3", "many", "50"]
    lines = [*topics, "", "nowhere", "https://a.example https://b.example/x", *pages, ""]
    done = run("new", file, typed="\n".join([*lines, ""]))
    for told in (
        "did you mean keyword:bees?",
        "expected a topic",
        "'nowhere' is no URL",
        "out of bounds",
        "no number",
    ):
        assert told in done.stderr
    assert settings_in(file) == Settings(
        topic="keyword:bee", seed=["https://a.example/", "https://b.example/x"], pages=50
    )
    assert shlex.split(done.stdout) == ["honeyguide", "crawl", str(file), "-o", str(tmp_path / "bees")]


def test_what_is_given_is_not_asked(tmp_path):
    run("new", *GIVEN, typed="", cwd=tmp_path)
    wanted = Settings(topic="keyword:bee", seed=["https://a.example/"], pages=7, contact="me@a.example")
    assert settings_in(tmp_path / "crawl.toml") == wanted


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--topic", "bee", "did you mean keyword:bee?"),
        ("--topic", "keyword:a & ~keyword:a", "can match nothing"),
        ("--seed", "mailto:me@a.example", "is no URL that can be crawled"),
        ("--pages", "0", "out of bounds"),
        ("--contact", "a\tb", "control characters"),
    ],
)
def test_what_is_given_must_be_right(tmp_path, option, value, told):
    given = list(GIVEN)
    given[given.index(option) + 1] = value
    done = run("new", tmp_path / "a.toml", *given, code=1)
    assert told in done.stderr
    assert not (tmp_path / "a.toml").exists()


def test_nothing_is_overwritten(tmp_path):
    file = tmp_path / "crawl.toml"
    file.write_text("mine")
    done = run("new", file, *GIVEN, code=1)
    assert "is there already; name another file" in done.stderr
    assert file.read_text() == "mine"


def test_without_an_answer_nothing_is_written(tmp_path):
    run("new", tmp_path / "a.toml", typed="keyword:bee\n", code=1)
    assert list(tmp_path.iterdir()) == []


def test_every_setting_is_there_with_its_meaning_and_its_default():
    text = written({"topic": "keyword:bee", "seed": ["https://a.example/"]}, "")
    for field in dataclasses.fields(Settings):
        if not field.metadata.get("hidden"):
            assert re.search(rf"^(# )?{field.name} =", text, re.MULTILINE), field.name
            assert field.metadata["help"][:40] in text
    lines = [re.sub(r"^# (?=\w+ = |[\"\]])", "", line) for line in text.splitlines()]
    everything = Settings.from_dict(tomllib.loads("\n".join(lines))["crawl"])
    assert everything == Settings(topic="keyword:bee", seed=["https://a.example/"])
    assert len(lines) > sum(default_of(field) is not None for field in dataclasses.fields(Settings))


def test_a_crawl_starts_from_the_file_and_goes_on(tmp_path):
    pages = {"/": answer(b"<p>A bee.<a href=/two>two</a>"), "/two": answer(b"<p>Another bee, on a flower.")}
    with Loopback(pages) as server:
        file = tmp_path / "bees.toml"
        run("new", file, "--topic", "keyword:bee", "--seed", server.origin + "/", "--pages", "1", "--contact", "x")
        file.write_text(file.read_text().replace("# delay = 1.0", "delay = 0.0"))
        before = file.read_text()
        more = ("-o", tmp_path / "bees", "--allow-private", "--json")
        first = json.loads(run("crawl", file, *more).stdout)
        second = json.loads(run("crawl", file, *more, "--pages", "2").stdout)
    assert (first["fetched"], first["relevant"]) == (1, 1)
    assert (second["fetched"], second["relevant"]) == (2, 2)
    assert file.read_text() == before


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[crawl", "cannot be read as settings"),
        ("[crawl]\ncolour = 1", "does not know: colour"),
        ("[crawl]\npages = 'x'", "pages = 'x' is no int"),
        ("[crawl]\npages = 0", "out of bounds"),
        (
            "[crawl]\nseed = 'http://a.test/'",
            "settings of a crawl: seed = 'http://a.test/' is no list",
        ),
        ("[crwl]\npages = 5", "a.toml has no settings of a crawl: they stand under [crawl]"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(tmp_path, text, told):
    file = tmp_path / "a.toml"
    file.write_text(text)
    assert told in run("crawl", file, "-o", tmp_path / "out", code=1).stderr
    assert not (tmp_path / "out").exists()
