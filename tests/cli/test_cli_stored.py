"""The command line on stored webs, and its answers to bad input."""

import gzip
import json
import re
import signal
import subprocess
import sys
import time

import pandas
import pytest

import honeyguide as hg
from honeyguide.dashboard.watch import page_row
from honeyguide.store import Store
from honeyguide.synthetic import generate
from killing import committed
from loopback import Loopback, answer

HONEYGUIDE = [sys.executable, "-m", "honeyguide"]

PAGES = [
    {"url": "http://a.test/", "title": "A", "text": "bees and honey", "label": "nature.bees",
     "links": [{"url": "/1", "anchor": "one"}, {"url": "/2", "anchor": "two"}, {"url": "http://gone.test/"}]},
    {"url": "http://a.test/1", "title": "B", "text": "bees again", "label": "nature.bees.wild", "links": []},
    {"url": "http://a.test/2", "title": "C", "text": "trains", "label": None, "links": [{"url": "http://a.test/"}]},
]  # fmt: skip


def run(*arguments, code=0):
    done = subprocess.run([*HONEYGUIDE, *map(str, arguments)], capture_output=True, text=True, timeout=60)
    assert done.returncode == code, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done


def write(path, lines):
    text = "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.fixture
def web(tmp_path):
    run("import", write(tmp_path / "pages.jsonl.gz", PAGES), "-o", tmp_path / "web")
    return tmp_path / "web"


def test_the_harvest_of_a_simulated_crawl_is_right(web, tmp_path):
    done = run("simulate", web, "--topic", "label:nature.bees", "--seed", "http://a.test/2", "--json",
               "--visits", tmp_path / "visits")  # fmt: skip
    answer = json.loads(done.stdout)
    visits = (tmp_path / "visits").read_text().split()
    assert visits == ["http://a.test/2", "http://a.test/", "http://a.test/1"]
    labels = {p["url"]: p["label"] or "" for p in PAGES}
    relevant = sum(labels[url].startswith("nature.bees") for url in visits)
    assert (answer["relevant"], answer["fetched"]) == (relevant, 3) == (2, 3)
    assert answer["harvest"] == pytest.approx(2 / 3, abs=1e-6)
    assert answer["excluded"] == {"not_in_archive": 1}


@pytest.mark.parametrize("option", ["--visits", "--log"])
def test_files_of_a_crawl_are_not_written_over(web, tmp_path, option):
    asked = ["simulate", web, "--topic", "label:nature.bees", "--seed", "http://a.test/2", "-o", tmp_path / "crawl"]
    assert "choose another name" in run(*asked, option, tmp_path / "crawl" / "crawl.db", code=1).stderr
    run(*asked)
    before = (tmp_path / "crawl" / "crawl.db").read_bytes()
    for file in (tmp_path / "crawl" / "crawl.db", web / "web.json"):
        assert "choose another name" in run(*asked, option, file, code=1).stderr
    assert (tmp_path / "crawl" / "crawl.db").read_bytes() == before


def test_a_visit_has_the_same_number_wherever_people_see_it(web, tmp_path):
    crawl, log = tmp_path / "crawl", tmp_path / "log"
    run("simulate", web, "--topic", "label:nature.bees", "--seed", "http://a.test/2", "-o", crawl, "--log", log)
    asked = ["http://a.test/2", "http://a.test/", "http://a.test/1"]
    events = map(json.loads, log.read_text().splitlines())
    assert [(e["number"], e["url"]) for e in events if e["event"] == "visit"] == list(enumerate(asked, 1))
    for name in ("x.jsonl", "x.csv", "x.parquet", "pages"):
        run("export", crawl, "-o", tmp_path / name, "--all")
    lines = map(json.loads, (tmp_path / "x.jsonl").read_text().splitlines())
    assert [(line["number"], line["url"]) for line in lines] == list(enumerate(asked, 1))
    for frame in (pandas.read_csv(tmp_path / "x.csv"), pandas.read_parquet(tmp_path / "x.parquet")):
        assert list(zip(frame.number, frame.url, strict=True)) == list(enumerate(asked, 1))
    assert [page.number for page in hg.open(crawl).where(all=True)] == [1, 2, 3]
    files = sorted((tmp_path / "pages").iterdir())
    assert [file.name[:7] for file in files] == ["000001-", "000002-", "000003-"]
    assert [line for file in files for line in file.read_text().splitlines() if line.startswith("number")] == [
        "number: 1", "number: 2", "number: 3",
    ]  # fmt: skip
    for number, url in enumerate(asked, 1):
        assert f": visit {number} of 3; " in (said := run("explain", crawl, url).stdout)
        assert ("chosen at a score of" in said) == (number > 1), "the first one is a seed"
    with Store.open(crawl, write=False) as store:
        assert [page_row(visit, "")["number"] for visit in store.visits()] == [1, 2, 3]


