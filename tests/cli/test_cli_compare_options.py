"""The options of a comparison's design, held against the design itself."""

import dataclasses

from honeyguide.cli.compare_options import DesignOptions
from honeyguide.evaluate import Design


def test_every_part_of_a_design_has_an_option_with_its_default():
    options = {field.name: field.default for field in dataclasses.fields(DesignOptions)}
    assert options == {field.name: field.default for field in dataclasses.fields(Design)}


def test_a_design_takes_what_the_options_bring():
    assert Design(**dataclasses.asdict(DesignOptions())) == Design()
