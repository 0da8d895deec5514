# What a stranger runs: `make demo` does the main job, `make test` passes the tests, `make lab` opens JupyterLab.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lab lint format clean

demo: $(VENV)/.installed
	$(BIN)/refine-magic demo --out build/demo

test: $(VENV)/.dev
	$(BIN)/python tests/run.py $(TESTS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lab: $(VENV)/.lab
	$(BIN)/jupyter lab notebooks/01-quickstart.ipynb

clean:
	rm -rf build dist $(VENV)

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "refine-magic needs Python 3.10 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

$(VENV)/.lab: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[lab]'
	touch $@
