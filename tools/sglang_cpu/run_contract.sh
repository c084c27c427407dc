#!/bin/bash
# Hold the engine contract against a real SGLang on this machine's CPU: install, unpack, start, test, stop.
#
# usage: run_contract.sh [PYTEST_OPTIONS…]
#
# DYNBRANCH_VAR  where it is installed (default ./var), about 3 GB; kept, so that a second run starts at once
# TEST_PYTHON    interpreter with the project's test requirements (default ./.venv/bin/python)
# READY_WITHIN_S seconds to wait for the server (default 420)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root"
folder=${DYNBRANCH_VAR:-$root/var}/sglang
python=${TEST_PYTHON:-$root/.venv/bin/python}
ready_within_s=${READY_WITHIN_S:-420}
mkdir -p "$folder"

bash "$here/install.sh" "$folder/environment" "$folder/model"

port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
url=http://127.0.0.1:$port
log=$folder/server.log
# In a session of its own, so that its scheduler and detokenizer can be stopped with it.
setsid bash "$here/serve.sh" "$folder/environment" "$folder/model" "$port" >"$log" 2>&1 &
server=$!

stop() {
  echo "sglang: stopping"
  kill -TERM -- "-$server" 2>/dev/null || true
  for _ in $(seq 50); do
    kill -0 -- "-$server" 2>/dev/null || return 0
    sleep 0.2
  done
  kill -KILL -- "-$server" 2>/dev/null || true
}
trap stop EXIT

echo "sglang: starting on $url, log in $log"
healthy() {
  "$python" -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=2)' "$url/health" 2>/dev/null
}
for ((waited = 0; ; waited += 2)); do
  healthy && break
  if ! kill -0 "$server" 2>/dev/null || ((waited > ready_within_s)); then
    echo "sglang: not ready; the end of its log:" >&2
    tail -20 "$log" | cut -c1-300 >&2
    exit 1
  fi
  ((waited % 10)) || echo "sglang: ${waited} s, not ready yet (about 60 s on two free cores)"
  sleep 2
done
echo "sglang: ready after ${waited} s"

CONTRACT_SGLANG_URL=$url "$python" -m pytest tests/contract/test_sglang.py -v "$@"

export ENGINE_URL=$url ENGINE_KIND=sglang ENGINE_MODEL=smollm2-135m-instruct
"$python" manage.py check_engine
if "$python" manage.py pick_check --help >/dev/null 2>&1; then
  "$python" manage.py pick_check
else
  echo "sglang: this version has no pick_check command, so no picks of the chat were played"
fi
