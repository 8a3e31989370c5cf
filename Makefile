# gridproof: what can be made. Needs Python 3.11 or newer, make and pip; everything else comes from the lock.
#
#   make PYTHON=python3.12 VENV=.venv-3.12 test    another Python, in an environment of its own

PYTHON ?= python3
VENV   ?= .venv
JOBS   ?= 2
# The longest tests wait more than they compute.
LONG_JOBS ?= 4
OTHER_PYTHONS ?= 3.12 3.13
RUNS   ?= 1000000
ESBUILD := .esbuild/node_modules/.bin/esbuild

BIN    := $(VENV)/bin
LOCK   := requirements/dev.txt
READY  := $(VENV)/.ready
PLUGIN := $(wildcard examples/lights_out/pyproject.toml)
CODE   := hatch_build.py src tests fuzz $(wildcard benchmarks) $(wildcard examples) $(wildcard docs)
PAGES  := src/gridproof/server/static tests/browser docs/assets
PYTEST := $(BIN)/pytest -n $(JOBS)
COVER  := --cov=src/gridproof/core --cov=src/gridproof/games --cov-report=
FAST   := $(PYTEST) --dist worksteal -m "not slow"
SLOW   := $(PYTEST) --dist worksteal -m "slow and not long"
MKDOCS := NO_MKDOCS_2_WARNING=1 DISABLE_MKDOCS_2_WARNING=true $(BIN)/mkdocs

unexport PYTHONDONTWRITEBYTECODE # or each of the processes that tests start would compile all modules again

.DEFAULT_GOAL := help
.PHONY: help setup demo check lint types arrows kernels fast test coverage test-all test-long test-beside test-peers test-idp test-ray test-minari test-openspiel mutants serve bundle dist docs docs-serve bench fuzz browser postgresql proxies model-checkers golden pictures screens tables lock clean

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(READY)  ## make the environment from the lock, once

$(READY): $(LOCK) pyproject.toml $(PLUGIN)
	@command -v $(PYTHON) >/dev/null || { echo "gridproof needs Python 3.11 or newer: there is no $(PYTHON) (say make PYTHON=...)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "gridproof needs Python 3.11 or newer: $(PYTHON) is $$($(PYTHON) --version 2>&1) (say make PYTHON=...)" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r $(LOCK)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
		--editable . $(patsubst %/pyproject.toml,--editable %,$(PLUGIN))
	@touch $@

demo: $(READY)  ## play and solve real levels, and write a report to step through
	@$(BIN)/python examples/demo.py

check: lint types arrows fast  ## the fast tests, style, types and arrows: under a minute

fast: $(READY)
	$(FAST)

lint: $(READY)  ## style of Python and of the page's modules
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/oxlint $(PAGES)
	$(BIN)/pytest -q tests/test_style.py

types: $(READY)  ## strict types
	$(BIN)/mypy $(CODE)

arrows: $(READY)  ## who may import whom
	$(BIN)/lint-imports --no-logo

# What only compiled code does is measured in a second run, in which kernels are plain Python.
SOKOBAN := $(addprefix tests/games/sokoban/,solver/test_solver.py solver/test_frozen_walls.py solver/test_pair_table.py kernel/test_kernel.py kernel/test_boards.py \
	feature_search/test_hotspots.py feature_search/test_macro_moves.py feature_search/test_tree_search.py feature_search/test_phase_search.py vicinity/test_search.py)
PLAIN := $(SOKOBAN) tests/search/test_two_bit_bfs.py tests/agreement

# What front ends do is not counted as coverage of the core and the games, and takes three times as long when it is measured.
FRONT := tests/server tests/terminal tests/cli tests/store tests/browser tests/pictures tests/mutants

kernels: $(READY)  ## compile the kernels of all games, as many games at once as there are jobs
	@printf '%s\n' sokoban twenty48 robots shiftit | xargs -n 1 -P $(JOBS) $(BIN)/gridproof warm

test: kernels fast  ## all tests but the longest
	$(SLOW)

coverage: $(READY)  ## the fast tests but those of front ends, and slow ones of the core and the games, with branch coverage of these
	$(FAST) $(COVER) $(FRONT:%=--ignore=%)
	$(SLOW) $(COVER) --cov-append tests/core tests/games
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(COVER) --cov-append -m "plain or not slow" -k "not robots and not twenty48 and not 4x2 and not placements and not won_position and not exhaustive_search_wins and not words_of_their_own and not as_the_pack_says" $(PLAIN)
	$(BIN)/coverage report --include='src/gridproof/core/*,src/gridproof/games/*' --fail-under=95

test-all: test-long test-beside $(OTHER_PYTHONS:%=test-%)  ## what `make test` leaves out, and fast tests on the other Pythons that are here

test-beside:  ## `test-peers`, `test-idp`, `test-ray`, `test-minari` and `test-openspiel` at once, since they wait for much
	$(MAKE) --no-print-directory -j 3 --output-sync test-peers test-idp test-ray test-minari test-openspiel

test-peers: .venv-peers/.ready  ## the prover beside Storm and TLC, and PDDL read by Fast Downward, in an environment over ours
	.venv-peers/bin/python -m pytest -n $(JOBS) tests/prove/test_peers.py tests/games/sokoban/formats/test_pddl.py

test-idp: .venv-idp/.ready  ## Shift It's theory in FO(.) read by IDP-Z3, in an environment over ours
	.venv-idp/bin/python -m pytest -n $(JOBS) tests/games/shiftit/claims/test_fodot.py

test-ray: .venv-ray/.ready  ## tasks on a Ray cluster of several nodes on this machine, in an environment over ours
	.venv-ray/bin/python -m pytest tests/jobs/test_ray_cluster.py

test-minari: .venv-minari/.ready  ## data sets read by Minari, in an environment over ours
	.venv-minari/bin/python -m pytest tests/agents/test_minari.py

test-openspiel: .venv-openspiel/.ready  ## games played and solved by OpenSpiel, in an environment over ours
	.venv-openspiel/bin/python -m pytest tests/envs/test_open_spiel.py

# What these need goes before what $(VENV) has, which they use, too.
.venv-peers/.ready .venv-idp/.ready .venv-ray/.ready .venv-minari/.ready .venv-openspiel/.ready: .venv-%/.ready: requirements/%.txt $(READY)
	test -x $(@D)/bin/python || $(BIN)/python -m venv $(@D)
	packages=$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))'); \
	echo "import site; site.addsitedir('$$packages')" > $$($(@D)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/beside.pth
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