def test_seeds_are_drawn_by_the_random_seed(web):
    answers = [run("simulate", web, "--topic", "label:nature", "--random-seed", s, "--json").stdout for s in (1, 1)]
    strip = [{k: v for k, v in json.loads(a).items() if k != "seconds"} for a in answers]
    assert strip[0] == strip[1]


def test_seeds_can_come_from_a_file(web, tmp_path):
    write(tmp_path / "seeds.txt", ["# start\n", "\n", "http://a.test/1\n", "http://a.test/2\n"])
    answer = run("simulate", web, "--topic", "label:nature", "--seed", f"@{tmp_path}/seeds.txt", "--json").stdout
    assert json.loads(answer)["fetched"] == 3


def test_a_simulated_crawl_is_kept_and_goes_on(web, tmp_path):
    first = ["simulate", web, "--topic", "label:nature", "--seed", "http://a.test/", "-o", tmp_path / "c"]
    run(*first, "--pages", 1)
    answer = json.loads(run(*first, "--pages", 3, "--json").stdout)
    assert answer["fetched"] == 3
    assert json.loads(run("crawl", tmp_path / "c", "--json").stdout)["fetched"] == 3
    run("report", tmp_path / "c")
    assert "label:nature" in (tmp_path / "c" / "report.html").read_text()
    assert "relevant" in run("explain", tmp_path / "c", "http://a.test/1").stdout


def test_a_generated_web_can_be_simulated_on(tmp_path):
    run("generate", "-o", tmp_path / "g", "--pages", 500, "--hosts", 20, "--topics", 3)
    answer = json.loads(
        run("simulate", tmp_path / "g", "--topic", "label:beekeeping", "--pages", 100, "--json").stdout
    )
    assert answer["fetched"] == 100
    assert answer["relevant"] > 5


