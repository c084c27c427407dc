"""The product's settings, on parts of this test run only: pytest-django loads them before any conftest.

The Redis named here is started by `tests/conftest.py`; nothing of the caller's own environment is used or changed.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from apps.runtime.embedded_redis import new_address

TEST_REDIS = new_address()
TEST_FOLDER = Path(tempfile.mkdtemp(prefix="dynbranch-tests-"))
atexit.register(shutil.rmtree, TEST_FOLDER, ignore_errors=True)

for name in [n for n in os.environ if n.startswith("DYNBRANCH_") or n.startswith("ENGINE_") or n == "DATABASE_URL"]:
    del os.environ[name]
os.environ["REDIS_URL"] = TEST_REDIS.url
os.environ["DYNBRANCH_VAR"] = str(TEST_FOLDER)
os.environ["DYNBRANCH_SECRET_KEY"] = "for tests only: " + "k" * 50

from dynbranch_site.settings import *  # noqa: E402, F403

ALLOWED_HOSTS = ["*"]
STATIC_ROOT = TEST_FOLDER / "staticfiles"
STATIC_ROOT.mkdir()
# A file, not memory: threads and sockets of one test share it, and locks behave as they do in the product.
DATABASES["default"]["TEST"] = {"NAME": str(TEST_FOLDER / "tests.sqlite3")}  # noqa: F405
