"""A lesson is prepared beside a crawl, and what its strategy learns meanwhile need not be learned again."""

import shutil

import pytest

import honeyguide as hg
from dashboards import remaker
from honeyguide.dashboard.lesson import learned_by, prepared
from honeyguide.running import run_async
from honeyguide.store import Store, read_settings
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
    directory = tmp_path / "crawl"
    shutil.copytree(begun, directory)
    settings = read_settings(directory)
    settings.topic = str(lesson.model)
    outcome = run_async(learned_by(directory, lesson, remaker(directory, web)(settings)))
    crawl = crawl_of(directory, 140)
    crawl.run()
    return outcome, [crawl.graph.url(id_) for id_ in crawl.graph.visited().tolist()]


def test_a_head_start_changes_nothing_but_how_long_the_crawl_waits(begun, tmp_path):
    directory, lesson = begun
    assert (lesson.head_start.visits, len(lesson.verdicts)) == (60, 60)
    with_it = gone_on(directory, tmp_path / "with", lesson)
    without = gone_on(directory, tmp_path / "without", lesson._replace(head_start=None))
    assert with_it == without
    assert with_it[0].judged == 90
    assert with_it[0].gained > 10  # what was off topic is on topic now
    assert len(with_it[1]) == 140


def test_what_was_learned_beside_is_taken_up_where_it_stood(begun, tmp_path):
    directory, lesson = begun
    shutil.copytree(directory, tmp_path / "crawl")
    settings = read_settings(tmp_path / "crawl")
    settings.topic = str(lesson.model)
    run_async(learned_by(tmp_path / "crawl", lesson, remaker(tmp_path / "crawl", web)(settings)))
    with Store.open(tmp_path / "crawl", write=False) as store:
        kept = store.knowledge()
    assert (kept.visits, kept.topic) == (60, str(lesson.model))