test-long: $(READY)
	$(BIN)/pytest -n $(LONG_JOBS) --dist worksteal -m long

test-3.%: WHAT := kernels fast coverage
coverage-3.%: WHAT := kernels coverage
test-3.% coverage-3.%:
	@python=python3.$*; $$python --version >/dev/null 2>&1 || \
		python=$$(PYENV_VERSION=$$(pyenv whence $$python 2>/dev/null | tail -1) pyenv which $$python 2>/dev/null); \
	if [ -n "$$python" ]; then $(MAKE) --no-print-directory PYTHON="$$python" VENV=.venv-3.$* $(WHAT); \
	else echo "python3.$* is not here: its tests are left out"; fi

mutants: $(READY)  ## how many mutants the fast tests kill; N=300 SEED=7 ONLY='games/null/*' NEAR=1
	@nice $(BIN)/python -m tests.mutants --jobs $(JOBS) --number $(or $(N),100) --seed $(or $(SEED),0) --only '$(or $(ONLY),*)' \
		$(if $(RECORDED),--recorded '$(RECORDED)') $(if $(NEAR),--near)

serve: $(READY)  ## the games in a browser
	@$(BIN)/gridproof serve --open

bundle: $(READY) $(ESBUILD)  ## bundle the page's modules into one file, with esbuild from npm; the server runs without it, too
	@$(BIN)/python -m gridproof.server.bundle $(ESBUILD)

dist: $(READY) $(ESBUILD)  ## the wheel and the source archive, with the bundle, in dist/
	@ESBUILD="$(CURDIR)/$(ESBUILD)" $(BIN)/python -m build --no-isolation

$(ESBUILD):
	npm install --prefix .esbuild --no-audit --no-fund --save-exact esbuild@0.28.2

docs: $(READY)  ## the documentation site, in site/
	@$(MKDOCS) build --quiet --strict

docs-serve: $(READY)  ## the documentation site, as you write it
	@$(MKDOCS) serve

bench: $(READY)  ## measure the headline figures into benchmarks/RESULTS.md; ONLY="name --long": one, in full
	@$(BIN)/python benchmarks/run.py $(ONLY)

fuzz: $(READY)  ## fuzz the readers of texts with atheris; ONLY="sokoban/xsb ..." RUNS=1000000
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/fuzz.txt
	@$(BIN)/python -m fuzz.run $(ONLY) --runs $(RUNS)

browser:  ## install Chromium by apt, for the tests of the page
	apt-get update -qq && apt-get install -y -qq chromium
	-apt-get install -y -qq chromium-headless-shell

postgresql:  ## install PostgreSQL by apt, for the tests of the store that need it
	apt-get update -qq && apt-get install -y -qq postgresql

proxies:  ## install nginx and HAProxy by apt, for the tests of several machines
	apt-get update -qq && apt-get install -y -qq nginx-light haproxy

model-checkers:  ## install SPIN, and Java for TLC, by apt, for the test of exported models
	apt-get update -qq && apt-get install -y -qq spin gcc libc6-dev default-jre-headless

golden: $(READY)  ## record playthroughs, node counts, generated levels and first puzzles again; read the difference
	$(BIN)/python -m tests.golden.record
	$(BIN)/python docs/puzzles.py

pictures: $(READY)  ## draw the pictures of the documentation again
	$(BIN)/python docs/pictures.py

screens: $(READY)  ## take the screenshots of the page again, with Chromium
	$(BIN)/python docs/screens.py

tables: $(READY)  ## prove again what the documentation's tables, specifications and notebooks say
	$(BIN)/python docs/invariants.py
	$(BIN)/python docs/specifications.py
	$(BIN)/python docs/notebooks.py
	$(BIN)/python docs/levels_of_size.py
	$(BIN)/python docs/leaderboard.py --check

lock: $(READY)  ## choose versions of new dependencies; UPGRADE=--upgrade: of all again
	CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet $(UPGRADE) --extra dev --extra docs --strip-extras \
		--no-annotate --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --output-file $(LOCK) pyproject.toml

clean:  ## remove whatever was made, but for the environments
	rm -rf build dist site src/gridproof/server/static_bundle .fuzz .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests examples -name __pycache__ -type d -prune -exec rm -rf {} +
