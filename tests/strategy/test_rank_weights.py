"""Weights: by name, from files, and as the paper has them."""

import json
import math

import pytest

from honeyguide.base import BadInput
from honeyguide.strategy import create
from honeyguide.strategy.rank_weights import TABLE_1, read_stages, read_weights, score_names, table_1, write_stages

THREE = {
    "hub": 0.1, "authority": 0.0, "comm_in": 0.2, "comm_out": 0.3,
    "parent_1": 0.25, "parent_2": 0.1, "parent_3": 0.05,
}  # fmt: skip


def file_with(tmp_path, weights, name="weights.toml"):
    path = tmp_path / name
    path.write_text("[weights]\n" + "".join(f"{key} = {value}\n" for key, value in weights.items()))
    return path


def test_table_1_is_the_papers():
    assert math.fsum(TABLE_1.values()) == pytest.approx(0.999999, abs=1e-12)
    assert tuple(TABLE_1) == score_names(5)
    assert create("evolved").stages[0][1] == TABLE_1
    heaviest = sorted(TABLE_1, key=TABLE_1.get, reverse=True)[:3]
    assert heaviest == ["comm_out", "parent_1", "comm_in"]


def test_other_numbers_of_generations_get_what_the_paper_gives_them():
    assert table_1(7) == {**TABLE_1, "parent_6": 0.0, "parent_7": 0.0}
    three = create("evolved:generations=3").stages[0][1]
    assert tuple(three) == score_names(3)
    assert math.fsum(three.values()) == pytest.approx(0.999999)
    assert three["comm_out"] / three["parent_3"] == pytest.approx(0.312661 / 0.080103)


@pytest.mark.parametrize("name", ["weights.toml", "weights.json"])
def test_weights_are_written_and_read_back(tmp_path, name):
    path = tmp_path / name
    awkward = {**THREE, "hub": 0.1 + 1e-17, "parent_3": 0.05 + 3e-17}
    write_stages(path, [(0, awkward)], "Best of 50 generations on keyword:bees\nharvest 0.61\x00\u2028!")
    assert read_weights(path) == awkward
    assert "Best of 50 generations on keyword:bees" in path.read_text()
    assert create(f"evolved:{path}").stages[0][1] == awkward


def test_the_order_and_other_tables_of_a_file_do_not_matter(tmp_path):
    path = tmp_path / "w.toml"
    turned = "".join(f"{key} = {value}\n" for key, value in reversed(THREE.items()))
    path.write_text(f'title = "found by hand"\n[weights]\n{turned}[found]\nby = "hand"\n')
    assert list(read_weights(path).items()) == list(THREE.items())


def test_generations_follow_from_the_file(tmp_path):
    path = file_with(tmp_path, THREE)
    assert tuple(create(f"evolved:{path}").stages[0][1]) == score_names(3)
    assert create(f"evolved:weights={path},generations=3,drift=0.5").drift == 0.5
    with pytest.raises(BadInput, match=r"weights\.toml has weights for 3 generations of parents, not 4; leave"):
        create(f"evolved:{path},generations=4")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parent_2": None}, r"weights\.toml: the weight of parent_2 is missing; give one"),
        ({"hub": None}, r"weights\.toml: the weight of hub is missing"),
        ({"hubs": 0.1}, r"weights\.toml: there is no score 'hubs'; there are hub, authority, comm_in, comm_out and"),
        ({"parent_0": 0.1}, "there is no score 'parent_0'"),
        ({"parent_01": 0.1}, "there is no score 'parent_01'"),
        ({"parent_21": 0.1}, "parent_21 is too far back; parent_20 may be the last"),
        ({"hub": -0.1}, r"the weight of hub is -0\.1; a number from 0 to 1 is needed"),
        ({"hub": '"much"'}, "the weight of hub is 'much'; a number"),
        ({"hub": "true"}, "the weight of hub is True; a number"),
        ({"hub": "nan"}, "the weight of hub is nan; a number"),
        ({"hub": "inf"}, "the weight of hub is inf; a number"),
        ({"hub": "[0.1]"}, r"the weight of hub is \[0\.1\]; a number"),
        ({"hub": 10**400}, "the weight of hub is 1000"),
        ({"hub": 0.2}, r"weights\.toml: the weights sum to 1\.1; make them sum to 1"),
        ({"hub": 0.0}, r"the weights sum to 0\.9; make"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path, change, message):
    weights = {key: value for key, value in {**THREE, **change}.items() if value is not None}
    with pytest.raises(BadInput, match=message):
        create(f"evolved:{file_with(tmp_path, weights)}")


