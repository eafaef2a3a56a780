"""The docs: made from the code where they can be, and true where that can be checked."""

import pkgutil
import re
from pathlib import Path

import honeyguide
from honeyguide.cli.reference import reference

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGES.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_reference_is_what_the_code_says():
    assert (ROOT / "docs" / "reference.md").read_text() == reference(), "run: make docs"


def test_every_file_the_docs_point_to_exists():
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_package_has_its_line_in_the_architecture():
    text = (ROOT / "docs" / "architecture.md").read_text()
    for module in pkgutil.iter_modules(honeyguide.__path__):
        assert f"`{module.name}`" in text or module.name == "__main__", module.name