def test_strategies_and_topics_of_ones_own_are_found_in_the_working_directory(web, tmp_path):
    (tmp_path / "mine.py").write_text(
        "import honeyguide as hg\n"
        "class Mine(hg.Strategy):\n"
        "    name = 'mine'\n"
        "    def score(self, ids):\n"
        "        return ids.astype('float32')\n"
        "def judge(page):\n"
        "    return 'bees' in page.text\n"
    )
    done = subprocess.run(
        [*HONEYGUIDE, "simulate", str(web), "--topic", "function:mine:judge", "--strategy", "mine:Mine", "--json"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
    )
    assert json.loads(done.stdout)["relevant"] == 2, done.stderr


def test_a_simulated_crawl_goes_on_from_any_working_directory(web, tmp_path):
    relative = ["simulate", "web", "--topic", "label:nature", "--seed", "http://a.test/", "-o", "c", "--pages", "1"]
    subprocess.run([*HONEYGUIDE, *relative], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    assert json.loads(run("crawl", tmp_path / "c", "--pages", 3, "--json").stdout)["fetched"] == 3
    assert json.loads(run(*relative[:1], web, *relative[2:-4], "-o", tmp_path / "c", "--json").stdout)["fetched"] == 3


def test_options_are_checked_before_stored_pages_are_judged_anew(web, tmp_path):
    run("simulate", web, "--topic", "label:nature", "--seed", "http://a.test/", "-o", tmp_path / "c")
    before = (tmp_path / "c" / "crawl.toml").read_text()
    for wrong in (["--strategy", "nope"], ["--pages", "0"], ["--seed", "http://b.test/"]):
        done = run("crawl", tmp_path / "c", "--topic", "keyword:trains", *wrong, code=1)
        assert "Judged" not in done.stderr
    assert (tmp_path / "c" / "crawl.toml").read_text() == before
    assert json.loads(run("crawl", tmp_path / "c", "--json").stdout)["relevant"] == 2


def test_another_random_seed_is_another_crawl(web, tmp_path):
    run("simulate", web, "--topic", "label:nature", "-o", tmp_path / "c")
    done = run("simulate", web, "--topic", "label:nature", "-o", tmp_path / "c", "--random-seed", 7, code=1)
    assert "its random_seed is 0" in done.stderr


def test_a_crawl_toml_written_by_hand_starts_a_crawl_and_is_not_overwritten(web, tmp_path):
    (tmp_path / "c").mkdir()
    toml = f'[crawl]\ntopic = "label:nature"\nseed = ["http://a.test/"]\nweb = "{web}"\npages = 2\n'
    (tmp_path / "c" / "crawl.toml").write_text(toml)
    refused = run("simulate", web, "--topic", "label:other", "-o", tmp_path / "c", code=1)
    assert "belongs to another crawl" in refused.stderr
    assert json.loads(run("crawl", tmp_path / "c", "--json").stdout)["fetched"] == 2


def test_a_crawl_made_in_python_is_not_sent_to_the_live_web(tmp_path):
    import honeyguide as hg
    from small_webs import page, web_of

    hg.Crawl(["http://a.test/"], "label:x", web=web_of(page("http://a.test/")), directory=tmp_path / "c").run()
    assert "made in Python" in run("crawl", tmp_path / "c", "--pages", 5, code=1).stderr


def test_ctrl_c_stops_a_simulation_cleanly(tmp_path):
    run("generate", "-o", tmp_path / "g", "--pages", 1000, "--hosts", 30)
    (tmp_path / "slowly.py").write_text("import time\ndef judge(page):\n    time.sleep(0.01)\n    return False\n")
    seed = generate(pages=1000, hosts=30).portal_seeds(1)[0]
    process = subprocess.Popen(
        [*HONEYGUIDE, "simulate", "g", "--topic", "function:slowly:judge", "--seed", seed, "-o", "c"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    while committed(tmp_path / "c") < 1 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "Go on with: honeyguide crawl c" in out


@pytest.mark.parametrize("limit", [("--until-yield", 0.9), ("--max-bytes", 1000)])
def test_what_is_said_to_go_on_with_goes_on(tmp_path, limit):
    run("generate", "-o", tmp_path / "g", "--pages", 1000, "--hosts", 30)
    asked = ("--topic", "label:chess", "--pages", 400, *limit, "-o", tmp_path / "c")
    said = run("simulate", tmp_path / "g", *asked).stdout
    fetched = int(re.search(r"Fetched ([\d,]+) pages", said)[1])
    words = re.search(r"Go on with: honeyguide (.*)", said)[1].split()
    assert int(re.search(r"Fetched ([\d,]+) pages", run(*words).stdout)[1]) > fetched


def test_a_simulation_keeps_to_its_time(tmp_path):
    run("generate", "-o", tmp_path / "g", "--pages", 1000, "--hosts", 30)
    answer = run("simulate", tmp_path / "g", "--topic", "label:chess", "--max-time", 0.01, "--json").stdout
    assert json.loads(answer)["stopped"] == "max_time"


def test_pages_linked_from_pages_that_match(web):
    topic = "links:from:(keyword:honey)"
    answer = run("simulate", web, "--topic", topic, "--seed", "http://a.test/", "--json").stdout
    assert json.loads(answer)["relevant"] == 2
    assert "Starting from 2 relevant pages" in run("simulate", web, "--topic", topic).stderr


def test_quoted_regular_expressions_keep_their_backslashes(web):
    answer = run("simulate", web, "--topic", r'regex:"\bbees\b"', "--seed", "http://a.test/", "--json").stdout
    assert json.loads(answer)["relevant"] == 2


def test_a_classifier_is_trained_from_a_list_of_files(tmp_path):
    for i, text in enumerate(["bees make honey", "honey from bees", "trains on rails", "rails for trains"]):
        (tmp_path / f"{i}.txt").write_text(text)
    write(tmp_path / "good", [f"{tmp_path}/0.txt\n", f"{tmp_path}/1.txt\n"])
    write(tmp_path / "bad", [f"{tmp_path}/2.txt\n", f"{tmp_path}/3.txt\n"])
    said = run("train", f"@{tmp_path}/good", f"@{tmp_path}/bad", "-o", tmp_path / "m.hg").stdout
    assert "Trained on 2 wanted and 2 unwanted pages" in said


@pytest.mark.parametrize(
    "command",
    [
        ["train", "{tmp}/good.txt", "{tmp}/bad.txt", "-o", "{web}/web.json"],
        ["compare", "{web}", "--topic", "label:nature", "--strategy", "breadth-first", "--json", "{web}/web.json"],
        ["compare", "{web}", "--topic", "label:nature", "--strategy", "breadth-first", "--html", "{web}/web.json"],
    ],
    ids=["train", "compare --json", "compare --html"],
)
def test_what_is_written_never_takes_the_place_of_a_file_of_a_crawl_or_a_stored_web(web, tmp_path, command):
    write(tmp_path / "good.txt", ["bees make honey"])
    write(tmp_path / "bad.txt", ["trains on rails"])
    before = (web / "web.json").read_bytes()
    done = run(*(part.format(tmp=tmp_path, web=web) for part in command), code=1)
    assert "web.json is a file of the crawl itself" in done.stderr
    assert (web / "web.json").read_bytes() == before


BAD = [
    (["crawl"], "say where to keep the crawl: -o DIR"),
    (["crawl", "-o", "{tmp}/x"], "say what to look for: --topic"),
    (["crawl", "-o", "{tmp}/x", "--topic", "keyword:a"], "say where to start: --seed"),
    (["crawl", "{tmp}/nothing"], "holds no crawl to go on with"),
    (["crawl", "{tmp}/x", "-o", "{tmp}/x"], "name the directory once"),
    (["crawl", "{tmp}/none.toml", "-o", "{tmp}/x"], "none.toml is not there; honeyguide new"),
    (["crawl", "{tmp}/none.toml"], "none.toml is not there; honeyguide new"),
    (["crawl", "{tmp}/none", "-o", "{tmp}/x"], "none is not there; honeyguide new"),
    (["crawl", "-o", "{tmp}/x", "--topic", "keywrod:a", "--seed", "http://a.test/"], "did you mean 'keyword'"),
    (
        ["crawl", "-o", "{tmp}/x", "--topic", "keyword:a & ~keyword:a", "--seed", "http://a.test/"],
        "can match nothing",
    ),
    (["crawl", "-o", "{tmp}/x", "--topic", "keyword:a", "--seed", "nonsense"], "is no URL that can be crawled"),
    (["crawl", "-o", "{tmp}/x", "--topic", "keyword:a", "--seed", "@{tmp}/none"], "cannot be read"),
    (["crawl", "-o", "{tmp}", "--topic", "keyword:a", "--seed", "http://a.test/"], "is not empty and holds no crawl"),
    (
        ["crawl", "-o", "{tmp}/x", "--topic", "keyword:a", "--seed", "http://a.test/", "--strategy", "bestfirst"],
        "did you mean",
    ),
    (
        ["crawl", "-o", "{tmp}/x", "--topic", "keyword:a", "--seed", "http://a.test/", "--resolve", "x"],
        "HOST=ADDRESS",
    ),
    (["crawl", "-o", "{tmp}/x", "--topic", "keyword:a", "--seed", "http://a.test/", "--pages", "0"], "out of bounds"),
    (["simulate", "{tmp}/web", "--topic", "label:nothing"], "none of the 3 pages"),
    (["simulate", "{tmp}/none", "--topic", "label:x"], "does not exist"),
    (["simulate", "{tmp}/fake.warc.gz", "--topic", "label:x"], "is not a WARC file"),
    (["simulate", "{tmp}/bad.jsonl", "--topic", "label:x"], "line 2: not JSON"),
    (["import", "{tmp}/fake.warc.gz", "-o", "{tmp}/y"], "is not a WARC file"),
    (["import", "{tmp}/none", "-o", "{tmp}/y"], "does not exist"),
    (["import", "{tmp}/text.txt", "-o", "{tmp}/y"], "no WARC, no JSONL file and no edge list"),
    (["import", "{tmp}/empty.jsonl", "-o", "{tmp}/y"], "nothing was imported"),
    (["crawl", "{tmp}/web"], "is a stored web, not a crawl"),
    (["explain", "{tmp}/web", "http://a.test/"], "is a stored web, not a crawl"),
    (["simulate", "{tmp}/web", "--topic", "label:nature", "--visits", "{tmp}/no/visits"], "No such file"),
    (["simulate", "{tmp}/web", "--topic", "label:nature", "--visits", "{tmp}"], "Is a directory"),
    (
        ["crawl", "-o", "{tmp}/x", "--topic", "keyword:a", "--seed", "http://a.test/", "--user-agent", ""],
        "user_agent",
    ),
    (["report", "{tmp}/none"], "is not a crawl directory"),
    (["report", "{tmp}/web"], "is a stored web, not a crawl"),
    (["explain", "{tmp}/none", "http://a.test/"], "is not a crawl directory"),
    (["train", "{tmp}/none", "{tmp}/none", "-o", "{tmp}/m.hg"], "is no file, no directory and no URL"),
    (["generate", "-o", "{tmp}/y", "--pages", "100", "--hosts", "90"], "hosts"),
]


@pytest.mark.parametrize(("arguments", "said"), BAD, ids=[" ".join(a)[:40] + f" {i}" for i, (a, _) in enumerate(BAD)])
def test_bad_input_gets_a_sentence_and_a_code(arguments, said, web, tmp_path):
    write(tmp_path / "fake.warc.gz", ["no WARC\n"])
    write(tmp_path / "bad.jsonl", [PAGES[0], "{broken\n", PAGES[1]])
    write(tmp_path / "text.txt", ["just text\n"])
    write(tmp_path / "empty.jsonl", [])
    done = run(*(a.format(tmp=tmp_path) for a in arguments), code=1)
    assert said in done.stderr
    assert not (tmp_path / "y").exists()
    assert done.stderr.count("honeyguide: ") == 1
    assert not (tmp_path / "x").exists()


def test_a_corrupt_line_is_named_and_the_rest_is_kept(tmp_path):
    source = write(tmp_path / "bad.jsonl", [PAGES[0], "{broken\n", PAGES[1], {"title": "no url"}])
    done = run("import", source, "-o", tmp_path / "web", code=1)
    assert "line 2: not JSON" in done.stderr
    assert 'line 4: no "url"' in done.stderr
    assert "Imported 2 pages" in done.stdout
    assert json.loads(run("simulate", tmp_path / "web", "--topic", "label:nature", "--json").stdout)["fetched"] == 2


def test_errors_are_json_where_json_was_asked_for(tmp_path):
    done = run("simulate", tmp_path / "none", "--topic", "label:x", "--json", code=1)
    assert "does not exist" in json.loads(done.stdout)["error"]


def test_help_loads_nothing_heavy():
    code = (
        "import sys, honeyguide.cli\n"
        "sys.argv = ['honeyguide', '--help']\n"
        "try: honeyguide.cli.main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'aiohttp', 'turbohtml', 'sklearn', 'scipy', 'sqlite3', 'fastwarc'} & set(sys.modules)\n"
        "print('heavy:', heavy or 'none')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "heavy: none" in done.stdout, done.stdout + done.stderr


def test_an_edge_list_with_labels_becomes_a_web(tmp_path):
    (tmp_path / "web.txt").write_text("1 2\n2 3\n3 x y z\n1 4\n")
    (tmp_path / "labels.tsv").write_text("1\tbees\n2\tbees\n4\tbees\n9\tbees\nnothing\n")
    done = run("import", tmp_path / "web.txt", "--labels", tmp_path / "labels.tsv", "-o", tmp_path / "web")
    assert "Imported 5 pages" in done.stdout
    assert "labels.tsv, line 5: an address, a tab and a label are needed" in done.stderr
    assert "labels.tsv: 1 labels are for no page that came in" in done.stderr
    seed = "http://nodes.invalid/1"
    found = run("simulate", tmp_path / "web", "--topic", "label:bees", "--seed", seed, "--json").stdout
    assert (json.loads(found)["fetched"], json.loads(found)["relevant"]) == (5, 3)


def test_a_crawl_becomes_a_web_with_its_redirects_and_failures(tmp_path):
    moved, page = (
        answer(status="301 Moved", Location="/b"),
        answer(b"<p>bees <a href='/moved'>m</a><a href='/gone'>g</a>"),
    )
    with Loopback({"/": page, "/moved": moved, "/b": answer(b"<p>bees")}) as server:
        run("crawl", "--seed", f"{server.origin}/", "--topic", "keyword:bees", "-o", tmp_path / "c", "--delay", 0,
            "--allow-private")  # fmt: skip
        seed = f"{server.origin}/"
    assert "Imported 2 pages" in run("import", tmp_path / "c", "-o", tmp_path / "web").stdout
    found = run("simulate", tmp_path / "web", "--topic", "keyword:bees", "--seed", seed, "--json")
    summary = json.loads(found.stdout)
    assert (summary["relevant"], summary["redirects"], summary["failed"]) == (2, 1, {"http_404": 1})
    again = run("import", tmp_path / "web", "-o", tmp_path / "copy")
    assert "Imported 2 pages" in again.stdout


def test_an_import_that_fails_leaves_nothing_behind(tmp_path):
    run("import", write(tmp_path / "empty.jsonl.gz", []), "-o", tmp_path / "web", code=1)
    assert not (tmp_path / "web").exists()


@pytest.mark.parametrize(("option", "value"), [("--learn-from", "{tmp}/none"), ("--seed-query", "bees")])
def test_what_only_a_beginning_could_heed_is_refused_later(web, tmp_path, option, value):
    begun = ["simulate", web, "--topic", "label:nature", "--seed", "http://a.test/", "-o", tmp_path / "c"]
    run(*begun, "--pages", 1)
    for again in (["crawl", tmp_path / "c"], begun):
        done = run(*again, option, value.format(tmp=tmp_path), code=1)
        assert f"{option} is for the beginning of a crawl, and {tmp_path / 'c'} has begun" in done.stderr


def test_nothing_is_searched_for_without_words(web):
    assert "say what to search for" in run("search", web, " ", code=1).stderr


def test_links_of_several_lists_are_those_of_one(tmp_path):
    one = write(tmp_path / "1.tsv", ["http://a.test/\thttp://b.test/\n"])
    two = write(tmp_path / "2.tsv", ["http://b.test/\thttp://c.test/\n", "http://c.test/\thttp://a.test/\n"])
    run("import", one, two, "-o", tmp_path / "web")
    with_pages = write(tmp_path / "pages.jsonl", [{"url": "http://b.test/", "text": "bees"}])
    said = run("import", with_pages, two, "-o", tmp_path / "other").stdout
    web = hg.Crawl(["http://a.test/"], "url:test", "breadth-first", web=hg.open_web(tmp_path / "web")).run()
    assert web.fetched == 3
    assert "1 pages had a URL that was there already and were left out, with 1 links." in said


def test_that_a_file_is_cut_short_is_told_before_all_else(tmp_path):
    lines = [{"url": f"mailto:{n}@a.test"} for n in range(9)] + [{"url": f"http://a.test/{n}"} for n in range(999)]
    whole = gzip.compress("".join(f"{json.dumps(line)}\n" for line in lines).encode())
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[: len(whole) * 2 // 3])
    told = run("import", tmp_path / "cut.jsonl.gz", "-o", tmp_path / "web", code=1).stderr.splitlines()
    assert "cut short" in told[0]
