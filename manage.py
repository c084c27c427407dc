#!/usr/bin/env python
"""Django's command line."""

import os
import sys

from django.core.management import execute_from_command_line
from environs import EnvError


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dynbranch_site.settings")
    try:
        execute_from_command_line(sys.argv)
    except EnvError as exc:
        sys.exit(f"A setting in the environment cannot be used. {exc}")


if __name__ == "__main__":
    main()
