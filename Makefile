# Two commands do everything on a fresh machine: `make demo` and `make test`.
.PHONY: help setup build demo test clean
.DEFAULT_GOAL := help

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile

setup: ## install what is missing: system packages, npm packages, Kafka's jars, dist/
	@deploy/setup/install.sh

build: setup ## build dist/ when sources are newer

demo: setup ## find the limit of a real 3-broker Kafka on this machine and draw the curve
	@node dist/src/cli/main.js demo

# dist/ is built by the tests themselves, as one of their checks.
test: ## run every check; ends with "N passed, N failed"
	@deploy/setup/install.sh --no-build
	@deploy/setup/test.sh

clean: ## end the local cluster; remove dist/, caches and its data (runs in .plimsoll/ stay)
	@if [ -f dist/src/cli/main.js ] && [ -d node_modules ]; then node dist/src/cli/main.js cluster down; fi
	@rm -rf dist coverage .cache
