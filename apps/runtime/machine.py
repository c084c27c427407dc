"""Where a measurement was made."""

import os
import platform
from dataclasses import dataclass
from pathlib import Path

import psutil


@dataclass(frozen=True, slots=True)
class Machine:
    """cores: those that this process may use. memory_bytes: of the whole machine."""

    cores: int
    model: str
    memory_bytes: int
    python: str
    system: str


def this_machine() -> Machine:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return Machine(
        cores=usable,
        model=processor(),
        memory_bytes=psutil.virtual_memory().total,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()}",
    )


def processor() -> str:
    """The processor's own name where the kernel tells it, else its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()
