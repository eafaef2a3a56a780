"""Traps: sites that have no end, crawled to the end all the same."""

import functools
import itertools
import secrets
from collections import defaultdict

import pytest

from hostile import crawled, page
from loopback import Loopback, answer

FRESH = itertools.count()


class Everywhere(defaultdict):
    """A table of pages in which every path is found: a function makes what it holds."""

    def __init__(self, make, **pages):
        super().__init__()
        self._make = make
        self.update({"/robots.txt": answer(b"", "404 Not Found"), **pages})

    def get(self, path, default=None):
        return self[path] if path in self else self._make(path)


def leading(to, subject="trains"):
    anchors = "".join(f'<a href="{target}">on</a>' for target in to)
    return answer(f"<title>{subject} {next(FRESH)}</title><p>{subject}</p>{anchors}".encode())


def crawl_trap(make, directory, *, front=(), **given):
    """A site with a good page, and a trap behind its front page."""
    pages = {"/": leading(["/good", *front]), "/good": page("Good")}
    with Loopback(Everywhere(make, **pages)) as server:
        outcome = crawled(server, [server.origin + "/"], directory, workers=0, **{"pages": 1000, **given})
    assert outcome.end("/good") == "done"
    assert outcome.summary.stopped == "nothing_left", "the trap has no end"
    assert outcome.summary.queued == 0
    return outcome


def visits(outcome, part):
    return [url for url in outcome.books.visits if part in url]


# -- T1: a calendar ------------------------------------------------------------------------------------------------


def day(path, by):
    number = int(path.strip("/").rpartition(by)[2] or 0)
    return leading([f"/cal{by}{number + 1}", f"/cal{by}{number + 2}"])


@pytest.mark.parametrize("by", ["?day=", "/day/"])
@pytest.mark.parametrize("after", [20, 60])
def test_t1_a_calendar_ends_after_so_many_days(by, after, tmp_path):
    came = crawl_trap(functools.partial(day, by=by), tmp_path / "crawl", front=[f"/cal{by}0"], trap_after=after)
    assert after <= len(visits(came, "/cal")) <= after + 16  # and what was under way
    assert set(came.summary.excluded) == {"trap_pattern"}


# -- T2: a session id in every link, a fresh one each time ---------------------------------------------------------


def session(path, form):
    return leading([form.format(secrets.token_hex(16)) for _ in range(3)])


@pytest.mark.parametrize(
    "form", ["/page?sid={}", "/page?PHPSESSID={}", "/page;jsessionid={}", "/page?a=1&sessionid={}&b=2"]
)
def test_t2_known_session_ids_make_no_new_pages(form, tmp_path):
    came = crawl_trap(functools.partial(session, form=form), tmp_path / "crawl", front=[form.format("0" * 32)])
    assert len(visits(came, "/page")) == 1
    assert came.summary.discovered == 3


@pytest.mark.parametrize("form", ["/page?zz={}", "/s/{}/page", "/page/{}"])
def test_t2_others_are_a_pattern_that_brings_nothing(form, tmp_path):
    came = crawl_trap(
        functools.partial(session, form=form), tmp_path / "crawl", front=[form.format("0" * 32)], trap_after=20
    )
    assert 20 <= len(visits(came, "page")) <= 36
    assert set(came.summary.excluded) == {"trap_pattern"}


# -- T3: relative links that grow ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "reason"), [("a/", "trap_repeats"), ("../x/a/b/", "trap_repeats"), ("a/?", "trap_repeats")]
)
def test_t3_a_path_that_grows_is_cut(link, reason, tmp_path):
    came = crawl_trap(lambda _: leading([link]), tmp_path / "crawl", front=["/deep/"])
    assert len(visits(came, "/deep")) + len(visits(came, "/x/")) <= 10
    assert set(came.summary.excluded) == {reason}


def test_t3_so_is_one_that_never_repeats_itself(tmp_path):
    came = crawl_trap(lambda _: leading([f"n{next(FRESH)}/"]), tmp_path / "crawl", front=["/deep/"], max_segments=12)
    assert len(visits(came, "/deep")) == 12
    assert came.summary.excluded == {"trap_path": 1}


