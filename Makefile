# The whole project in a few commands; `make` alone lists them.
.DEFAULT_GOAL := help
.PHONY: help install up test check lint bench faults lock clean
PYTHON ?= python3
BIN := .venv/bin
DEMO ?= --demo

help:            ## show this list
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:[^#]*##/\t/'

.venv/installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Kiebitz needs Python 3.11 or newer: make PYTHON=python3.12")'
	@start=$$(date +%s); \
	 test -x $(BIN)/python || $(PYTHON) -m venv .venv; \
	 $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock && \
	 $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . && \
	 $(BIN)/python -m compileall -q src/kiebitz && \
	 echo "installed in $$(( $$(date +%s) - start )) s"
	@touch $@

install: .venv/installed  ## environment in .venv

up: install      ## crawl the demo web (make up DEMO= works on your own home)
	@$(BIN)/kiebitz up $(DEMO)

test: lint       ## lint, types, all tests
	@$(BIN)/python -m pytest -n 2 --dist loadfile

check: lint      ## lint, types, architecture
	@$(BIN)/python -m pytest -q tests/architecture

lint: install
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy

bench: install   ## what a page costs, beside the peers (installs them once)
	@bench/peers/setup
	@$(BIN)/python bench/crawl.py
	@$(BIN)/python bench/growth.py
	@$(BIN)/python bench/startup.py

faults: install  ## the full sizes: 30 kills, 200 hosts x 100 pages, long property runs
	@KIEBITZ_FAULTS=1 $(BIN)/python -m pytest tests/faults tests/property tests/acceptance/test_complete_and_polite.py

lock:            ## resolve the dependencies anew
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --group dev pyproject.toml -o requirements.lock

clean:           ## remove the environment
	rm -rf .venv
