#!/usr/bin/env bash
# Brings a fresh clone to where Plimsoll runs: system packages, npm packages, Kafka's jars, dist/.
# Each part is looked at first and done only when it is missing or out of date, so a second run takes a second.
set -euo pipefail
cd "$(dirname "$0")/../.."

mkdir -p .cache/setup

# Tests bring their build and need some packages more.
is_for_tests=
if [[ ${1:-} == --no-build ]]; then is_for_tests=yes; fi

# Jobs in the background do not see Ctrl-C: nothing may go on behind the prompt.
background=()
end_background() {
  local job
  for job in "${background[@]+"${background[@]}"}"; do kill "$job" 2>/dev/null || true; done
}
trap end_background EXIT

log=.cache/setup/install.log
: >"$log"

say() { printf '%s\n' "$*"; }
fail() { printf 'plimsoll: %s\n' "$*" >&2; exit 1; }

# Runs a long step quietly; its output is shown when it fails.
quietly() {
  local step_log=".cache/setup/$1.log" begin=$SECONDS
  shift
  if "$@" >"$step_log" 2>&1; then
    cat "$step_log" >>"$log"
    say "  done in $((SECONDS - begin)) s"
  else
    tail -n 40 "$step_log" >&2
    fail "this step failed: $* (all of its output: $step_log)"
  fi
}

require_node() {
  local how='install Node 20.19 or later from https://nodejs.org/en/download or with your version manager (nvm install 20)'
  command -v node >/dev/null && command -v npm >/dev/null || fail "Node is missing: $how."
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
    fail "Node $(node --version) is too old: $how."
}

