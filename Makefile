# Everything goes through a virtual environment made from the hash-locked dependencies.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.locked
# pip brings uv, which brings the rest in a third of the time, by the certificates of the system as pip does; where uv
# cannot reach the index, pip does it all
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile
CORES := $(shell getconf _NPROCESSORS_ONLN)
DATA := $(or $(RACKLEDGER_DATA),$(if $(RACKLEDGER_HOME),$(RACKLEDGER_HOME)/data,data))

# what a process compiles the next one need not, whatever the environment says
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup run up dashboard site-sql test check lint types audit browser eval bench lock clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 20

setup: $(STAMP) ## make the virtual environment with the locked dependencies

$(STAMP): requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 to 3.13 is needed; say which with PYTHON=…" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@sed -n '/^uv==/,/# via/p' requirements.lock > $(VENV)/uv.txt
	$(PIP) --require-hashes -r $(VENV)/uv.txt
	$(BIN)/uv pip install --quiet --system-certs --python $(VENV) --require-hashes -r requirements.lock || $(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -qq -j 0 -x '/(tests?|moto|pip|setuptools|mypyc?|bokeh|pygments/lexers|dialects/(oracle|mssql))/|/scipy/(?!_lib/|special/)' $(VENV)/lib pipelines warehouse dashboard rackledger || true  # on every core
	@touch $(STAMP)

run: setup ## set up, capture what is new, build and publish the warehouse
	$(BIN)/rackledger run

up: run dashboard ## run, then serve

dashboard: setup ## serve the dashboard
	$(BIN)/rackledger dashboard

site-sql: ## DuckDB-WASM from npm, for the page of SQL of `rackledger site`
	@command -v npm >/dev/null || { echo "npm is needed: apt-get install npm" >&2; exit 1; }
	@mkdir -p $(DATA)/site-sql && cp deploy/site-sql/package.json deploy/site-sql/package-lock.json $(DATA)/site-sql/
	npm ci --prefix $(DATA)/site-sql --ignore-scripts --no-fund  # and says what the registry knows against them

test: setup browser ## all tests
	$(BIN)/pytest -n $$(($(CORES) + 1)) --dist loadfile --no-loadscope-reorder  # in the order of tests/order.py; pages are waited for

check: lint types audit test ## lint, types, audit and tests: what CI runs

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy $(if $(CI),--cache-dir=/dev/null)  # nothing reads what a clean clone would keep

audit: setup ## licences of the locked packages; known vulnerabilities where RACKLEDGER_ADVISORIES names a source
	$(BIN)/python .ci/audit.py

browser: ## the browser that the browser tests drive, from Debian's packages where that is allowed
	@sh .ci/browser

eval: setup ## precision and recall of the parsed text and of the claims, with the errors
	$(BIN)/pytest tests/eval --quiet --capture=no

bench: setup ## speed and size against named references
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[bench]"
	@for script in bench/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

lock: setup ## resolve requirements.lock anew
	$(BIN)/uv pip compile pyproject.toml --extra dev --extra deploy --generate-hashes --universal --python-version 3.11 \
	  --no-emit-index-url --no-header --no-strip-extras --upgrade --quiet --output-file requirements.lock

clean: ## remove the virtual environment and caches; archive and warehouse stay
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
