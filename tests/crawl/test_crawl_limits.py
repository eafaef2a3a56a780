"""Limits on what a crawl knows, follows and unpacks, each raised and lowered."""

import gzip
import sqlite3

import pytest

import honeyguide as hg
from honeyguide.base import Reply
from honeyguide.report import write_report
from honeyguide.settings import Settings
from honeyguide.store import Store
from loopback import Loopback, answer, get
from small_webs import FunctionWeb, page
from strict_warc import strict_records


def crawl(reply, *seeds, **given):
    web = FunctionWeb(reply, given.pop("gap", 0.0))
    return web, hg.Crawl(seeds or ["http://a.test/"], "keyword:bees", web=web, **given).run()


# -- URLs known ---------------------------------------------------------------------------------------------------


def fan(url):
    """A page with more links than may be known, on every host."""
    return hg.Reply(page(url, *(f"{url}{n}/" for n in range(1500)), *(f"{url}{n}/" for n in range(10))))


def test_no_more_urls_are_known_than_may_be():
    _, summary = crawl(fan, max_known=1000, pages=3)
    assert summary.discovered == 1000
    assert summary.notes["cut_links"] == 501 + 2 * 1510
    assert summary.balanced


def test_links_to_known_urls_are_kept_beyond_the_limit():
    def reply(url):
        return fan(url) if url == "http://a.test/" else hg.Reply(page(url, "http://a.test/1/", "http://a.test/new"))

    crawling = hg.Crawl(["http://a.test/"], "keyword:bees", web=FunctionWeb(reply), max_known=1000, pages=2)
    summary = crawling.run()
    assert (summary.discovered, summary.notes["cut_links"]) == (1000, 502)
    assert len(crawling.graph.links_to(crawling.graph.table.find("http://a.test/1/"))) == 2


def test_without_the_limit_all_are_known():
    _, summary = crawl(fan, pages=1)
    assert (summary.discovered, summary.notes["cut_links"]) == (1501, 0)


def test_what_was_cut_is_counted_when_the_crawl_goes_on(tmp_path):
    crawl(fan, max_known=1000, pages=1, directory=tmp_path / "crawl")
    _, summary = crawl(fan, max_known=1000, pages=2, directory=tmp_path / "crawl")
    assert (summary.discovered, summary.notes["cut_links"]) == (1000, 501 + 1510)


# -- links of a page ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "kept"), [(1, 1), (10, 10), (100, 30)])
def test_only_so_many_links_of_a_page_are_followed(limit, kept):
    links = "".join(f"<a href=/{n}>bees</a>" for n in range(30)).encode()
    with Loopback({"/": answer(b"<p>bees</p>" + links)}) as server:
        given = {"delay": 0, "allow_private": True, "workers": 0, "max_links": limit}
        summary = hg.Crawl([server.origin + "/"], "keyword:bees", **given).run()
    assert (summary.discovered, summary.notes["cut_links"]) == (1 + kept, 30 - kept)


# -- bodies that grow ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ratio", "error"), [(2, "too_large"), (300, "too_large"), (5000, "")])
def test_a_body_may_grow_to_so_many_times_its_size(ratio, error):
    body = gzip.compress(b"<title>Bees</title>" + b" " * 3_000_000)
    with Loopback({"/": answer(body, Content_Encoding="gzip")}) as server:
        assert get(server.origin + "/", max_ratio=ratio, workers=0).error == error


def test_a_small_one_may_grow_as_it_likes():
    body = gzip.compress(b"<title>Bees</title>" + b" " * 900_000)
    with Loopback({"/": answer(body, Content_Encoding="gzip")}) as server:
        assert get(server.origin + "/", max_ratio=2, workers=0).page.title == "Bees"


# -- files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "files"), [(1000, 8), (1_000_000, 1)])
def test_a_new_file_is_begun_when_one_is_large_enough(size, files, tmp_path):
    pages = {f"/{n}": answer(b"<p>bees %d</p>" % n) for n in range(8)}
    with Loopback(pages) as server:
        given = {"delay": 0, "allow_private": True, "workers": 0, "concurrency": 1, "warc_size": size}
        hg.Crawl(
            [server.origin + path for path in pages], "keyword:bees", directory=tmp_path / "crawl", **given
        ).run()
    found = sorted((tmp_path / "crawl").glob("*.warc.gz"))
    assert [path.name for path in found] == [f"crawl-{n:05d}.warc.gz" for n in range(files)]
    records = [record for path in found for record in strict_records(path)]
    assert sum(record.type == "response" for record in records) == 8
    with Store.open(tmp_path / "crawl") as store:
        for visit in store.visits():
            assert store.archive.read(visit.warc, visit.offset).url == visit.url


