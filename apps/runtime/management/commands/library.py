import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.runtime.clock import now_ms
from apps.runtime.control import NotRunning
from apps.runtime.measurement import columns
from apps.runtime.operating import NotOneEntry, Operating, Wanted, list_row, summary
from apps.runtime.operating_store import checker, operating
from apps.serving.names import Json, ReuseName
from apps.stores.client import StoreError
from apps.stores.library_check import Report

FILTERS = ("namespace", "stage", "record")


class Command(BaseCommand):
    help = "Look at the library of completed results: inspect, list, delete, totals, check."
    requires_system_checks = []  # it needs Redis only, and says so itself when that is away

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        inspect = self._action(actions, "inspect", "everything known of one entry", self.inspect)
        inspect.add_argument("name", metavar="NAME", help="a whole reuse name, or the beginning of an input hash")
        listed = self._action(actions, "list", "entries, one a line", self.list)
        listed.add_argument("--limit", type=int, default=50, help="most entries shown (50)")
        delete = self._action(actions, "delete", "remove entries; what was made from them stays", self.delete)
        delete.add_argument("--name", help="a whole reuse name, or the beginning of an input hash")
        delete.add_argument("--yes", action="store_true", help="needed to delete by stage or namespace")
        for one in (listed, delete):
            one.add_argument("--namespace", help="entries of this namespace (tenant)")
            one.add_argument("--stage", help="entries of this stage: workflow/version/stage")
            one.add_argument("--record", help="entries that read this record, such as place:casa-luma")
        totals = self._action(actions, "totals", "how full the library is", self.totals)
        totals.add_argument("--namespace", help="and the demands of this namespace")
        check = self._action(actions, "check", "verify the whole structure, while it is used", self.check)
        check.add_argument("--repair", action="store_true", help="mend what is found")

    def _action(self, actions: Any, name: str, text: str, run: Callable[..., None]) -> ArgumentParser:
        parser: ArgumentParser = actions.add_parser(name, help=text, description=text)
        parser.add_argument("--json", metavar="FILE", help="write JSON there; - for standard output, and nothing else")
        parser.set_defaults(run=run)
        return parser

    def handle(self, *, run: Callable[..., None], **options: Any) -> None:
        try:
            run(**options)
        except (NotOneEntry, NotRunning) as exc:
            raise CommandError(str(exc)) from exc
        except StoreError as exc:
            raise CommandError(f"Redis cannot be reached, or refuses ({exc}): start it, or mend REDIS_URL") from exc

    # -- actions ----------------------------------------------------------------------------------

    def inspect(self, *, name: str, json: str | None, **options: object) -> None:
        library = operating()
        found = library.inspected(library.one(name))
        self._say(found, json, "\n".join(_lines(found)))

    def list(self, *, limit: int, json: str | None, **options: Any) -> None:
        if limit < 1:
            raise CommandError("--limit must be 1 or more")
        found = list(islice(operating().entries(_wanted(options)), limit))
        table = columns([list_row(facts) for facts in found]) if found else "no entry fits"
        self._say([summary(facts) for facts in found], json, table)

    def delete(self, *, name: str | None, yes: bool, json: str | None, **options: Any) -> None:
        wanted = _wanted(options)
        if name is None and wanted == Wanted():
            raise CommandError("say what to delete: --name, --record, --stage or --namespace")
        if name is None and wanted.record is None and not yes:
            raise CommandError("--stage and --namespace may remove many entries: add --yes, or narrow it by --record")
        library = operating()
        removed = library.delete(_chosen(library, name, wanted))
        self._say({"deleted": removed}, json, f"{removed} entries deleted")

    def totals(self, *, namespace: str | None, json: str | None, **options: object) -> None:
        found = operating().totals(namespace)
        self._say(found, json, "\n".join(_lines(found)))

    def check(self, *, repair: bool, json: str | None, **options: object) -> None:
        report = checker().run(repair=repair, now_ms=now_ms())
        self._say(report.as_json(), json, _told(report))
        if report.left:
            sys.exit(1)

    def _say(self, found: Json | Sequence[Json], target: str | None, text: str) -> None:
        if target == "-":
            self.stdout.write(json.dumps(found, indent=1))
            return
        self.stdout.write(text)
        if target:
            try:
                Path(target).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
            except OSError as exc:
                raise CommandError(f"--json {target}: {exc.strerror}; name a file that can be written") from exc


def _wanted(options: Mapping[str, Any]) -> Wanted:
    return Wanted(**{name: options[name] for name in FILTERS})


def _chosen(library: Operating, name: str | None, wanted: Wanted) -> Iterator[ReuseName]:
    if name is None:
        return (facts.name for facts in library.entries(wanted))
    facts = library.one(name)
    return iter([facts.name] if wanted.fits(facts) else [])


def _lines(found: Mapping[str, Json]) -> Iterator[str]:
    """One value a line; the items of a list of objects or lists below it."""
    for key, value in found.items():
        if isinstance(value, list):
            yield f"{key}:" if value else f"{key}: none"
            for item in value:
                parts = [f"{k} {v}" for k, v in item.items()] if isinstance(item, dict) else [str(p) for p in item]
                yield "    " + (", ".join(parts) or "made from nothing upstream")
        else:
            yield f"{key}: {value}"


def _told(report: Report) -> str:
    lines = [f"{'repaired' if one.repaired else 'FOUND'}: {one.what}" for one in report.findings]
    checked = ", ".join(f"{count} {kind}" for kind, count in report.checked.items())
    verdict = "clean" if not report.findings else f"{len(report.findings)} found, {len(report.left)} left"
    hints = ["run it with --repair to mend them"] if report.left else []
    if not report.totals:
        hints.append("the totals changed whenever they were added up: check again when the library is quieter")
    return "\n".join([*lines, f"library check: {verdict} ({checked})", *hints])
