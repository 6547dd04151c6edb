# Everything sets itself up: Python 3.11 or newer is all that has to be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TOOLS := .tools
# A uv of one's own is used; else one is brought through pip, in a folder of the project.
UV := $(shell command -v uv 2>/dev/null || echo $(TOOLS)/bin/uv)
CONSTRAINTS := requirements/constraints.txt
RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev
MUTATION := $(VENV)/.mutation
REAL_MODEL := $(VENV)/.real-model
COURT := $(VENV)/.court
DOCS := $(VENV)/.docs
EXTRAS := .extras
# Compiled modules are kept whatever the shell is set to: without them every process compiles its libraries anew, seconds each.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo docs test test-slow faults month test-extras test-real coverage mutants marks law-figures lint bench bench-all format clean

demo: $(RUNTIME)
	$(BIN)/benchbar ablate offline-contract
	$(BIN)/benchbar run
	@printf '\nNext: open runs/model-jurisdiction-zh/report.html, or browse it with: %s/benchbar serve\n' $(BIN)
	@printf 'Your own questions: %s/benchbar start questions.xlsx, explained in docs/tutorial.md\n' $(BIN)

# The documentation's site in .site/html, readable without a server; a link that leads nowhere ends the build.
docs: $(DOCS)
	$(BIN)/python scripts/make_site.py

test: $(DEV)
	$(BIN)/pytest $(ARGS)

# What `make test` leaves out, to stay under ten minutes on two cores: simulations, kills, pages with long commands, and further languages,
# widths and themes of the same path. CI runs both.
test-slow: $(DEV)
	$(BIN)/pytest -m slow $(ARGS)

# What needs Ray or Inspect, in an environment of its own: Inspect's s3fs wants a botocore and an fsspec that are older than ours.
# One after the other: two Ray clusters on one machine take each other's clients down.
EXTRAS_TESTS := tests/docs/test_commands_run.py tests/cli/test_ray.py tests/reports/test_inspect.py
test-extras: $(EXTRAS)/.made
	$(EXTRAS)/bin/python -m pytest -n 0 $(EXTRAS_TESTS) -k "interchange or scaling or report.md or ray or inspect" $(ARGS)

# A small real model behind a real server: minutes on one core, no network once installed.
test-real: $(REAL_MODEL)
	BENCHBAR_REAL_MODEL=1 $(BIN)/pytest -n 0 tests/real $(ARGS)

# Which lines and branches of the rooms behind every figure their own tests reach; of all rooms with ARGS=tests, which takes
# a third longer than the tests alone.
CORE := statistics scoring ledger decisions
CORE_TESTS := tests/statistics tests/scoring tests/rag tests/ledger tests/reports/test_gate.py tests/reports/test_compare.py
coverage: $(DEV)
	$(BIN)/pytest --cov --cov-report= $(or $(ARGS),$(CORE_TESTS))
	$(BIN)/python scripts/coverage_by_room.py $(if $(ARGS),,$(CORE))

# Small changes to the program that no test notices: see docs/mutants.md.
mutants: $(MUTATION)
	$(BIN)/python scripts/mutants.py $(ARGS)

# Ten thousand simulated runs under power cuts, torn writes, full disks and a bad provider: docs/engine.md; ten minutes on two cores.
faults: $(DEV)
	$(BIN)/python scripts/simulate_faults.py $(ARGS)

# A month of whole runs: a thousand starts that are cancelled, a thousand that are killed, one that lasts a month; six minutes on one core.
month: $(DEV)
	$(BIN)/python scripts/simulate_month.py $(ARGS)

# How precise the rules are that mark guidance points: benchmarks/marks/README.md. ARGS=--errors shows wrong marks of `tune`.
marks: $(DEV)
	$(BIN)/python scripts/marks.py $(ARGS)

# The figures of docs/results-law.md that can be had from the public data, step by step, each within its limit: about four minutes on a
# quiet core. ARGS=--write renews the page, ARGS="--only court speed" runs some of them.
DATA := ../shared/data
LAW := .figures
law-figures: $(COURT)
	$(BIN)/python scripts/law_figures.py $(DATA) --law $(LAW) $(ARGS)

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/vulture
	$(BIN)/jactionlint --shellcheck=$(BIN)/shellcheck
	$(BIN)/zizmor --quiet --offline --strict-collection .github/workflows action.yml

# The engine's table: calls, start, report, memory, size. BENCHBAR_BEFORE=CHECKOUT puts an earlier state beside it.
bench: $(DEV)
	$(BIN)/python benchmarks/engine_table.py $(ARGS)

# Every benchmark, each for at most twenty minutes: hours in all.
bench-all: $(DEV)
	for script in benchmarks/*.py; do echo "== $$script"; timeout 1200 $(BIN)/python $$script || echo "ended with $$?"; done

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) $(TOOLS) $(EXTRAS) .site .mutants .figures .coverage* .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(TOOLS)/bin/uv:
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check uv

$(RUNTIME): pyproject.toml $(CONSTRAINTS) | $(UV)
	test -d $(VENV) || $(UV) venv --quiet --python $(PYTHON) $(VENV)
# With the web app: what the demonstration prints last is how to browse what it made.
	$(UV) pip install --quiet --python $(BIN)/python -c $(CONSTRAINTS) -e ".[web]"
	touch $@

$(DEV): $(RUNTIME)
	$(UV) pip install --quiet --python $(BIN)/python -c $(CONSTRAINTS) -e ".[web]" --group dev
	{ command -v initdb || ls /usr/lib/postgresql/*/bin/initdb; } >/dev/null 2>&1 || \
		$(UV) pip install --quiet --python $(BIN)/python -c $(CONSTRAINTS) --group postgresql-server || \
		echo "no PostgreSQL for the tests here: they will skip"
	touch $@

$(EXTRAS)/.made: pyproject.toml $(CONSTRAINTS) | $(UV)
	test -d $(EXTRAS) || $(UV) venv --quiet --python $(PYTHON) $(EXTRAS)
	grep -vE '^(botocore|fsspec|huggingface-hub|tokenizers)==' $(CONSTRAINTS) > $(EXTRAS)/constraints.txt
	$(UV) pip install --quiet --python $(EXTRAS)/bin/python -c $(EXTRAS)/constraints.txt -e ".[web,inspect,ray]" --group dev
	touch $@

$(DOCS): $(DEV)
	$(UV) pip install --quiet --python $(BIN)/python -c $(CONSTRAINTS) --group docs
	touch $@

$(REAL_MODEL): $(DEV)
	$(UV) pip install --quiet --python $(BIN)/python -c $(CONSTRAINTS) --group real-model
	touch $@

$(COURT): $(DEV)
	$(UV) pip install --quiet --python $(BIN)/python -c $(CONSTRAINTS) --group court
	touch $@

$(MUTATION): $(DEV)
	$(UV) pip install --quiet --python $(BIN)/python -c $(CONSTRAINTS) --group mutation
	touch $@
