"""Reading and writing expressions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.base import BadInput, Page
from honeyguide.topic import (
    Topic,
    TopicSyntaxError,
    keyword,
    label,
    language,
    links,
    parse,
    regex,
    similar,
    url,
    weights,
)
from honeyguide.topic.argument import quote, unquote

TEXT = st.text(min_size=1, max_size=12)
UNIT = st.floats(0, 1)


def sources(source):
    return [Page(source, text=f"solar panels {source}")]


def loaded(names):
    return parse(f"similar:({', '.join(map(quote, names))})", sources)


WORDS = st.text("abcdefghij é中", min_size=1, max_size=8).filter(str.strip)
SINGLE = st.one_of(
    st.builds(keyword, TEXT, TEXT, mode=st.sampled_from(["any", "all"]), stem=st.booleans(), threshold=UNIT),
    st.builds(keyword, TEXT, stem=st.booleans()),
    st.builds(url, TEXT, how=st.sampled_from([None, "token", "substring", "glob"]), threshold=UNIT).filter(
        lambda t: t.pattern
    ),
    st.builds(regex, TEXT.map(lambda t: "".join(f"[{c}]" if c.isalnum() else " " for c in t)), UNIT),
    st.builds(language, st.sampled_from(["en", "deu", "French", "yue"]), UNIT),
    st.builds(label, st.text("abc. ", min_size=1).map(lambda t: "x" + t), UNIT),
    st.builds(weights, st.dictionaries(WORDS, st.floats(0.1, 1e300), min_size=1), st.booleans(), UNIT),
    st.builds(loaded, st.lists(TEXT, min_size=1, max_size=3)),
)
TOPICS = st.recursive(
    SINGLE,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a & b, inner, inner),
        st.builds(lambda a, b: a | b, inner, inner),
        st.builds(lambda a: ~a, inner),
        st.builds(lambda a: links(a), inner),
        st.builds(lambda a: links(to=a), inner),
        st.builds(lambda a: links(source=a, threshold=0.8), inner),
    ),
    max_leaves=6,
)


@given(TOPICS)
def test_a_topic_written_is_read_back(topic):
    assert parse(str(topic), sources) == topic


@given(st.text())
def test_quoting_is_undone(text):
    assert unquote(quote(text)) == text


PIECES = [
    "keyword:", "url:", "regex:", "language:", "similar:", "weights:", "classifier:", "links:", "label:",
    "to:", "from:", "any(", "stem(", "exact(", "(", ")", "&", "|", "~", '"', "\\", "@", "0.5", "=", ",", " ",
    "solar", "en", "*", "?", "[", "\0", "\ud800", ":", "no kind",
]  # fmt: skip


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=12).map("".join)))
def test_any_text_is_a_topic_or_bad_input(text):
    try:
        assert isinstance(parse(text, sources), Topic)
    except BadInput as error:
        assert str(error)


@pytest.mark.parametrize("text", ["(" * 10_000, "~" * 10_000, "links:(" * 10_000, "(~" * 10_000 + "keyword:a"])
def test_deep_nesting_is_refused_in_words(text):
    with pytest.raises(TopicSyntaxError, match="more than 50"):
        parse(text)


def test_and_binds_tighter_than_or():
    a, b, c = keyword("a"), keyword("b"), keyword("c")
    assert parse("keyword:a | keyword:b & keyword:c") == a | (b & c)
    assert parse("(keyword:a|keyword:b)&~~~keyword:c") == (a | b) & ~c


def test_quotes_escapes_and_thresholds():
    assert parse(r'keyword:"a \"b\" \\c"') == keyword('a "b" \\c')
    assert parse('keyword:"heat pump"@0.75') == keyword("heat pump", threshold=0.75)
    assert parse("keyword:solar@.8") == keyword("solar", threshold=0.8)
    assert parse('keyword:"solar@0.8"') == keyword("solar@0.8")
    assert parse('url:me@home | keyword:any(a, "b & c", d)@1') == url("me@home") | keyword(
        "a", "b & c", "d", threshold=1
    )


@pytest.mark.parametrize(
    ("text", "problem", "position"),
    [
        ("keywrod:solar", "no topic kind 'keywrod'; did you mean 'keyword'?", 0),
        ("keyword:a & solar", "'solar' has no kind; did you mean keyword:solar?", 12),
        ("heat pump", "'heat pump' has no kind; did you mean keyword:\"heat pump\"?", 0),
        ('"heat pump"', "'heat pump' has no kind; did you mean keyword:\"heat pump\"?", 0),
        ("  ", "the topic is empty; write one such as keyword:solar", 0),
        ("keyword:a &", "expected a topic such as keyword:solar here, where the text ends", 11),
        ("& keyword:a", "expected a topic such as keyword:solar, not &", 0),
        ("keyword:a keyword:b", "expected & or | before another topic", 10),
        ("keyword:a)", "nothing opens this )", 9),
        ("(keyword:a", "this ( is never closed", 0),
        ("keyword:any(a", "this ( is never closed", 11),
        ('keyword:"a', "this quotation mark is never closed", 8),
        ("keyword: a", 'expected a word or a "quoted text" right after keyword:', 8),
        ('keyword:"a"b', "expected a space, & | ) or a threshold such as @0.5 after the quoted text", 11),
        ("keyword:a@1.5", "a threshold lies between 0 and 1, and 1.5 does not", 8),
    ],
)
def test_errors_say_what_and_where(text, problem, position):
    with pytest.raises(TopicSyntaxError) as caught:
        parse(text)
    assert (caught.value.problem, caught.value.position) == (problem, position)
    assert str(caught.value) == f"{problem}\n  {text}\n  {' ' * position}^"


def test_a_long_expression_is_shown_around_the_place():
    text = " | ".join(["keyword:a"] * 50) + " | wind"
    with pytest.raises(TopicSyntaxError) as caught:
        parse(text)
    shown, caret = str(caught.value).splitlines()[1:]
    assert len(shown) < 140 and shown[caret.index("^")] == "w"


def test_examples_need_a_loader():
    with pytest.raises(TopicSyntaxError, match="cannot be loaded here"):
        parse("similar:a.txt")
    assert parse("similar:a.txt", sources) != similar("solar panels")


def test_a_loader_that_fails_is_bad_input(tmp_path):
    def load(source):
        return [Page(source, text=(tmp_path / source).read_text())]

    with pytest.raises(TopicSyntaxError, match="No such file"):
        parse("similar:missing.txt", load)
