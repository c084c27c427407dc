#!/bin/bash
# Serve the unpacked model with SGLang in the foreground, on 127.0.0.1. Ready after about a minute: GET /health.
#
# usage: serve.sh ENVIRONMENT_DIR MODEL_DIR PORT [MORE_SGLANG_OPTIONS…]
set -euo pipefail
environment=$1
model=$2
port=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)

export SGLANG_USE_CPU_ENGINE=1
export HF_HUB_OFFLINE=1 TRANSFORMERS_OFFLINE=1
# One instruction set for the matrix library, whatever the batch: equal inputs then give equal sums.
export MKL_CBWR=AVX2

# The reference attention and sampling run anywhere. Small prefill chunks let an abort in a prefill through early; a
# metric and a load snapshot at every decode step make running counts current; priorities are on because fills go below demands.
exec "$environment/bin/python" "$here/launch.py" \
  --model-path "$model" --served-model-name smollm2-135m-instruct --host 127.0.0.1 --port "$port" \
  --device cpu --dtype float32 --attention-backend torch_native --sampling-backend pytorch --grammar-backend xgrammar \
  --disable-overlap-schedule --chunked-prefill-size 256 --context-length 2048 --max-running-requests 8 \
  --max-total-tokens 16384 --mem-fraction-static 0.3 --enable-priority-scheduling \
  --enable-metrics --enable-cache-report --decode-log-interval 1 --load-snapshot-publish-interval 1 "$@"