# -- redirects ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [0, 1, 5, 30])
def test_so_many_redirects_in_a_row_are_followed(limit):
    def reply(url):
        return hg.Reply(redirect=f"{url}{chr(ord('a') + len(url) % 26)}", status=302)

    _, summary = crawl(reply, "http://a.test/x", max_redirects=limit)
    assert (summary.fetched, summary.redirects, summary.excluded) == (limit + 1, limit + 1, {"redirect_chain": 1})


def test_a_chain_within_the_limit_ends_at_its_page():
    def reply(url):
        hops = int(url.rpartition("/")[2])
        return hg.Reply(redirect=f"http://a.test/{hops + 1}", status=301) if hops < 5 else hg.Reply(page(url))

    _, summary = crawl(reply, "http://a.test/0", max_redirects=5)
    assert (summary.done, summary.excluded) == (6, {})


@pytest.mark.parametrize(
    ("name", "value"),
    [("max_known", 10), ("max_links", 0), ("max_ratio", 1), ("max_redirects", -1), ("max_redirects", 101)],
)
def test_a_limit_out_of_bounds_is_refused_by_name(name, value):
    with pytest.raises(hg.BadInput, match=f"{name} = {value} is out of bounds"):
        Settings(**{name: value})


# -- what politeness costs ----------------------------------------------------------------------------------------


def two_hosts(url):
    """On host a every page is about bees and leads to the next; host b has nothing."""
    host, number = url[7], int(url.rpartition("/")[2] or 0)
    if host == "a":
        return hg.Reply(page(url, f"http://a.test/{number + 1}", f"http://b.test/{number + 1}", text="bees"))
    return hg.Reply(page(url, text="trains"))


def given_up(directory):
    database = sqlite3.connect(directory / "crawl.db")
    try:
        return [row[0] for row in database.execute("SELECT given_up FROM visits ORDER BY number")]
    finally:
        database.close()


def test_a_choice_in_which_a_better_url_waited_is_written_down(tmp_path):
    seeds = ("http://a.test/0", "http://b.test/0")
    web, _ = crawl(two_hosts, *seeds, gap=1.0, pages=30, directory=tmp_path / "polite")
    costs = given_up(tmp_path / "polite")
    assert any(cost > 0 for cost in costs)
    assert all(cost == 0 for cost, url in zip(costs, web.asked, strict=True) if url.startswith("http://a."))


def test_without_gaps_nothing_waits(tmp_path):
    crawl(two_hosts, "http://a.test/0", "http://b.test/0", pages=30, directory=tmp_path / "hasty")
    assert set(given_up(tmp_path / "hasty")) == {0.0}


def test_the_report_of_a_live_crawl_says_what_politeness_cost_and_what_is_not_counted(tmp_path):
    links = b"".join(b"<a href=/trap/%d>on</a>" % n for n in range(9))
    deep = b"<a href=/a/a/a/a/a>on</a><a href=http://[bad>x</a>"
    pages = {f"/trap/{n}": answer(b"<p>trains %d</p>" % n) for n in range(9)}
    pages |= {"/": answer(b"<p>bees</p><a href=/again>x</a>" + links + deep), "/again": answer(b"<p>bees again</p>")}
    pages |= {"/login": answer(b"<title>Log in</title><p>bees</p><input type=password>")}
    with Loopback(pages) as server, Loopback({"/": answer(b"<p>bees again</p>")}, host="127.0.0.2") as other:
        seeds = [server.origin + "/", server.origin + "/login", other.origin + "/"]
        given = {"delay": 0.01, "ip_delay": 0, "allow_private": True, "workers": 0, "trap_after": 4}
        summary = hg.Crawl(seeds, "keyword:bees", directory=tmp_path / "crawl", **given).run()
    assert summary.excluded == {"trap_pattern": 5, "trap_repeats": 1}
    assert summary.flags == {"login": 1, "copy": 1}
    text = write_report(tmp_path / "crawl").read_text()
    assert "<h3>What politeness cost</h3>" in text
    assert f"of {summary.fetched - len(seeds)} choices" in text  # seeds are no choice
    for heading, row in [
        ("Fetched, but not counted", "<td>login</td><td class=n>1</td>"),
        ("Traps and mirrors", f"<td>{server.origin}/trap/0</td><td class=n>5</td>"),
        ("Links that could not be followed", "<td>not a URL</td><td class=n>1</td>"),
    ]:
        assert row in text.partition(f"<h3>{heading}</h3>")[2].partition("<h3>")[0]


def test_redirects_lead_to_no_more_urls_than_may_be_known():
    def reply(url):
        number = url.rpartition("/")[2]
        if not number:
            return Reply(page("http://a.test/", *(f"http://a.test/{n}" for n in range(990))))
        return Reply(redirect=f"{url}/elsewhere", status=302) if number.isdigit() else Reply(page(url))

    crawling = hg.Crawl(
        ["http://a.test/"], "keyword:bees", "breadth-first", web=FunctionWeb(reply), max_known=1000, pages=60
    )
    summary = crawling.run()
    assert summary.discovered == 1000
    assert summary.failed == {"max_known": 50}
