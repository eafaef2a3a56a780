"""A lesson is prepared beside a crawl, and what its strategy learns meanwhile need not be learned again."""

import asyncio
import shutil
import threading
from dataclasses import replace

import pytest

import honeyguide as hg
from dashboards import bees_and_contests, is_about_bees, remaker
from honeyguide.base import BadInput
from honeyguide.dashboard.lesson import learned_by, prepared
from honeyguide.dashboard.recalled import recalled
from honeyguide.running import run_async
from honeyguide.store import Store, read_settings
from honeyguide.strategy import Strategy
from small_webs import topical_web


def web(_=None):
    return topical_web()


def crawl_of(directory, pages):
    crawl = remaker(directory, web)(read_settings(directory))
    crawl.settings.pages = pages
    return crawl


@pytest.fixture(scope="module", params=["honeyguide", "host-odds", "intelligent"])
def begun(request, tmp_path_factory):
    """A crawl that went on while a lesson was prepared."""
    directory = tmp_path_factory.mktemp("lesson") / "crawl"
    topic = "label:bees"
    hg.Crawl(["http://h0.test/1"], topic, request.param, web=web(), directory=directory, pages=60).run()
    with Store.open(directory) as store:
        for number, visit in enumerate(store.visits()):
            if number < 20 and not visit.error:
                store.mark(visit.url, not visit.relevant)
        store.commit()
    lesson = prepared(directory, read_settings(directory), remaker(directory, web), lambda _: None)
    crawl_of(directory, 90).run()
    return directory, lesson


def gone_on(begun, tmp_path, lesson):
    """What came of a lesson, what was kept of it at once, and where the crawl went then."""
    directory = tmp_path / "crawl"
    shutil.copytree(begun, directory)
    settings = read_settings(directory)
    settings.topic = str(lesson.topic)
    outcome = run_async(learned_by(directory, lesson, remaker(directory, web)(settings)))
    with Store.open(directory, write=False) as store:
        kept = store.knowledge()
    crawl = lesson.ahead or crawl_of(directory, 140)
    crawl.directory, crawl.settings.pages = directory, 140
    crawl.run()
    visited = [crawl.graph.url(id_) for id_ in crawl.graph.visited().tolist()]
    return (outcome, crawl.summary().learned, visited), kept


def test_a_crawl_made_ready_beside_differs_in_nothing_but_how_long_is_waited_for_it(begun, tmp_path):
    directory, lesson = begun
    assert (lesson.ahead.graph.visits, len(lesson.verdicts), lesson.hindrance) == (60, 60, "")
    without, nothing = gone_on(directory, tmp_path / "without", lesson._replace(ahead=None))
    with_it, kept = gone_on(directory, tmp_path / "with", lesson)
    assert with_it == without
    assert with_it[0].judged == 90
    assert with_it[0].gained > 10  # what was off topic is on topic now
    assert len(with_it[2]) == 140
    assert nothing is None
    assert (kept.visits, kept.topic) == (60, str(lesson.topic))  # at rest, and when killed, it need not learn again


def contests(topic, directory, pages=60, **given):
    """A crawl among pages about bees and about spelling bees."""
    web = bees_and_contests()
    hg.Crawl(["http://h0.test/0"], topic, "breadth-first", web=web, directory=directory, pages=pages, **given).run()


def marked(directory, number=12, says=is_about_bees):
    """Say of the first pages what they are."""
    with Store.open(directory) as store:
        for visit in [visit for visit in store.visits() if not visit.error][:number]:
            store.mark(visit.url, says(visit.url))
        store.commit()


def taught_once(directory):
    """Learn from the marks as the dashboard does at rest: what came of it."""
    remake = remaker(directory, lambda _: bees_and_contests())
    settings = read_settings(directory)
    lesson = prepared(directory, settings, remake, lambda _: None)
    settings.topic = str(lesson.topic)
    return run_async(learned_by(directory, lesson, remake(settings)))


def relevant(directory):
    with Store.open(directory, write=False) as store:
        return {visit.url for visit in store.visits() if visit.relevant}


def test_beside_a_topic_a_classifier_refines_what_it_says_and_conditions_stay(tmp_path):
    directory = tmp_path / "crawl"
    contests("keyword:bees & ~url:h3", directory)
    marked(directory)
    came = taught_once(directory)
    model = f"classifier:{directory}/marked-1.hg"
    assert read_settings(directory).topic == f"(keyword:bees | {model}@0.6) & {model}@0.4 & ~url:h3"
    found = relevant(directory)
    assert found
    assert all(is_about_bees(url) and "h3.test" not in url for url in found)
    assert came.lost > 10
    assert came.not_followed == 3  # pages of h3.test that somebody says are about bees
    assert "3 marked pages stay otherwise, for another part of the topic says so" in str(came)


