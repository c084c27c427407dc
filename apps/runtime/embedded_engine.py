"""The engine of a machine without one: a small model served by llama.cpp inside one process of ours.

Two models are to be had without any download at run time: the wheel's SmolLM2-135M-Instruct, and ours, merged from it
and the adapter in the repository (`embedded_model.py`).

Its HTTP server runs on threads of its own, so the process only has to stay alive and to end when told. The
settings were measured for one demand beside a few fills on two shared cores: docs/engine.md has the table.
"""

import importlib.metadata
import os
import signal
from dataclasses import dataclass
from typing import Any, NoReturn

from django.conf import settings

from apps.runtime import embedded_model
from apps.runtime.embedded_model import Weights

SERVER_PACKAGE = "xllamacpp"


class EngineNotInstalled(Exception):
    """The wheel of the embedded engine is missing, or cannot be loaded. Says which, and the command that mends it."""


class UnknownModel(Exception):
    """The embedded engine has no model of this name."""


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """threads       cores that compute; more than are free slow everything down, >= 1
    slots         requests that run at once, >= 1: with several, the sums of one depend on what else is in its batch,
                  and a greedy answer may differ; two cores answer four no later one after another
    slot_tokens   context of one slot, prompt and answer, tokens
    batch_tokens  prefill step, tokens: an abort and other requests' next tokens wait for one step
    shared_kv     one pool for all slots, in which a common prompt prefix is kept once
    prefix_cache  a slot keeps its last prompt, and a prompt that begins the same is read from where it differs: then
                  the rest is computed in other steps than the whole would be, and a greedy answer may differ
    cache_mib     memory for prompts that left their slot, MiB; 0 for none
    spins         how often a thread that waits for another looks before it sleeps, >= 0: a few keep two threads
                  together, many burn the cores that web, worker and Redis need
    flash_attention  faster for long contexts, but its sums depend on what else is in the batch, so that greedy
                  answers differ alone and beside others
    """

    threads: int = 2
    slots: int = 1
    slot_tokens: int = 2048
    batch_tokens: int = 64
    shared_kv: bool = False
    prefix_cache: bool = False
    cache_mib: int = 0
    spins: int = 1000
    flash_attention: bool = False


def weights(model: str) -> Weights:
    """The file of one of the two embedded models. Ours is merged now when that has not been done yet: some seconds.

    Raises `UnknownModel`, or `ModelNotMade`.
    """
    if model == settings.BASE_MODEL:
        path = embedded_model.base_weights()
        return Weights(path, embedded_model.digest(path))
    if model == settings.CONCIERGE_MODEL:
        return embedded_model.merged_weights(settings.MODELS_DIR)
    known = f"{settings.CONCIERGE_MODEL} or {settings.BASE_MODEL}"
    raise UnknownModel(f"the embedded engine has no model {model!r}; mend: ENGINE_MODEL={known}, or set ENGINE_URL")


def model_tags(digest: str) -> set[str]:
    """What the server is told to say about itself; it enters the names of results (`LlamaCppEngine.identity`)."""
    return {f"sha256:{digest}", f"{SERVER_PACKAGE}:{importlib.metadata.version(SERVER_PACKAGE)}"}


def server_params(host: str, port: int, options: EngineOptions, model: str) -> Any:
    """llama.cpp's own parameters. The import is here because OpenMP reads its wait policy when it is loaded."""
    os.environ["OMP_WAIT_POLICY"], os.environ["GOMP_SPINCOUNT"] = "PASSIVE", str(options.spins)
    try:
        import xllamacpp
    except ImportError as exc:
        mend = (
            "install the system package libgomp1 (libgomp)" if "gomp" in str(exc) else "pip install -r requirements.txt"
        )
        raise EngineNotInstalled(f"llama.cpp cannot be loaded ({exc}); mend: {mend}") from exc
    params = xllamacpp.CommonParams()
    served = weights(model)
    params.model.path = str(served.path)
    params.model_alias, params.model_tags = {model}, model_tags(served.digest)
    params.hostnames, params.port = [host], port
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = options.threads
    params.n_parallel = options.slots
    params.n_ctx = options.slots * options.slot_tokens
    params.n_batch = params.n_ubatch = options.batch_tokens
    params.kv_unified, params.cache_ram_mib = options.shared_kv, options.cache_mib
    params.cache_prompt = options.prefix_cache
    flash = xllamacpp.llama_flash_attn_type
    wanted = flash.LLAMA_FLASH_ATTN_TYPE_ENABLED if options.flash_attention else flash.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.flash_attn_type = wanted
    params.endpoint_metrics = params.endpoint_slots = params.endpoint_props = True
    params.ui, params.offline, params.fit_params, params.n_gpu_layers = False, True, False, 0
    params.verbosity = 0
    return params


def serve(host: str, port: int, model: str, options: EngineOptions | None = None) -> NoReturn:
    """Serve until SIGTERM or SIGINT, then end at once with status 0. port 0 lets the kernel choose.

    Raises `EngineNotInstalled`, `UnknownModel`, `ModelNotMade`, or RuntimeError when the address cannot be bound or
    the model not be loaded.
    """
    # While C++ loads the model no Python handler could run; the kernel's default ends the process at once.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    params = server_params(host, port, options or EngineOptions(), model)
    import xllamacpp

    server = xllamacpp.Server(params)
    stops = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, stops)
    for stop in stops:
        signal.signal(stop, leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, stops)
    print(f"engine: {model} on {server.listening_address}, slots: {params.n_parallel}", flush=True)
    while True:
        signal.pause()


def leave(number: int, frame: object) -> NoReturn:
    """Nothing is worth saving, and the server's own shutdown waits for running requests."""
    os._exit(0)
