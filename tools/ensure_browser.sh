#!/usr/bin/env bash
# Print the path of a Chromium that the browser tests can drive; install Debian's where that is possible.
set -euo pipefail

say() { printf '[browser] %s\n' "$*" >&2; }

if [ -n "${CHROMIUM:-}" ]; then
  [ -x "$CHROMIUM" ] || { say "CHROMIUM=$CHROMIUM is not a program that can be run."; exit 1; }
  printf '%s\n' "$CHROMIUM"
  exit
fi

find_browser() {
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
    command -v "$name" && return
  done
  return 1
}

find_browser && exit
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  say "no browser found: installing Debian's chromium (about 300 MB unpacked, once)"
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -q && apt-get install -y -q --no-install-recommends chromium; } >&2 </dev/null || say "apt-get failed."
  find_browser && exit
fi
say "The browser tests need Chromium or Chrome, and none was found."
say "Install one (Debian: sudo apt-get install chromium; Ubuntu, macOS: Google Chrome), or name it: make test CHROMIUM=/path/to/it"
say "Without one, run everything else: make test-no-browser"
exit 1
