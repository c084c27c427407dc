"""Results made by other code have other names."""

from pathlib import Path

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
    for folder in ("model_evaluation", "management", "migrations"):
        other = tmp_path / folder / "other.py"
        other.parent.mkdir()
        other.write_text("B = 1\n")
    assert version_of(tmp_path, monkeypatch) == changed
    part.rename(part.with_name("read.py"))

    assert len({first, changed, version_of(tmp_path, monkeypatch)}) == 3


def test_no_module_of_a_stage_imports_what_the_number_leaves_out():
    app = Path(module.__file__).parent
    stages = [path for path in app.rglob("*.py") if path.relative_to(app).parts[0] not in module._OTHER_WORK]

    for path in stages:
        assert not any(f"concierge.{folder}" in path.read_text() for folder in module._OTHER_WORK), path


def test_the_number_is_part_of_every_stages_fingerprint():
    assert all(stage.code_version == module.code_version() for stage in WORKFLOW.stages)
    names = {fingerprint(WORKFLOW, stage, {}) for stage in WORKFLOW.stages}
    assert len(names) == len(WORKFLOW.stages)
