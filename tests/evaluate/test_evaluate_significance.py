"""Paired tests and their correction, against SciPy and by hand."""

import subprocess
import sys

import pytest
from scipy import stats

from honeyguide.evaluate import Collection, Design, compare, told
from honeyguide.evaluate.averages import row, with_tests
from honeyguide.evaluate.comparison import Result
from honeyguide.evaluate.significance import holm, wilcoxon
from small_webs import topical_web

DIFFERENCES = [0.1, 0.2, -0.05, 0.3, 0.12, 0.4, 0.25, 0.01]


def results(strategy, values):
    return [Result(strategy, f"t{i}", "near", 0, 4, 2, 1, 1, value, (1,)) for i, value in enumerate(values)]


def test_the_test_is_wilcoxons():
    assert wilcoxon(DIFFERENCES) == pytest.approx(stats.wilcoxon(DIFFERENCES).pvalue)
    assert wilcoxon([0.1] * 6) == pytest.approx(2 / 2**6)
    assert wilcoxon([0.0] * 5) == wilcoxon([]) == 1.0
    assert wilcoxon([0.2]) == 1.0


def test_equal_topics_do_not_count():
    assert wilcoxon([*DIFFERENCES, 0.0, 1e-12]) == wilcoxon(DIFFERENCES)


def test_holm_corrects_the_smallest_most_and_keeps_the_order():
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


def test_rows_are_corrected_for_their_number():
    base = results("base", [0.5] * 8)
    other = [results(name, [0.5 + sign * value for value in DIFFERENCES]) for name, sign in (("up", 1), ("down", -1))]
    rows = with_tests([row("base", base, []), *(row(own[0].strategy, own, base) for own in other)])
    assert rows[0].p is None
    assert [found.p for found in rows[1:]] == pytest.approx([2 * wilcoxon(DIFFERENCES)] * 2)
    assert rows[1].p_alone == pytest.approx(wilcoxon(DIFFERENCES))


WITHOUT = """
import sys
sys.path[:0] = {paths!r}
sys.modules["scipy"] = None
from honeyguide.evaluate import Collection, Design, compare, told
from small_webs import topical_web
web = Collection.of(topical_web().pages())
print(told(compare(web, ["breadth-first", "host-odds"], ["label:bees"], Design(pages=60, start="near"))))
"""


def test_without_scipy_all_but_the_p_is_there():
    code = WITHOUT.format(paths=[path for path in sys.path if path])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "- p values need SciPy: pip install 'honeyguide[statistics]'." in done.stdout
    assert "| – | 1/0/0 |" in done.stdout


def test_the_p_is_in_the_table():
    web = Collection.of(topical_web().pages())
    made = compare(web, ["breadth-first", "host-odds"], ["label:bees"], Design(pages=60, start="near"))
    found = next(row for row in made.rows("near") if row.strategy == "host-odds")
    assert found.p == found.p_alone == 1.0  # one topic tells nothing
    assert "| 1.000 | 1/0/0 |" in told(made)
