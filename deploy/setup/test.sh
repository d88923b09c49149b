#!/usr/bin/env bash
# Runs every check and ends with one line: "N passed, N failed". Lint, types and build count as one check each.
# A failing check does not stop the others: one run shows everything that is wrong.
set -uo pipefail
cd "$(dirname "$0")/../.."

results=.cache/test
rm -rf "$results"
mkdir -p "$results"

# check NAME COMMAND...: runs it and writes its exit status down for the sum.
check() {
  local name=$1
  shift
  printf '\n== %s\n' "$name"
  local status=0
  "$@" || status=$?
  printf '%s' "$status" >"$results/$name.status"
}

suite() {
  check "$1" npx vitest run --project "$1" --passWithNoTests \
    --reporter=default --reporter=json --outputFile.json="$results/$1.json"
}

check lint npm run --silent lint
check types npm run --silent types
check build npm run --silent build
suite unit
suite contract
suite e2e

node deploy/setup/sum-results.mjs "$results"
