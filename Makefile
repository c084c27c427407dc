# The commands of DynBranch. Each does its own set-up, and is quick when nothing changed.
#   make run      start everything and print the address; Ctrl-C ends it
#   make test     every test, the browser tests too
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup setup-dev run test test-no-browser test-unit lint format contract-sglang think-time bench-library password clean

PY := .venv/bin/python
PYTEST := $(PY) -m pytest --durations=10 --timeout=300

help: ## this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 20

setup: ## make .venv and install what the product needs
	@tools/setup.sh

setup-dev:
	@tools/setup.sh dev

run: setup ## start everything and print the address; Ctrl-C ends it
	@exec $(PY) manage.py serve

test: setup-dev ## every test: unit, architecture, contract, integration, browser
	@chromium=$$(tools/ensure_browser.sh); echo "[test] browser: $$chromium"; \
	CHROMIUM="$$chromium" $(PYTEST) tests/unit tests/architecture tests/contract tests/integration tests/e2e

test-no-browser: setup-dev ## every test but those in a browser
	@echo "[test] without the browser tests (tests/e2e)"; \
	$(PYTEST) tests/unit tests/architecture tests/contract tests/integration

test-unit: setup-dev ## the tests that need seconds
	@$(PYTEST) tests/unit tests/architecture

lint: setup-dev ## ruff: rules and format
	@$(PY) -m ruff check . && $(PY) -m ruff format --check .

format: setup-dev
	@$(PY) -m ruff check --fix . ; $(PY) -m ruff format .

contract-sglang: setup-dev ## install and start the real SGLang on the CPU, and hold its adapter to the contract
	@bash tools/sglang_cpu/run_contract.sh

think-time: setup ## measure what think-time speculation saves (about half an hour)
	@$(PY) manage.py think_time --turns 60 --seed 7 --arms floor,c2 --json var/think_time.json

bench-library: setup ## measure the library beside GPTCache and diskcache (about a quarter of an hour, 6 GiB)
	@$(PY) -m pip install -q --no-deps -r requirements-bench.txt
	@$(PY) manage.py bench_library --json var/bench_library.json

password: setup ## set a new password for the staff user `operator`
	@$(PY) manage.py changepassword operator

clean: ## remove .venv, var (database, keys, logs) and collected static files
	@if [ -d var/run ] && [ -x $(PY) ]; then $(PY) manage.py stop; fi
	rm -rf .venv var staticfiles .pytest_cache .ruff_cache test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
