"""Results made by other code have other names."""

from apps.concierge import code_version as module
from apps.concierge.workflow import WORKFLOW
from apps.serving.workflow import fingerprint


def version_of(folder, monkeypatch) -> int:
    monkeypatch.setattr(module, "_HERE", folder)
    return module.code_version.__wrapped__()


def test_any_changed_or_renamed_module_changes_the_number_and_nothing_else_does(tmp_path, monkeypatch):
    part = tmp_path / "understand" / "reading.py"
    part.parent.mkdir()
    part.write_text("A = 1\n")
    first = version_of(tmp_path, monkeypatch)

    (tmp_path / "catalogue.csv").write_text("a;b")
    assert version_of(tmp_path, monkeypatch) == first
    part.write_text("A = 2\n")
    changed = version_of(tmp_path, monkeypatch)
    part.rename(part.with_name("read.py"))

    assert len({first, changed, version_of(tmp_path, monkeypatch)}) == 3


def test_the_number_is_part_of_every_stages_fingerprint():
    assert all(stage.code_version == module.code_version() for stage in WORKFLOW.stages)
    names = {fingerprint(WORKFLOW, stage, {}) for stage in WORKFLOW.stages}
    assert len(names) == len(WORKFLOW.stages)
