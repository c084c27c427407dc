"""Which TCP ports can be bound now.

A port found free can be taken by another program before it is used; its user then fails to start and says so.
"""

import socket


class PortTaken(Exception):
    def __init__(self, host: str, port: int, mend: str) -> None:
        super().__init__(f"port {port} on {host} is taken by another program; {mend}")


def is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # As servers do: a port whose old connections linger in TIME_WAIT counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def free_port(host: str = "127.0.0.1") -> int:
    """A port that the kernel says is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def first_free(host: str, start: int, tries: int = 50) -> int:
    """The first free port from `start` on."""
    for port in range(start, start + tries):
        if is_free(host, port):
            return port
    raise PortTaken(host, start, f"and so are the next {tries - 1}: name a free one in DYNBRANCH_PORT")
