"""A topic as a table of weighted terms, and the pages it is taken from."""

import math

import pytest

from honeyguide.base import BadInput, Page
from honeyguide.running import run_async
from honeyguide.strategy.reference import reference_pages, topic_query
from honeyguide.strategy.weight_table import OWN_WORDS, WeightTable, first_weights, topic_terms, weigh_terms
from honeyguide.topic import as_topic

URL = "http://a.test/"


class Helper:
    """Answers as a crawl would, and notes what it was asked."""

    def __init__(self, *pages, has_search=True):
        self.has_search = has_search
        self.asked = []
        self._pages = list(pages)

    async def reference_pages(self, query, count):
        self.asked.append((query, count))
        return self._pages[:count]

    def documents(self, source):
        self.asked.append(source)
        if source == "nowhere":
            raise BadInput("nowhere is no file, no directory and no URL")
        return self._pages


def text(words, title=""):
    return Page(URL, title=title, text=words)


def test_a_term_weighs_its_frequency_times_its_pages():
    pages = [text("bees bees hive"), text("bee the hive honey honey honey", title="Bees")]
    # bee: 2 + 1 + 1 = 4 times on 2 pages: 8; hive: 2 · 2 = 4; honei: 3 · 1 = 3; "the" says nothing
    assert weigh_terms(pages, 50) == {"bee": 1.0, "hive": 0.5, "honei": 0.375}
    assert weigh_terms(pages, 2) == {"bee": 1.0, "hive": 0.5}


def test_among_equals_the_alphabet_decides():
    assert list(weigh_terms([text("wax apiary comb")], 2)) == ["apiari", "comb"]


def test_menus_do_not_make_a_table():
    page = Page(URL, text="home contact bees hive", main="bees hive")
    assert weigh_terms([page], 50) == {"bee": 1.0, "hive": 1.0}
    assert WeightTable({"home": 1.0}).in_page(page) == {}


def test_no_words_make_no_table():
    assert weigh_terms([], 50) == {}
    assert weigh_terms([text("the of 1984")], 50) == {}


def test_the_title_counts_double():
    table = WeightTable({"java": 1.0, "technologi": 0.5})
    page = text("java technologies", title="java documentation")
    assert table.in_page(page) == {"java": 3, "technologi": 1}


def test_relevance_is_the_cosine_over_the_terms_of_the_table():
    table = WeightTable({"java": 1.0, "technologi": 0.5})
    page = text("java technologies and much about other things", title="java documentation")
    # (1 · 3 + 0.5 · 1) / √((1 + 0.25) · (9 + 1))
    assert table.cosine(table.in_page(page)) == pytest.approx(3.5 / math.sqrt(12.5))
    assert table.cosine(table.in_text("technologies")) == pytest.approx(0.5 / math.sqrt(1.25))
    assert table.cosine(table.in_text("other things")) == 0.0
    assert WeightTable().cosine(WeightTable().in_text("java")) == 0.0
    assert WeightTable({"java": 0.3}).cosine({"java": 7}) == pytest.approx(1.0)


def test_urls_are_read_by_their_words():
    table = WeightTable({"bee": 1.0, "honei": 1.0})
    assert table.in_url("https://bees.example/Honey-Jars/bee_10?sort=honey") == {"bee": 2, "honei": 2}


def test_a_known_term_keeps_the_larger_weight():
    table = WeightTable({"bee": 1.0, "hive": 0.5})
    assert not table.take({"bee": 0.9})
    assert table.take({"hive": 0.9, "wax": 0.9})
    assert table.weights == {"bee": 1.0, "hive": 0.9, "wax": 0.9}
    assert table.position == {"bee": 0, "hive": 1, "wax": 2}
    assert table.in_text("wax") == {"wax": 1}


def test_words_met_before_a_term_was_known_are_known_afterwards():
    table = WeightTable({"bee": 1.0})
    assert table.in_text("waxes") == {}
    table.take({"wax": 0.9})
    assert table.in_text("waxes") == {"wax": 1}


def test_no_more_words_are_remembered_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr("honeyguide.strategy.weight_table.MOST_FORMS", 2)
    table = WeightTable({"bee": 1.0})
    assert table.in_text("a bee, two bees, one hive and a bee") == {"bee": 3}
    assert len(table._forms) <= 2


def test_the_most_frequent_term_of_a_page():
    table = WeightTable()
    assert table.most_frequent(text("the the the waxes wax hive", title="hives")) == "hive"
    assert table.most_frequent(text("the 1984")) == ""


def test_the_topics_own_words_are_stemmed():
    assert topic_terms(as_topic('keyword:any("operating systems", kernel)')) == {
        "oper": 1.0,
        "system": 1.0,
        "kernel": 1.0,
    }
    assert topic_terms(as_topic("label:x")) == {}


def test_a_query_names_the_best_words_first_and_phrases_in_quotes():
    topic = as_topic('weights:"solar=0.5 heat pump=1 wind=0.25 coal=-1"')
    assert topic_query(topic) == '"heat pump" solar wind'
    many = as_topic("weights:" + '"' + " ".join(f"t{n}={n}" for n in range(1, 20)) + '"')
    assert topic_query(many) == "t19 t18 t17 t16 t15 t14 t13 t12"
    assert topic_query(as_topic("label:x")) == ""


def test_given_pages_come_before_a_search():
    bees, help = text("bees"), Helper(text("bees"))
    assert run_async(reference_pages(help, as_topic("keyword:bees"), "bees.txt", 3, "tunnel")) == [bees]
    assert help.asked == ["bees.txt"]


def test_without_given_pages_a_search_finds_some():
    help = Helper(*(text(f"bees {n}") for n in range(5)))
    assert len(run_async(reference_pages(help, as_topic("keyword:bees"), "", 3, "tunnel"))) == 3
    assert help.asked == [("bees", 3)]


@pytest.mark.parametrize(("topic", "searching"), [("keyword:bees", False), ("label:bees", True)])
def test_without_search_or_words_there_are_no_pages(topic, searching):
    help = Helper(text("bees"), has_search=searching)
    assert run_async(reference_pages(help, as_topic(topic), "", 3, "tunnel")) == []
    assert help.asked == []


def test_an_error_names_whose_pages_are_missing():
    with pytest.raises(BadInput, match="reference pages of genetic cannot be read: nowhere is no file"):
        run_async(reference_pages(Helper(), as_topic("keyword:bees"), "nowhere", 3, "genetic"))


def first(help, topic="keyword:bees", source=""):
    return run_async(first_weights(help, as_topic(topic), source, 10, 50))


def test_the_table_to_begin_with_says_where_it_is_from():
    assert first(Helper(text("bees bees hive"))) == ({"bee": 1.0, "hive": 0.5}, "1 reference page")
    assert first(Helper(text("bees"), text("bees")), source="bees.txt")[1] == "2 reference pages"
    assert first(Helper()) == ({"bee": 1.0}, OWN_WORDS)


@pytest.mark.parametrize(
    ("help", "topic", "source", "match"),
    [
        (Helper(has_search=False), "keyword:bees", "", "--search ddgs, searxng:URL or index:DIR.*tunnel:pages=FILE"),
        (Helper(), "label:bees", "", "label:bees names no words to make a table of.*tunnel:pages=FILE"),
        (Helper(text("the 1984")), "keyword:bees", "empty.txt", "no words in empty.txt"),
        (Helper(), "keyword:1984", "", "names no words"),
    ],
)
def test_without_any_words_it_says_what_would_help(help, topic, source, match):
    with pytest.raises(BadInput, match=match):
        first(help, topic, source)
