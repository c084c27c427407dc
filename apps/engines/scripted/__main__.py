"""`python -m apps.engines.scripted --port N`: serve until SIGTERM or Ctrl-C."""

import argparse
import asyncio
import signal

from apps.engines.scripted.server import ScriptedServer


async def serve(host: str, port: int, slots: int) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    server = ScriptedServer(slots)
    print(f"scripted engine on http://{host}:{await server.start(host, port)}, {slots} slots", flush=True)
    await stop.wait()
    await server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m apps.engines.scripted", description=__doc__)
    parser.add_argument("--port", type=int, required=True, help="0 for a free one, which is printed")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--slots", type=int, default=8)
    options = parser.parse_args()
    asyncio.run(serve(options.host, options.port, options.slots))


if __name__ == "__main__":
    main()
