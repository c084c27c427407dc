from importlib.util import find_spec
from pathlib import Path

from django.contrib.staticfiles.finders import BaseStorageFinder
from django.core.files.storage import FileSystemStorage

FILE = "plotly.min.js"


class PlotlyFinder(BaseStorageFinder):
    """Serves Plotly's own `plotly.min.js`, and nothing else of the package, as `plotly/plotly.min.js`."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        spec = find_spec("plotly")  # found without importing it: that would cost every command its start-up time
        if spec is None or not spec.submodule_search_locations:
            raise ModuleNotFoundError("plotly is not installed: pip install -r requirements.txt")
        storage = FileSystemStorage(Path(spec.submodule_search_locations[0]) / "package_data")
        storage.prefix = "plotly"
        super().__init__(storage, *args, **kwargs)

    def find(self, path: str, find_all: bool = False, **kwargs: object) -> str | list[str]:
        if path != f"{self.storage.prefix}/{FILE}":
            return []
        found = self.storage.path(FILE)
        return [found] if find_all else found

    def list(self, ignore_patterns: object) -> "list[tuple[str, FileSystemStorage]]":
        return [(FILE, self.storage)]
