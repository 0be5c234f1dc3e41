# Everything a newcomer needs: make demo, make test. Python 3.11+, a C++20 compiler and make are enough.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
NATIVE := CMakeLists.txt pyproject.toml $(wildcard native/*)
PIP    := -m pip install --quiet --disable-pip-version-check

# How long each sanitizer is fed, and which random cases it begins with.
FUZZ_SECONDS := 75
FUZZ_SEED    := 0
fuzz = LD_PRELOAD="$$($(CXX) -print-file-name=lib$(1).so) $$($(CXX) -print-file-name=libstdc++.so)" \
  build/$(1)/venv/bin/python tests/fuzz_native.py --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED) > build/$(1)/fuzz.log 2>&1 \
  || { tail -n 150 build/$(1)/fuzz.log; exit 1; }; tail -n 1 build/$(1)/fuzz.log

.PHONY: help demo test check test-slow test-studies test-debug sanitize lint format bench pages docs docs-serve reproduce graph clean \
  wheels test-wheels portable release-check
.DEFAULT_GOAL := help

help:            ## this list
	@grep -hE '^[a-z-]+: .*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-10s %s\n", $$1, $$2}'

demo: $(VENV)/installed   ## set up, then score the embedded example, and write a report of it
	@$(BIN)/tricolore demo --report build/report.html

test: $(VENV)/developing lint   ## set up, then lint, type-check and test
	$(BIN)/python -c "import tricolore._native"
	$(BIN)/pytest -m "not slow and not spark and not site and not study" --hypothesis-profile=quick --numprocesses logical --dist worksteal
	$(BIN)/pytest -m "spark and not slow" --numprocesses 0 tests/test_spark.py || [ $$? = 5 ]  # 5: there is no Spark here
	$(BIN)/pytest -m site --numprocesses 0 tests/test_site.py || [ $$? = 5 ]  # 5: 'make docs' has not been run

test-slow: $(VENV)/developing   ## the long checks: slow tests, and properties on more examples
	$(BIN)/pytest -m "slow or hypothesis" --numprocesses logical --dist worksteal

# One run collects everything once. What is marked exhaustive would take it beyond forty minutes on two cores.
check: $(VENV)/developing lint   ## what continuous integration tests: 'make test' and nearly all of 'make test-slow' in one run
	$(BIN)/pytest -m "not spark and not site and not study and not exhaustive" --numprocesses logical --dist worksteal
	$(BIN)/pytest -m spark --numprocesses 0 tests/test_spark.py || [ $$? = 5 ]  # 5: there is no Spark here
	$(BIN)/pytest -m site --numprocesses 0 tests/test_site.py || [ $$? = 5 ]  # 5: 'make docs' has not been run

test-studies: $(VENV)/developing   ## the studies of the documentation, computed anew (needs ../shared)
	$(BIN)/pytest -m study --numprocesses logical --dist worksteal

test-debug: build/debug/installed   ## all tests, with a core built without optimisation and with checks
	build/debug/venv/bin/python -c "import tricolore._native"
	build/debug/venv/bin/python -m pytest -m "not spark and not site and not study" --numprocesses logical --dist worksteal

# A report ends the process, and thereby this target; the log names the case and its seed.
sanitize: build/asan/installed build/tsan/installed   ## fuzz the core under sanitizers: memory, undefined behaviour, races (Linux, GCC)
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:handle_abort=1 UBSAN_OPTIONS=print_stacktrace=1 $(call fuzz,asan)
	TSAN_OPTIONS=halt_on_error=1:handle_abort=1:suppressions=tests/tsan_suppressions.txt $(call fuzz,tsan)

lint: $(VENV)/developing   ## formatting, lint, types, spelling and plain language
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/codespell README.md CONTRIBUTING.md CHANGELOG.md docs src website
	$(BIN)/python website/plain_language.py
	$(BIN)/clang-format --dry-run --Werror native/*.cpp native/*.hpp
	@mkdir -p build; export npm_config_fetch_retries=0; if npx --yes eslint@9 --version > build/eslint.log 2>&1; then \
	  npx --yes eslint@9 --config tests/javascript/eslint.config.mjs src/tricolore/reporting/assets tests/javascript; \
	else echo "eslint cannot be had (npx); the scripts of reports are not linted"; fi

format: $(VENV)/developing   ## put code into shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i native/*.cpp native/*.hpp

# ONLY="start mbr" runs some of them; 'python benchmarks/run.py --help' has their names.
bench: $(VENV)/developing   ## how fast beside the peers, with bars and goals; compare two commits with benchmarks/compare.py
	$(BIN)/python benchmarks/run.py $(if $(ONLY),--only $(ONLY)) --json build/bench-$$(git describe --always --dirty --exclude='*').json

pages: $(VENV)/developing   ## write what is made from the code: pages of docs/, the stub
	$(BIN)/python website/make.py
	$(BIN)/python release/share.py

# Set-up fetches the generator and the scripts of pages; building needs no network, and no warning is let through.
docs: $(VENV)/documenting   ## build the documentation site, strictly: build/site/index.html
	$(BIN)/python website/build_site.py

docs-serve: docs   ## show the site on http://127.0.0.1:8000 (PORT=...)
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory build/site $(PORT)

PORT := 8000

# A wheel for each of python3.11 to python3.14 that there is; Zig is the compiler, so that they run on any Linux since 2014.
wheels: $(BIN)/python   ## build dist/*.tar.gz and wheels for Linux (manylinux2014), without containers
	$(BIN)/python release/wheels.py $(if $(PYTHONS),--python $(PYTHONS))

test-wheels: $(BIN)/python   ## install each wheel of dist/ into a new environment without a compiler, and test it there
	$(BIN)/python release/test_wheels.py

portable: $(BIN)/python   ## compile the core for macOS and Windows, without linking (Zig)
	$(BIN)/python release/portable.py

release-check: $(BIN)/python   ## what must hold before a release: one version everywhere, a dated changelog, everything committed
	$(BIN)/python release/release.py --check

# Public data, which docs/reproduction/README.md lists; without them the target says what is missing, and where it is published.
DATA := ../shared/data
reproduce: $(VENV)/installed   ## compute the papers' tables and figures again: pages of docs/reproduction (DATA=folder of the data)
	OMP_NUM_THREADS=1 $(BIN)/python -m reproduce $(DATA)

graph: $(VENV)/installed   ## print which module imports which
	@$(BIN)/python tests/module_graph.py

clean:   ## remove what was built
	rm -rf $(VENV) build

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Tricolore needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP) --upgrade "pip>=25.1"

# The build tools live in the environment, so that a rebuild after a change takes seconds.
define install
	@echo "Setting up: the build tools, then the counting core ..."
	$(BIN)/python $(PIP) --group build
	$(BIN)/python $(PIP) --no-build-isolation --editable '.[judge,meteor,report,zstd]' --config-settings=cmake.define.TRICOLORE_WERROR=$(1)
endef

$(VENV)/installed: $(BIN)/python $(NATIVE)
	$(call install,OFF)
	@touch $@

# Warnings are errors for those who change the code, not for those who try it.
$(VENV)/developing: $(BIN)/python $(NATIVE)
	$(call install,ON)
	@echo "Setting up: test tools and peers ..."
	$(BIN)/python $(PIP) --group dev
	@touch $(VENV)/installed $@

$(VENV)/documenting: $(VENV)/developing pyproject.toml website/fetch_scripts.py
	$(BIN)/python $(PIP) --group docs
	$(BIN)/python website/fetch_scripts.py
	@touch $@

# The core built in other ways, each in an environment of its own that has everything else from $(VENV).
build/debug/installed: FLAGS := -O0 -g -D_GLIBCXX_ASSERTIONS
build/asan/installed: FLAGS := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -D_GLIBCXX_ASSERTIONS
build/tsan/installed: FLAGS := -O1 -g1 -fno-omit-frame-pointer -fsanitize=thread

build/%/installed: $(VENV)/developing $(NATIVE)
	@echo "Setting up: the counting core with $(FLAGS) ..."
	$(BIN)/python -m venv --without-pip build/$*/venv
	@$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
	  > $$(build/$*/venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/others.pth
	PATH="$(abspath $(BIN)):$$PATH" build/$*/venv/bin/python $(PIP) --no-build-isolation --no-deps --editable . \
	  --config-settings=build-dir=build/$*/{wheel_tag} --config-settings=cmake.build-type=Debug \
	  --config-settings=cmake.define.CMAKE_CXX_FLAGS_DEBUG="$(FLAGS)" \
	  --config-settings=cmake.define.CMAKE_DISABLE_PRECOMPILE_HEADERS=ON
	@touch $@
