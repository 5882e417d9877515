# Everything runs in .venv, which is made from requirements.lock and brought up to date when that file changes.
# Programs are run as modules: their scripts would not survive a folder that is renamed. The project's own command does.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv/bin/python
READY := .venv/.installed
COMMAND := .venv/bin/palimpsest
SET ?= locomo

.PHONY: help run test check lint types format migrate openapi bench bench-speed

help:  ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-11s %s\n", $$1, $$2 }' Makefile

# The stamp is a copy of the lock file, so that a mere change of time (a checkout, say) installs nothing.
$(READY): requirements.lock
	@cmp -s requirements.lock $@ || $(MAKE) --no-print-directory install
	@touch $@

.PHONY: install
install:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'Python 3.11 or newer is needed: make PYTHON=/path/to/python ...' >&2; exit 1; }
	@$(VENV) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv \
		|| { echo 'Python cannot make virtual environments here: install python3-venv or set PYTHON.' >&2; exit 1; }
	@echo 'Installing what requirements.lock names into .venv; this happens once.'
	@$(VENV) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@cp requirements.lock $(READY)

# A copy beside the right name, moved into its place: whoever runs the command meanwhile has the whole of it.
$(COMMAND): scripts/palimpsest | $(READY)
	@cp scripts/palimpsest $@.new && chmod 755 $@.new && mv $@.new $@

run: $(READY) $(COMMAND)  ## Serve everything with embedded stores, on 127.0.0.1:8080 unless PALIMPSEST_HOST and _PORT say otherwise
	@exec $(VENV) -m app serve --stop-with-parent

test: $(READY) $(COMMAND)  ## Run all tests, on real stores; ARGS goes to pytest
	@$(VENV) -m pytest $(ARGS)

check: lint types test  ## Run everything that CI runs

lint: $(READY)  ## Check style, format and the direction of imports
	@$(VENV) -m ruff check .
	@$(VENV) -m ruff format --check .
	@$(VENV) -c 'from importlinter.cli import lint_imports_command; lint_imports_command()'

types: $(READY)  ## Check types, strictly
	@$(VENV) -m basedpyright

format: $(READY)  ## Format the code and mend what can be mended
	@$(VENV) -m ruff format .
	@$(VENV) -m ruff check --fix .

migrate: $(READY)  ## Bring the database of DATABASE_URL, or the embedded one, to this version's schema
	@$(VENV) -m app migrate

openapi: $(READY)  ## Write docs/openapi.json
	@$(VENV) -m app openapi --write docs/openapi.json

bench: $(READY)  ## Measure recall on an evaluation set: make bench SET=locomo
	@$(VENV) -m bench recall --set "$(SET)"

bench-speed: $(READY)  ## Measure what requests cost beside a floor, in about a minute: docs/benchmarks.md
	@$(VENV) -m bench speed --quick $(ARGS)