def test_a_second_lesson_trains_the_classifier_of_the_first_anew_and_wraps_nothing(tmp_path):
    directory = tmp_path / "crawl"
    contests("keyword:bees & ~url:h3", directory)
    marked(directory, 6)
    taught_once(directory)
    marked(directory, 14)
    taught_once(directory)
    model = f"classifier:{directory}/marked-2.hg"
    assert read_settings(directory).topic == f"(keyword:bees | {model}@0.6) & {model}@0.4 & ~url:h3"
    assert len(hg.Classifier.load(directory / "marked-2.hg").marked) == 14


def test_a_classifier_in_a_topic_is_trained_anew_in_its_place(tmp_path):
    bees = [f"bees {word}" for word in ("honey hive", "nectar pollen", "spelling contest", "champion words")]
    given = hg.train(bees, ["rain clouds wind", "goals match team", "sun and snow", "cup and final"])
    given.save(tmp_path / "given.hg")
    directory = tmp_path / "crawl"
    contests(f"~url:h3 & (classifier:{tmp_path}/given.hg@0.55 | keyword:zebra)", directory)
    assert any(not is_about_bees(url) for url in relevant(directory))
    marked(directory)
    taught_once(directory)
    model = f"classifier:{directory}/marked-1.hg@0.55"
    assert read_settings(directory).topic == f"~url:h3 & ({model} | keyword:zebra)"
    assert relevant(directory)
    assert all(is_about_bees(url) and "h3.test" not in url for url in relevant(directory))


def taught_crawl(topic, directory):
    """A crawl for a topic, marked and taught once; its directory."""
    contests(topic, directory)
    marked(directory)
    taught_once(directory)
    return directory


def test_a_topic_of_conditions_only_keeps_them_all(tmp_path):
    directory = taught_crawl("url:test & ~url:h3", tmp_path / "crawl")
    assert read_settings(directory).topic == f"classifier:{directory}/marked-1.hg@0.5 & url:test & ~url:h3"
    assert all(is_about_bees(url) and "h3.test" not in url for url in relevant(directory))


def test_what_was_learned_holds_when_the_crawl_goes_on(tmp_path):
    directory = taught_crawl("keyword:bees & ~url:h3", tmp_path / "crawl")
    crawl = remaker(directory, lambda _: bees_and_contests())(read_settings(directory))
    crawl.settings.pages = 80
    crawl.run()
    found = relevant(directory)
    assert any(int(url.rpartition("/")[2]) > 64 for url in found)
    assert all(is_about_bees(url) and "h3.test" not in url for url in found)
    page = run_async(bees_and_contests().get("http://h1.test/5")).page
    said = crawl.topic.explain(page).split("; ")
    assert said == [
        "'bees' once in the text",
        "marked by hand as belonging to the topic",
        "not: 'h3' is not in the address",
    ]


asked = []


def says_bees(page):
    """A function that counts how often it is asked."""
    asked.append(page.url)
    return "bees" in page.text


def test_a_function_is_not_asked_again_about_stored_pages(tmp_path):
    directory = tmp_path / "crawl"
    asked.clear()
    contests("function:test_dashboard_lesson:says_bees(budget=70) & ~url:h3", directory)
    assert len(asked) == len(set(asked))
    marked(directory)
    before = len(asked)
    taught_once(directory)
    assert len(asked) == before
    assert relevant(directory)
    assert all(is_about_bees(url) and "h3.test" not in url for url in relevant(directory))
    assert "function:test_dashboard_lesson:says_bees(budget=70) | classifier:" in read_settings(directory).topic


async def says_bees_later(page):
    """The same, asked with await."""
    return says_bees(page)


def unjudged(directory):
    with Store.open(directory, write=False) as store:
        return {visit.url for visit in store.visits() if visit.error == "unjudged"}


def test_what_a_budget_did_not_reach_is_judged_where_the_classifier_is_sure_and_nobody_is_asked(tmp_path):
    directory = tmp_path / "crawl"
    contests("function:test_dashboard_lesson:says_bees_later(budget=25) & ~url:h3", directory)
    waiting = unjudged(directory)
    assert waiting
    marked(directory)
    asked.clear()
    taught_once(directory)
    assert asked == []
    assert {url for url in waiting - unjudged(directory) if is_about_bees(url)} <= relevant(directory)
    assert all(is_about_bees(url) and "h3.test" not in url for url in relevant(directory))


def stands_on_h3(page):
    """A function that counts how often it is asked what is to be left out."""
    asked.append(page.url)
    return "h3.test" in page.url


