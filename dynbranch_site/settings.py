"""Every setting that the environment may change is read here, by name, and nowhere else."""

from pathlib import Path

import dj_database_url
from environs import Env, EnvError, validate

env = Env()
BASE_DIR = Path(__file__).resolve().parent.parent

# Files that running writes: database, keys, logs, pid and port files of the embedded parts.
VAR_DIR = Path(env.str("DYNBRANCH_VAR", str(BASE_DIR / "var")))

DEBUG = env.bool("DYNBRANCH_DEBUG", False)
SECRET_KEY = env.str("DYNBRANCH_SECRET_KEY", "")  # empty: runtime/checks.py refuses to serve
ALLOWED_HOSTS = env.list("DYNBRANCH_ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("DYNBRANCH_TRUSTED_ORIGINS", [])

# Outside parts. Empty means embedded; the process manager then sets these for its children.
REDIS_URL = env.str("REDIS_URL", "")
ENGINE_URL = env.str("ENGINE_URL", "")
ENGINE_KIND = env.str("ENGINE_KIND", "llamacpp", validate=validate.OneOf(["sglang", "vllm", "llamacpp", "openai"]))
# The models of the embedded engine: the wheel's own, and ours, merged from it and the adapter in models/concierge.
# Another engine that is not told of a model is taken to have the first: our prompts need our model.
BASE_MODEL, CONCIERGE_MODEL = "smollm2-135m-instruct", "dynbranch-concierge-135m"
ENGINE_MODEL = env.str("ENGINE_MODEL", BASE_MODEL if ENGINE_URL else CONCIERGE_MODEL)
ENGINE_API_KEY = env.str("ENGINE_API_KEY", "")
# How the concierge words its prompts: tersely, as our model was trained on them, or with instructions for any other.
PROMPTS = env.str(
    "DYNBRANCH_PROMPTS",
    "terse" if ENGINE_MODEL == CONCIERGE_MODEL else "instructed",
    validate=validate.OneOf(["terse", "instructed"]),
)
# Where merged weights are kept: about 150 MB, made once and again when the adapter changes.
MODELS_DIR = Path(env.str("DYNBRANCH_MODELS", str(BASE_DIR / "var" / "models")))
# Where `manage.py serve` listens. No port given: 8000, or the next free one; 0: any free one.
BIND_HOST = env.str("DYNBRANCH_HOST", "127.0.0.1")
BIND_PORT = env.int("DYNBRANCH_PORT", None, validate=validate.Range(min=0, max=65535))
DATABASE_URL = env.str("DATABASE_URL", "") or f"sqlite:///{VAR_DIR / 'dynbranch.sqlite3'}"

# The product's own switches.
SPECULATION = env.bool("DYNBRANCH_SPECULATION", True)
REUSE = env.bool("DYNBRANCH_REUSE", True)
XRAY = env.bool("DYNBRANCH_XRAY", False)  # the x-ray panel beside the chat; `make run` turns it on
MODE_CHOICE = env.bool("DYNBRANCH_MODE_CHOICE", False)  # clients may ask for an arm (race, evaluation)
FILL_SLOTS = env.int("DYNBRANCH_FILL_SLOTS", 8, validate=validate.Range(min=0, max=4096))
ENGINE_FILLS = env.int("DYNBRANCH_ENGINE_FILLS", 0, validate=validate.Range(min=0))  # per worker process; 0: no limit
FILL_KV_TOKENS = env.int("DYNBRANCH_FILL_KV_TOKENS", 8192, validate=validate.Range(min=0))
SHADOW_TTL_S = env.int("DYNBRANCH_SHADOW_TTL_S", 600, validate=validate.Range(min=1))
SHADOWS = env.int("DYNBRANCH_SHADOWS", 2_000, validate=validate.Range(min=1))
LIBRARY_ENTRIES = env.int("DYNBRANCH_LIBRARY_ENTRIES", 100_000, validate=validate.Range(min=1))
LIBRARY_MIB = env.int("DYNBRANCH_LIBRARY_MIB", 256, validate=validate.Range(min=0))

INSTALLED_APPS = [
    "daphne",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "apps.runtime",
    "apps.concierge",
    "apps.chat",
    "apps.console",
    "apps.evaluation",
]
MIDDLEWARE = [
    "dynbranch_site.security_headers.content_policy",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
# Installed workflows, and the sources of the records that they read (apps/runtime/probe.py, RecordSource).
DYNBRANCH_PROGRAMS = {"concierge": "apps.concierge.program.PROGRAM"}
DYNBRANCH_RECORD_SOURCES = ["apps.concierge.services.RECORD_SOURCE"]

ROOT_URLCONF = "dynbranch_site.urls"
ASGI_APPLICATION = "dynbranch_site.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

try:
    DATABASES = {"default": dj_database_url.parse(DATABASE_URL)}
except ValueError as exc:  # also ParseError and UnknownSchemeError; both may quote the password, so neither is shown
    raise EnvError(
        'Environment variable "DATABASE_URL" invalid: give e.g. postgresql://user:password@host/name'
    ) from exc
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # WAL lets readers go on beside the one writer; IMMEDIATE takes the write lock at BEGIN, so a
    # transaction that reads before it writes cannot fail half-way.
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 10,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL or "redis://127.0.0.1:6379/0"], "prefix": "dynbranch", "capacity": 500},
    }
}

CELERY_BROKER_URL = REDIS_URL or "redis://127.0.0.1:6379/0"
CELERY_TASK_DEFAULT_QUEUE = "fills"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Threads that only hand over and wait. More than one offer's actions: a full worker looks for messages once a second.
CELERY_WORKER_CONCURRENCY = env.int("DYNBRANCH_WORKER_CONCURRENCY", 8, validate=validate.Range(min=1))
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# With time limits: a broker that hangs must not hold the thread that queues a chain.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_keepalive": True,
    "health_check_interval": 5,
    "socket_connect_timeout": 1,
    "socket_timeout": 5,
}
CELERY_WORKER_ENABLE_REMOTE_CONTROL = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
SESSION_COOKIE_AGE = 180 * 24 * 3600
SESSION_COOKIE_SAMESITE = "Lax"
# Served over HTTPS alone, as the trusted origins say: then no cookie ever leaves over plain HTTP.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = bool(CSRF_TRUSTED_ORIGINS) and all(
    origin.startswith("https://") for origin in CSRF_TRUSTED_ORIGINS
)
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "dynbranch_site.plotly_finder.PlotlyFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "dynbranch_site.static_storage.HashedStorage"},
}
LOGIN_URL = "/admin/login/"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.str("DYNBRANCH_LOG_LEVEL", "INFO")},
    "loggers": {"django.channels.server": {"level": "WARNING"}, "httpx": {"level": "WARNING"}},
}