has_java() {
  local banner
  banner=$(java -version 2>&1) || return 1
  [[ $banner =~ version\ \"([0-9]+) ]] && ((BASH_REMATCH[1] >= 17))
}

has_header() { printf '#include <%s>\n' "$1" | c++ -E -x c++ - >/dev/null 2>&1; }

# Prints the apt package of everything that is missing; node-rdkafka and better-sqlite3 are compiled here.
missing_packages() {
  command -v make >/dev/null || echo make
  command -v c++ >/dev/null || echo g++
  command -v python3 >/dev/null || echo python3
  command -v pkg-config >/dev/null || echo pkg-config
  has_header openssl/ssl.h || echo libssl-dev
  has_header zlib.h || echo zlib1g-dev
  has_header zstd.h || echo libzstd-dev
  has_header sasl/sasl.h || echo libsasl2-dev
  has_java || echo openjdk-17-jre-headless
  command -v mvn >/dev/null || echo maven
  [[ -n ${REDIS_URL:-} ]] || command -v redis-server >/dev/null || echo redis-server
  if [[ -n $is_for_tests ]]; then
    command -v prometheus >/dev/null || echo prometheus
    command -v openssl >/dev/null || echo openssl
  fi
}

as_root() {
  if [[ $(id -u) == 0 ]]; then "$@"; else sudo -n "$@"; fi
}

apt_install() {
  # A list that is out of date is the usual reason for a package that cannot be fetched.
  as_root apt-get update || return
  local package packages=()
  for package in "$@"; do
    # Debian 13 has Java 21 only; the default of older releases can be Java 11.
    if [[ $package == openjdk-17-jre-headless ]] && ! apt-cache show "$package" >/dev/null 2>&1; then
      package=default-jre-headless
    fi
    packages+=("$package")
  done
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}" || return
  # Tests start servers of their own: the one that the package starts would only scrape itself.
  if [[ " ${packages[*]} " == *' prometheus '* ]] && command -v systemctl >/dev/null; then
    as_root systemctl disable --now prometheus >/dev/null 2>&1 || true
  fi
}

brew_install() {
  local formula formulas=()
  for formula in "$@"; do
    case $formula in
      openjdk-17-jre-headless) formulas+=(openjdk@17) ;;
      libssl-dev | openssl) formulas+=(openssl@3) ;;
      libzstd-dev) formulas+=(zstd) ;;
      redis-server) formulas+=(redis) ;;
      maven | pkg-config | make | prometheus) formulas+=("$formula") ;;
      python3) formulas+=(python) ;;
      g++ | zlib1g-dev | libsasl2-dev) ;; # part of the Xcode command line tools
    esac
  done
  ((${#formulas[@]} == 0)) || brew install "${formulas[@]}"
}

# Homebrew keeps these apart from what compilers and shells search.
use_brew_folders() {
  local prefix
  prefix=$(brew --prefix)
  export CPATH="$prefix/include:$prefix/opt/openssl@3/include${CPATH:+:$CPATH}"
  export LIBRARY_PATH="$prefix/lib:$prefix/opt/openssl@3/lib${LIBRARY_PATH:+:$LIBRARY_PATH}"
  export PATH="$PATH:$prefix/opt/openjdk@17/bin"
}

install_packages() {
  local package missing=()
  if [[ $(uname) == Darwin ]] && command -v brew >/dev/null; then use_brew_folders; fi
  # A loop, for macOS has bash 3, which has no mapfile.
  while IFS= read -r package; do missing+=("$package"); done < <(missing_packages)
  ((${#missing[@]} > 0)) || return 0
  local announcement="Installing ${missing[*]} (usually under 2 minutes) ..."
  if command -v apt-get >/dev/null && { [[ $(id -u) == 0 ]] || sudo -n true 2>/dev/null; }; then
    say "$announcement"
    quietly packages apt_install "${missing[@]}"
  elif [[ $(uname) == Darwin ]] && command -v brew >/dev/null; then
    command -v c++ >/dev/null || fail 'the compiler is missing: run xcode-select --install.'
    say "$announcement"
    quietly packages brew_install "${missing[@]}"
  else
    fail "install these first (Debian and Ubuntu names): ${missing[*]}"
  fi
  package=$(missing_packages | tr '\n' ' ')
  [[ -z $package ]] || fail "installed, yet not found: $package(is it on the PATH?)"
}

npm_stamp() { printf '%s %s' "$(cksum <package-lock.json)" "$(node -p 'process.versions.modules + process.platform + process.arch')"; }

natives_load() { node -e 'require("node-rdkafka"); new (require("better-sqlite3"))(":memory:").close()' >/dev/null 2>&1; }

npm_is_current() {
  local stamp=node_modules/.plimsoll-setup
  if [[ -f $stamp ]]; then [[ $(cat "$stamp") == "$(npm_stamp)" ]]; return; fi
  # Installed by hand: good when it is not older than the lock file and what was compiled loads.
  [[ -f node_modules/.package-lock.json && ! package-lock.json -nt node_modules/.package-lock.json ]] && natives_load
}

# The two that are compiled share no files, so they compile side by side: 80 s in place of 130 on two cores. Inside
# node-rdkafka make must not run in parallel (its rule for librdkafka/config.h has no maker then), hence no JOBS.
npm_install() {
  unset JOBS MAKEFLAGS MFLAGS MAKELEVEL
  npm ci --ignore-scripts --no-audit --no-fund || return
  npm rebuild better-sqlite3 &
  local sqlite=$!
  background+=("$sqlite")
  local status=0
  npm rebuild node-rdkafka || status=$?
  wait "$sqlite" || status=$?
  ((status == 0)) || return "$status"
  natives_load
}

install_npm() {
  if ! npm_is_current; then
    say 'Installing npm packages and compiling librdkafka and SQLite (usually 2 to 5 minutes) ...'
    quietly npm npm_install
  fi
  npm_stamp >node_modules/.plimsoll-setup
}

build() {
  if [[ -f dist/.built && -z $(find boundary charts src workers package.json package-lock.json tsconfig.json tsconfig.build.json -newer dist/.built -print -quit) ]]; then
    return
  fi
  say 'Building dist/ (a few seconds) ...'
  # The time of the start counts: a file that is saved during the build is built next time.
  touch .cache/setup/build-began
  quietly build npm run build
  touch -r .cache/setup/build-began dist/.built
}

kafka_version=$(sed -n 's/.*<kafka.version>\(.*\)<\/kafka.version>.*/\1/p' deploy/local/pom.xml)
jars=.cache/jars/$kafka_version

require_node
install_packages
jars_job=
if [[ ! -e $jars/complete ]]; then
  say "Fetching Kafka $kafka_version through Maven in the meantime (54 MB, usually half a minute) ..."
  sh deploy/local/fetch-jars.sh "$kafka_version" "$jars" >.cache/setup/jars.log 2>&1 &
  jars_job=$!
  background+=("$jars_job")
fi
install_npm
if [[ -n $jars_job ]]; then
  wait "$jars_job" || { tail -n 20 .cache/setup/jars.log >&2; fail 'Maven could not fetch Kafka (is the network up?); all of its output: .cache/setup/jars.log'; }
fi
if [[ -z $is_for_tests ]]; then build; fi
