"""Become one part of the product: `python child.py MANAGER_PID PROGRAM ARGUMENT…`.

On Linux the kernel then ends this process when its manager dies, however that happens. Elsewhere the next start
ends what is left (`orphans.py`). Run as a file, with the standard library only: it is on the way of every start.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main(argv: list[str]) -> None:
    manager_pid, program = int(argv[1]), argv[2:]
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != manager_pid:
        sys.exit("the manager ended while this part was starting")
    os.execvp(program[0], program)


if __name__ == "__main__":
    main(sys.argv)