# -- T4: the same parameters in any order, and more of them --------------------------------------------------------


def test_t4_the_order_of_parameters_makes_no_new_pages(tmp_path):
    orders = ["/list?" + "&".join(order) for order in itertools.permutations(["a=1", "b=2", "c=3", "d=4"])]
    came = crawl_trap(lambda _: leading(orders), tmp_path / "crawl", front=orders)
    assert len(visits(came, "/list")) == 1


def test_t4_filters_that_pile_up_end(tmp_path):
    def filters(path):
        head, _, query = path.partition("?")
        return leading([f"{head}?{query}&f{next(FRESH)}=1".replace("?&", "?")])

    came = crawl_trap(filters, tmp_path / "crawl", front=["/list"], max_parameters=8)
    assert len(visits(came, "/list")) == 9
    assert came.summary.excluded == {"trap_parameters": 1}


def test_t4_a_facet_search_of_all_combinations_ends(tmp_path):
    def facets(path):
        query = path.partition("?")[2]
        given = dict(part.split("=") for part in query.split("&") if part)
        chosen = [given | {name: str(value)} for name in "abc" for value in range(10)]
        return leading(["/list?" + "&".join(f"{k}={v}" for k, v in sorted(each.items())) for each in chosen])

    came = crawl_trap(facets, tmp_path / "crawl", front=["/list"], trap_after=25)
    assert len(visits(came, "/list")) <= 7 * (25 + 16)
    assert set(came.summary.excluded) == {"trap_pattern"}


# -- T5: nothing is ever not found ---------------------------------------------------------------------------------

SORRY = answer(b"<title>Sorry</title><p>Bees: this page cannot be found.</p>" + b"<a href='/more'>more</a>" * 3)


def test_t5_a_page_that_is_everywhere_is_nowhere(tmp_path):
    front = [f"/unknown/{word}" for word in "wax honey comb queen drone hive smoke veil nectar pollen brood".split()]
    came = crawl_trap(lambda _: SORRY, tmp_path / "crawl", front=front, soft_404_after=4, concurrency=1)
    ends = [came.end(path) for path in front]
    assert sorted(set(ends)) == ["done", "soft_404"]
    summary = came.summary
    assert (summary.flags, summary.failed) == ({"copy": 4}, {"soft_404": 7})  # with /more
    assert summary.relevant == 2  # the good page, and the first of these


def test_t5_its_bytes_are_archived_once(tmp_path):
    front = [f"/unknown/{word}" for word in "wax honey comb queen drone hive".split()]
    came = crawl_trap(lambda _: SORRY, tmp_path / "crawl", front=front, soft_404_after=3, concurrency=1)
    kinds = [record.type for record in came.books.responses if "/unknown" in record.url or "/more" in record.url]
    assert sorted(kinds) == ["response"] + ["revisit"] * 6
    revisits = [record for record in came.books.responses if record.type == "revisit"]
    assert {record.fields["WARC-Profile"].rpartition("/")[2] for record in revisits} == {"identical-payload-digest"}
    (held,) = [record for record in came.books.responses if record.body.startswith(b"<title>Sorry")]
    assert {record.fields["WARC-Refers-To-Target-URI"] for record in revisits} == {held.url}
    assert {record.fields["WARC-Payload-Digest"] for record in revisits} == {held.fields["WARC-Payload-Digest"]}


def test_t5_a_page_that_differs_in_a_word_is_a_near_copy(tmp_path):
    sorry = "The page you asked for is not here. " + "Have a look at our bees, our hives and all our honey. " * 20

    def unknown(path):
        return answer(f"<title>Sorry</title><main><p>{path.rpartition('/')[2]}: {sorry}</p></main>".encode())

    front = [f"/unknown/{word}" for word in "wax honey comb queen drone hive".split()]
    came = crawl_trap(unknown, tmp_path / "crawl", front=front)
    assert (came.summary.flags, came.summary.relevant) == ({"near_copy": 5}, 2)
