#!/bin/sh
# Fetches jars through Maven: fetch.sh POM DIRECTORY "EXPECTED_FILE ..." [MAVEN_OPTION ...]
# The directory appears with everything in it or not at all, so an interrupted fetch or two at once do no harm.
set -eu

pom=$1
target=$2
expected=$3
shift 3

if [ -e "$target/complete" ]; then exit 0; fi

# Absolute: Maven takes a relative path from the folder of its pom.xml.
mkdir -p "$(dirname "$target")"
parent=$(cd "$(dirname "$target")" && pwd)
target=$parent/$(basename "$target")
partial=$(mktemp -d "$parent/.partial-XXXXXX")
trap 'rm -rf "$partial"' EXIT
trap 'exit 130' HUP INT TERM

mvn -B -q -Dstyle.color=never -f "$pom" "-Doutput=$partial" "$@" generate-resources
for jar in $expected; do
  if [ ! -f "$partial/$jar" ]; then echo "Maven succeeded, but $jar is not there" >&2; exit 1; fi
done
touch "$partial/complete"

# mktemp makes a private folder; the jars are no secret, and another user's run may share the cache.
chmod 755 "$partial"
if [ -e "$target" ] && [ ! -e "$target/complete" ]; then rm -rf "$target"; fi
if [ ! -e "$target" ]; then
  mv "$partial" "$target"
  # Lost a race: the other fetch put its folder there first, and ours went into it.
  rm -rf "$target/$(basename "$partial")"
fi
