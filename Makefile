# Everything a newcomer needs: make demo, make test. Python 3.11+, a C++20 compiler and make are enough.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
NATIVE := CMakeLists.txt pyproject.toml $(wildcard native/*)

.PHONY: help demo test test-slow lint format bench docs clean
.DEFAULT_GOAL := help

help:            ## this list
	@grep -hE '^[a-z-]+: .*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-10s %s\n", $$1, $$2}'

demo: $(VENV)/installed   ## set up, then score the embedded example
	@$(BIN)/tricolore demo

test: $(VENV)/developing lint   ## set up, then lint, type-check and test
	$(BIN)/python -c "import tricolore._native"
	$(BIN)/pytest -m "not slow" --numprocesses logical --dist worksteal

test-slow: $(VENV)/developing   ## the long checks
	$(BIN)/pytest -m slow

lint: $(VENV)/developing   ## formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror native/*.cpp native/*.hpp

format: $(VENV)/developing   ## put code into shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i native/*.cpp native/*.hpp

bench: $(VENV)/developing   ## how fast beside the peers, as ratios
	$(BIN)/python benchmarks/run.py

docs: $(VENV)/developing   ## write docs/cli.md and docs/metrics.md anew from the code
	$(BIN)/python docs/make.py

clean:   ## remove what was built
	rm -rf $(VENV) build

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Tricolore needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"

# The build tools live in the environment, so that a rebuild after a change takes seconds.
$(VENV)/installed: $(BIN)/python $(NATIVE)
	@echo "Setting up: the build tools, then the counting core ..."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group build
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --editable .
	@touch $@

$(VENV)/developing: $(VENV)/installed pyproject.toml
	@echo "Setting up: test tools and peers ..."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	@touch $@
