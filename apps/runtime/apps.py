from django.apps import AppConfig


class RuntimeConfig(AppConfig):
    name = "apps.runtime"
    label = "runtime"
    verbose_name = "Runtime"

    def ready(self) -> None:
        from apps.runtime import checks  # noqa: F401 (importing registers them)
