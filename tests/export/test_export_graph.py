"""The link graph and the best hubs, read back by networkx, pandas and the crawl itself."""

import csv
import subprocess
import sys

import networkx
import pandas
import scrapy

import honeyguide as hg
from honeyguide.cli.options import read_seeds
from honeyguide.export.graph import field
from honeyguide.export.options import Options
from honeyguide.export.selection import Selection
from honeyguide.export.writing import export
from honeyguide.urls import normalize
from honeyguide.web.sources import read_source
from small_webs import page, stored, web_of


def by_title(graph):
    return networkx.relabel_nodes(
        graph, {node: data["url"].split("/", 3)[3] for node, data in graph.nodes(data=True)}
    )


def test_graphml_is_read_back_by_networkx(crawled, tmp_path):
    outcome = export(crawled, tmp_path / "links.graphml", selection=Selection(all=True))
    graph = by_title(networkx.read_graphml(tmp_path / "links.graphml"))
    assert graph.is_directed() and len(graph) == outcome.written == 18
    assert graph.nodes["hive"]["relevant"] is True and graph.nodes[""]["relevant"] is False
    assert graph.nodes["hive"]["relevance"] > 0.9 and graph.nodes["hive"]["host"].startswith("bees.test:")
    assert graph.nodes["attack/0"]["title"].startswith(
        "=cmd|' /C calc'!A0\"</script><img src=x onerror=alert(1)>[31m"
    )


def test_redirects_are_followed_and_copies_stand_for_their_originals(crawled, tmp_path):
    export(crawled, tmp_path / "links.graphml", selection=Selection(all=True))
    graph = by_title(networkx.read_graphml(tmp_path / "links.graphml"))
    assert graph.edges["", "hive"]["links"] == 2  # one of them by way of /moved
    assert set(graph.successors("trains")) == {"honey"} and graph.edges["trains", "honey"]["anchor"] == "sweet"
    assert graph.edges["hive", "honey"]["links"] == 2  # one of them to its copy
    assert not list(networkx.selfloop_edges(graph))


def test_a_filtered_graph_has_the_links_among_its_pages_only(crawled, tmp_path):
    export(crawled, tmp_path / "links.graphml")
    graph = by_title(networkx.read_graphml(tmp_path / "links.graphml"))
    assert len(graph) == 16 and "trains" not in graph and "" not in graph
    assert set(graph.edges) == {("hive", "honey"), ("honey", "hive")}


def test_the_list_of_edges_is_read_back(crawled, tmp_path):
    outcome = export(crawled, tmp_path / "links.tsv", selection=Selection(all=True))
    frame = pandas.read_csv(tmp_path / "links.tsv", sep="\t", keep_default_na=False)
    with (tmp_path / "links.tsv").open(newline="") as file:
        assert [*csv.reader(file, "excel-tab")][1:] == frame.to_numpy().tolist()
    assert '\'"Wax", she said' in set(frame.anchor)
    assert list(frame.columns) == ["source", "target", "anchor"] and len(frame) == outcome.written
    assert [(edge.source, edge.target) for edge in hg.open(crawled).where(all=True).links()] == list(
        zip(frame.source, frame.target, strict=True)
    )
    assert not [anchor for anchor in frame.anchor if anchor.startswith(tuple("=+-@\t\r＝"))]
    assert any(anchor.startswith("'=cmd") for anchor in frame.anchor)
    pages = {page.url: page for page in read_source(tmp_path / "links.tsv")}
    assert sum(len(page.links) for page in pages.values()) == len(frame)


def test_the_list_of_edges_is_a_graph_of_networkx(crawled, tmp_path):
    export(crawled, tmp_path / "links.graphml", selection=Selection(all=True))
    whole = networkx.read_graphml(tmp_path / "links.graphml")
    names = {node: data["url"] for node, data in whole.nodes(data=True)}
    export(crawled, tmp_path / "links.tsv", selection=Selection(all=True))
    graph = networkx.read_edgelist(
        tmp_path / "links.tsv", comments=None, delimiter="\t", create_using=networkx.DiGraph, data=[("anchor", str)]
    )
    graph.remove_nodes_from(["source", "target"])  # the head
    assert set(graph.edges) == {(names[a], names[b]) for a, b in whole.edges}
    assert {field(data["anchor"]) for _, _, data in whole.edges(data=True)} == {
        data["anchor"] for _, _, data in graph.edges(data=True)
    }


def test_other_programs_read_the_seeds_and_another_crawl_starts_from_them(tmp_path):
    urls = [str(normalize(f"http://a.test/{n}?q=a b&r=é")) for n in range(4)]
    pages = [page(url, *urls, text="bees") for url in urls]
    web = stored(tmp_path / "web", *pages)
    hg.Crawl([urls[0]], "keyword:bees", web=hg.open_web(web), directory=tmp_path / "crawl").run()
    export(tmp_path / "crawl", tmp_path / "hubs.txt")
    seeds = pandas.read_csv(tmp_path / "hubs.txt", comment="#", header=None)[0].tolist()
    assert seeds and set(seeds) <= set(urls)
    assert [scrapy.Request(url).url for url in seeds] == seeds == read_seeds([f"@{tmp_path / 'hubs.txt'}"])
    asked = ["simulate", web, "--topic", "keyword:bees", "--seed", f"@{tmp_path / 'hubs.txt'}", "--pages", "1"]
    command = [sys.executable, "-m", "honeyguide", *map(str, asked), "--visits", str(tmp_path / "visits")]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    assert (tmp_path / "visits").read_text().split() == seeds[:1]


def test_hubs_are_seeds_that_together_lead_to_all(crawled, tmp_path):
    outcome = export(crawled, tmp_path / "hubs.txt")
    seeds = read_seeds([f"@{tmp_path / 'hubs.txt'}"])
    assert len(seeds) == outcome.written and outcome.counts == "hubs"
    assert seeds[0].endswith("/") and len(seeds) == 1  # every relevant page is linked from the index
    lines = (tmp_path / "hubs.txt").read_text().splitlines()
    assert lines[0] == "# hubs of a crawl for keyword:bees"
    assert lines[1] == "# links to 16 of the wanted pages; to 16 of them none above does"


def test_a_hub_that_adds_nothing_is_no_seed(tmp_path):
    pages = {
        "http://a.test/": ["http://a.test/hub", "http://a.test/same", "http://a.test/other"],
        "http://a.test/hub": [f"http://a.test/bees{n}" for n in range(4)],
        "http://a.test/same": [f"http://a.test/bees{n}" for n in range(3)],
        "http://a.test/other": [f"http://a.test/bees{n}" for n in range(3, 6)],
        **{f"http://a.test/bees{n}": [] for n in range(6)},
    }
    web = web_of(*(page(url, *targets, text="bees" if "bees" in url else "") for url, targets in pages.items()))
    hg.Crawl(["http://a.test/"], "keyword:bees", web=web, directory=tmp_path / "crawl").run()
    export(tmp_path / "crawl", tmp_path / "hubs.txt")
    assert read_seeds([f"@{tmp_path / 'hubs.txt'}"]) == ["http://a.test/hub", "http://a.test/other"]
    export(tmp_path / "crawl", tmp_path / "one.txt", options=Options(hubs=1))
    assert read_seeds([f"@{tmp_path / 'one.txt'}"]) == ["http://a.test/hub"]
