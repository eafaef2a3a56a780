# Two commands do everything, set-up included: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: demo test lint types check bench bench-live kill leaderboard reuse table docs site links replay clean

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "honeyguide needs Python 3.11 or newer; try: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)
	PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $(READY)

# DEMO: further options, such as --topic sailing.
demo: $(READY)
	$(BIN)/honeyguide demo -o demo $(DEMO)

test: $(READY)
	$(BIN)/pytest -n auto

lint: $(READY)
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/ruff format --check src tests benchmarks examples
	$(BIN)/lint-imports

types: $(READY)
	$(BIN)/mypy

check: test lint types

bench: $(READY)
	$(BIN)/python -m benchmarks

reuse: $(READY)
	$(BIN)/python -m benchmarks.reuse synthetic intelligent 150

bench-live: $(READY)
	$(BIN)/python -m benchmarks.live
	$(BIN)/python -m benchmarks.isolation
	$(BIN)/python -m benchmarks.memory

kill: $(READY)
	$(BIN)/python -m benchmarks.kill

table: $(READY)
	$(BIN)/honeyguide compare synthetic

# WEBS: stored webs beside the generated ones. Hours; interrupted, it goes on.
leaderboard: $(READY)
	$(BIN)/honeyguide compare --suite -o leaderboard $(WEBS)
	$(BIN)/honeyguide compare --suite --ablations -o ablations $(WEBS)
	cat leaderboard/leaderboard.md ablations/ablations.md > docs/leaderboard.md

clean:
	rm -rf $(VENV) demo build dist site

docs: $(READY)
	$(BIN)/python -m honeyguide.cli.reference > docs/reference.md
	$(BIN)/python -m honeyguide.cli.tables_page docs/format.md

# The docs as a site, in site/; broken links and anchors are errors.
site: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict  # not --quiet: what is not told is not counted

# Asks every page elsewhere that the docs link to whether it is still there; needs the web.
links: $(READY)
	$(BIN)/python -m benchmarks.links

# Opens an export in ReplayWeb.page itself, which comes from npm; needs an installed Chromium.
replay: $(READY)
	$(BIN)/python -m benchmarks.replay
