# Needs Python 3.11 or later with venv, make and the network once. The tests also use Node 20 or later with npm: the
# machine's, else one from PyPI in .venv/node.
# Everything goes into .venv, tests/hosts/node_modules and build; what is there already is not done again.
# The one thing beyond this folder, web servers for tests/hosts and Chromium for tests/site, is installed only in CI or
# with `make test HOSTS=1`. `make test HOSTS=none` tests as on a machine with only what README.md asks for.

ifeq ($(origin PYTHON),undefined)
PYTHON := $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
endif
VENV := .venv
NODE := tests/hosts/node_modules/.installed
WITH_NODE := PATH="$(CURDIR)/$(VENV)/node/bin:$$PATH"
PIP := $(VENV)/bin/python -m pip --disable-pip-version-check --no-input install --quiet
# The tests make and remove some hundred thousand files: in memory where there is room, which is several times faster.
MEMORY := $(if $(TMPDIR),,$(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 4000000 { print "/dev/shm" }'))
# Two more than there are processors, as far as four: tests wait, too, for servers and for browsers.
WORKERS := $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); echo $$((n < 3 ? n + 2 : 4)))
HOSTS ?= $(filter 1 true,$(CI))
# In CI a server that cannot be had does not stop the tests: those that need it fail, and all others are told of.
PROGRAMS = $(if $(filter none,$(HOSTS)),sh tests/hosts/programs.sh $(VENV)/programs,$(if $(filter 1 true,$(CI)),-)HOSTS=$(HOSTS) sh tests/hosts/install.sh)
# The generator starts some hundred times, and is compiled once.
PYTEST = $(if $(MEMORY),TMPDIR=$(MEMORY)) $(if $(filter none,$(HOSTS)),PATH="$(CURDIR)/$(VENV)/programs") HOSTS=$(HOSTS) \
	PYTHONDONTWRITEBYTECODE= $(VENV)/bin/pytest -n $(WORKERS) --dist worksteal
# The version of the tool that writes the locks: another one may write them otherwise.
UV := 0.13.9
COMPILE := $(VENV)/lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
	--generate-hashes --no-annotate --no-emit-index-url --custom-compile-command "make lock"

.PHONY: build environments lint check test test-all lock bundle dist bench clean

build: $(VENV)/.build
	$(VENV)/bin/registry build $(ARGS)
	@echo
	@echo 'Look at it:    $(VENV)/bin/registry serve'
	@echo 'and then:      curl http://127.0.0.1:8000/api/dashboard'
	@echo 'More commands: .venv/bin/registry --help'

# What tests run in: `make --jobs=2 environments` sets up both at once.
environments: $(VENV)/.test $(NODE)

lint: environments
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy

# While one writes: under a minute.
check: lint
	$(PYTEST) -m 'not slow' tests/unit $(ARGS)

# Before each push: twelve minutes on two cores, and finds nearly all that `make test-all` finds.
test: lint
	$(PROGRAMS)
	$(PYTEST) -m 'not slow' $(ARGS)

test-all: lint
	$(PROGRAMS)
	$(PYTEST) $(ARGS)

# By a tool in an environment of its own, so that what happens to be installed here decides nothing.
lock: | $(VENV)/bin/python
	$(VENV)/bin/python -m venv --clear $(VENV)/lock
	$(VENV)/lock/bin/python -m pip --disable-pip-version-check install --quiet 'uv==$(UV)'
	$(COMPILE) pyproject.toml --output-file requirements.txt
	$(COMPILE) pyproject.toml --extra cluster --constraints requirements.txt --output-file requirements-cluster.txt
	$(COMPILE) pyproject.toml --extra s3 --constraints requirements-cluster.txt --output-file requirements-s3.txt
	$(VENV)/bin/python -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); \
	print(*p["project"]["optional-dependencies"]["links"])' | $(COMPILE) - --output-file requirements-links.txt
	$(VENV)/bin/python -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); \
	print(*p["build-system"]["requires"], *(r for r in p["dependency-groups"]["dev"] if r.startswith("editables")), sep="\n")' | \
		$(COMPILE) - --constraints requirements.txt --output-file requirements-build.txt
	$(COMPILE) pyproject.toml --group dev --constraints requirements-cluster.txt \
		--constraints requirements-s3.txt --constraints requirements-links.txt --constraints requirements-build.txt \
		--output-file requirements-dev.txt
	$(COMPILE) --group node --output-file requirements-node.txt

# The scripts of the edge and of the site's pages, of their sources; they are committed, and tests/hosts/test_edge.py
# holds them equal.
bundle: $(NODE)
	$(WITH_NODE) node tests/hosts/bundle.mjs generator

# The wheel and the sdist of a release. Their bytes depend only on what is committed: hatchling fixes times, modes and order.
dist: $(VENV)/.build
	@changes=$$(git status --porcelain) && test -z "$$changes" || { echo "$$changes" >&2; \
		echo 'A release has only what is committed. Commit these changes, or set them aside: git stash -u' >&2; exit 1; }
	@version=$$($(VENV)/bin/python -m hatchling version) || exit 1; \
		grep -Eq "^## \[?$$(echo "$$version" | sed 's/[.]/[.]/g')\]?( |$$)" CHANGELOG.md || { \
		echo "CHANGELOG.md has no heading for version $$version. Add the line: ## $$version ($$(date -u +%F))" >&2; exit 1; }
	rm -rf dist
	git rev-parse HEAD > generator/_commit.txt
	unset SOURCE_DATE_EPOCH; $(VENV)/bin/python -m hatchling build --directory dist; status=$$?; \
		rm -f generator/_commit.txt; exit $$status
	$(VENV)/bin/python -m pip --disable-pip-version-check hash dist/*

# ARGS= measures everything, which takes about an hour, and writes docs/performance.md; see benchmarks/README.md.
bench: ARGS ?= --sizes 1000 --runs 3 --peers naive --out benchmarks/.cache/performance.md
bench: $(VENV)/.build
	$(VENV)/bin/python benchmarks/run.py $(ARGS)

clean:
	rm -rf $(VENV) build dist .registry tests/hosts/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# --- what is set up once, and again when its lock changes ---

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo 'No Python 3.11 or later was found. Install one, or say where it is: make build PYTHON=/path/to/python3' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo '$(PYTHON) is no Python 3.11 or later.' >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' || { echo '$(PYTHON) has no venv. On Debian and Ubuntu: apt-get install python3-venv' >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)

$(VENV)/.build: requirements.txt requirements-build.txt pyproject.toml generator/__init__.py LICENSE NOTICE.md $(wildcard LICENSES/*) | $(VENV)/bin/python
	$(PIP) --require-hashes -r requirements.txt -r requirements-build.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.test: requirements-dev.txt $(VENV)/.build
	$(PIP) --require-hashes -r requirements-dev.txt
	@touch $@

$(VENV)/.node: requirements-node.txt tests/hosts/node.sh | $(VENV)/bin/python
	@sh tests/hosts/node.sh $(VENV)/bin/python $(VENV)/node
	@touch $@

$(NODE): tests/hosts/package-lock.json | $(VENV)/.node
	cd tests/hosts && $(WITH_NODE) npm ci --no-audit --no-fund --loglevel=error
	@touch $@