def test_a_sum_may_miss_1_by_a_thousandth(tmp_path):
    assert read_weights(file_with(tmp_path, {**THREE, "hub": 0.099}))
    assert read_weights(file_with(tmp_path, {**THREE, "hub": 0.101}))
    with pytest.raises(BadInput, match=r"sum to 1\.0011"):
        read_weights(file_with(tmp_path, {**THREE, "hub": 0.1011}))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("w.toml", b"", "has no table 'weights'"),
        ("w.toml", b"weights = 3", "has no table 'weights'"),
        ("w.toml", b"[weights]", "the weight of hub is missing"),
        ("w.toml", b"[weights\n", "cannot be read"),
        ("w.toml", b"\xff\xfe", "cannot be read"),
        ("w.json", b"[1]", "has no table 'weights'"),
        ("w.json", b"{", "cannot be read"),
        ("w.json", b"[" * 100_000, "cannot be read"),
        ("w.json", json.dumps({"weights": {**THREE, "hub": None}}).encode(), "the weight of hub is None"),
    ],
)
def test_files_that_hold_no_weights_are_refused(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadInput, match=message):
        create(f"evolved:{tmp_path / name}")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(
        BadInput, match=r"nowhere\.toml' cannot be read .*; name a TOML or JSON file .* or best-first"
    ):
        create(f"evolved:{tmp_path}/nowhere.toml")
    with pytest.raises(BadInput, match="cannot be read"):
        create(f"evolved:{tmp_path}")


def test_weights_that_are_no_good_are_not_written(tmp_path):
    with pytest.raises(BadInput, match="sum to"):
        write_stages(tmp_path / "w.toml", [(0, {**THREE, "hub": 0.9})])
    assert not (tmp_path / "w.toml").exists()
    with pytest.raises(BadInput, match="cannot be written"):
        write_stages(tmp_path / "no" / "w.toml", [(0, THREE)])


def test_single_weights_can_be_given():
    weights = create("evolved:parent_1=0.5,comm_out=0.5,drift=0").stages[0][1]
    assert weights == {**dict.fromkeys(score_names(5), 0.0), "parent_1": 0.5, "comm_out": 0.5}
    assert create("evolved:parent_7=1,generations=7").stages[0][1]["parent_7"] == 1
    assert create("evolved:best-first").stages[0][1] == create("evolved:parent_1=1").stages[0][1]


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("parent_1=0.5", r"evolved: the weights sum to 0\.5; make them sum to 1"),
        ("parent_1=-1,comm_out=2", "evolved: the weight of comm_out is 2.0; a number from 0 to 1"),
        ("parent_1=much", "evolved: the weight of parent_1 is 'much'; a number"),
        ("parent_1=nan", "evolved: the weight of parent_1 is nan"),
        ("parent_7=1", "evolved: parent_7 needs generations=7, and it is 5"),
        ("parent_77=1", "parent_77 is too far back"),
        ("parent_0=1", "strategy evolved has no setting 'parent_0'; it has weights, generations, drift, and takes"),
        ("comm=1", "strategy evolved has no setting 'comm'"),
        ("best-first,parent_1=1", "weights=best-first and single weights exclude each other"),
        ("generations=0", "generations = 0 is out of bounds"),
        ("generations=2.5", "a whole number is needed"),
        ("drift=-1", "drift = -1.0 is out of bounds"),
        ("drift=nan", "drift = nan is out of bounds"),
    ],
)
def test_what_is_wrong_with_settings_is_said(argument, message):
    with pytest.raises(BadInput, match=message):
        create(f"evolved:{argument}")


def test_anchor_and_host_may_be_named_and_may_be_left_out(tmp_path):
    weights = {**dict.fromkeys(score_names(1), 0.0), "parent_1": 0.5, "anchor": 0.3, "host": 0.2}
    write_stages(tmp_path / "with.toml", [(0, weights)])
    assert read_weights(tmp_path / "with.toml") == weights
    assert create(f"evolved:{tmp_path / 'with.toml'}").stages[0][1] == weights
    assert create("evolved:anchor=0.5,host=0.5").stages[0][1]["anchor"] == 0.5
    assert "anchor" not in create("evolved").stages[0][1]


# -- stages -------------------------------------------------------------------------------------------------------


def test_stages_are_read_as_they_were_written(tmp_path):
    later = {**THREE, "hub": 0.3, "comm_in": 0.0}
    for name in ("w.toml", "w.json"):
        write_stages(tmp_path / name, [(0, THREE), (500, later)], "two stages")
        assert read_stages(tmp_path / name) == [(0, THREE), (500, later)]
        assert create(f"evolved:{tmp_path / name}").stages == [(0, THREE), (500, later)]


@pytest.mark.parametrize(
    ("stages", "said"),
    [
        ([], "'stages' is no list of tables"),
        ([{"after": 5, "weights": THREE}], "stages begin after .5. visits; whole numbers are needed, 0 first"),
        ([{"after": 0, "weights": THREE}] * 2, r"stages begin after \[0, 0\] visits"),
        ([{"after": 0.5, "weights": THREE}], "whole numbers are needed"),
        ([{"after": 0}], "the stage after 0 visits: the weight of hub is missing"),
    ],
)
def test_stages_that_make_no_sense_are_refused(tmp_path, stages, said):
    (tmp_path / "w.json").write_text(json.dumps({"stages": stages}))
    with pytest.raises(BadInput, match=said):
        read_stages(tmp_path / "w.json")