@pytest.mark.parametrize("options", ["", "(budget=70)", "(budget=10)"])
def test_a_function_behind_a_not_is_asked_about_what_the_rest_of_the_topic_takes_in_now(options, tmp_path):
    directory = tmp_path / "crawl"
    contests(f"keyword:spelling & ~function:test_dashboard_lesson:stands_on_h3{options}", directory, 30)
    known = set(visited(directory)) - relevant(directory) - unjudged(directory)
    marked(directory)
    asked.clear()
    came = taught_once(directory)
    gained = relevant(directory) & known
    assert len(asked) == len(set(asked)) > 6
    assert set(asked) <= known
    assert gained == {url for url in asked if "h3.test" not in url}
    assert came.gained == len(gained) > 3


line = []  # a client that some event loop has opened


async def is_spam(page):
    """A function whose client is of use in the event loop that opened it, and in no other."""
    line[:] = line or [asyncio.get_running_loop()]
    if line != [asyncio.get_running_loop()]:
        raise RuntimeError("the client is attached to a different loop")
    return False


def test_pages_about_which_a_function_behind_a_not_gave_no_answer_are_told(tmp_path):
    directory = tmp_path / "crawl"
    line.clear()
    contests("keyword:spelling & ~function:test_dashboard_lesson:is_spam", directory, 30)
    known = set(visited(directory)) - relevant(directory)
    marked(directory)
    came = taught_once(directory)
    assert relevant(directory).isdisjoint(known)
    assert came.unanswered > 6
    assert str(came).endswith(
        f"; {came.unanswered} pages stay off topic, for a condition gave no answer: "
        "the function is_spam raised RuntimeError: the client is attached to a different loop"
    )


class Asks(Strategy):
    """Needs somebody to ask before it begins."""

    async def prepare(self, asking):
        raise BadInput("the encyclopedia is closed")


def test_a_crawl_that_cannot_be_made_ready_beside_is_told(tmp_path):
    directory = tmp_path / "crawl"
    contests("keyword:bees", directory)
    marked(directory)
    remake = remaker(directory, lambda _: bees_and_contests())
    settings = read_settings(directory)
    settings.strategy = "test_dashboard_lesson:Asks"
    lesson = prepared(directory, settings, remake, lambda _: None)
    assert (lesson.ahead, lesson.hindrance) == (None, "the encyclopedia is closed")
    came = run_async(learned_by(directory, lesson, remake(replace(settings, topic=str(lesson.topic)))))
    assert "the encyclopedia is closed" in str(came)


def test_pages_that_come_while_others_are_judged_are_judged_beside_the_crawl_too(tmp_path):
    directory = tmp_path / "crawl"
    contests("keyword:bees", directory, 40)
    marked(directory)
    remake = remaker(directory, lambda _: bees_and_contests())
    settings = read_settings(directory)

    def goes_on_meanwhile(judged):
        if judged == 40:
            crawling = threading.Thread(target=remake(replace(settings, pages=75)).run)
            crawling.start()
            crawling.join()

    lesson = prepared(directory, settings, remake, goes_on_meanwhile)
    assert (len(lesson.verdicts), lesson.ahead.graph.visits, lesson.ahead.tally.fetched) == (75, 75, 75)


def test_pages_that_came_since_are_judged_with_the_pages_that_link_to_them(tmp_path):
    directory = tmp_path / "crawl"
    topic = "keyword:bees & links:from:h2"
    contests(topic, directory, 40)
    marked(directory)
    remake = remaker(directory, lambda _: bees_and_contests())
    settings = read_settings(directory)
    lesson = prepared(directory, settings, remake, lambda _: None)
    remake(replace(settings, pages=50)).run()
    run_async(learned_by(directory, lesson, remake(replace(settings, topic=str(lesson.topic)))))
    late = {url for url in relevant(directory) if int(url.rpartition("/")[2]) >= 41}
    assert late == {url for url in visited(directory)[41:] if is_about_bees(url)}


def visited(directory):
    with Store.open(directory, write=False) as store:
        return [visit.url for visit in store.visits()]


def test_a_page_that_comes_between_two_looks_at_the_books_is_for_the_next_round(tmp_path, monkeypatch):
    directory = tmp_path / "crawl"
    contests("function:test_dashboard_lesson:says_bees(budget=70)", directory, 40)
    marked(directory)
    remake = remaker(directory, lambda _: bees_and_contests())
    settings = read_settings(directory)
    rounds = []

    def recalled_while_the_crawl_goes_on(topic, before, store, start=0):
        found = recalled(topic, before, store, start)
        if not rounds:
            remake(replace(settings, pages=50)).run()
        rounds.append(start)
        return found

    monkeypatch.setattr("honeyguide.dashboard.lesson.recalled", recalled_while_the_crawl_goes_on)
    lesson = prepared(directory, settings, remake, lambda _: None)
    assert rounds == [0, 40]
    assert len(lesson.verdicts) == 50
