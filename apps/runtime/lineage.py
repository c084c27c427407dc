"""What the stages of one run were answered with, so that what is made from them is kept with its provenance. §3.2"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from apps.serving.names import ReadSet, ReuseName, merged_reads
from apps.serving.outcomes import Result
from apps.serving.workflow import StageCall


@dataclass(frozen=True, slots=True)
class Step:
    """One stage that is done.

    name   under which its result may be held; None for what has no name, or happens only once
    reads  its own and those of everything above it
    """

    name: ReuseName | None
    reads: ReadSet


@dataclass(frozen=True, slots=True)
class Lineage:
    """steps  stage name -> how it was answered, oldest first"""

    steps: Mapping[str, Step] = field(default_factory=dict)

    def after(self, call: StageCall, name: ReuseName | None, result: Result) -> "Lineage":
        """With one more stage done, whoever made its result."""
        step = Step(name if call.stage.speculable else None, merged_reads(result.inherited, result.reads))
        return Lineage({**self.steps, call.stage.name: step})

    def knows(self, call: StageCall) -> bool:
        """False where the call uses a stage that this run has not done, or that was forgotten: nothing is known of
        its provenance then, and its result must not be kept."""
        return call.uses is None or all(stage in self.steps for stage in call.uses)

    def upstream(self, call: StageCall) -> tuple[ReuseName, ...]:
        """The names that its input was made from, each once."""
        return tuple(dict.fromkeys(step.name for step in self._used(call) if step.name is not None))

    def inherited(self, call: StageCall) -> ReadSet:
        """What everything above its input has read, named or not."""
        reads: ReadSet = {}
        for step in self._used(call):
            reads = merged_reads(reads, step.reads)
        return reads

    def completed(self, call: StageCall, own: Result) -> Result:
        """What a stage returned, with its provenance. `own.reads` holds what the stage itself read.

        A write cannot reach it through a stage without a name: what that one had read counts as read here.
        """
        reads = own.reads
        for step in self._used(call):
            if step.name is None:
                reads = merged_reads(step.reads, reads)
        return replace(own, reads=reads, upstream=self.upstream(call), inherited=self.inherited(call))

    def _used(self, call: StageCall) -> list[Step]:
        stages = self.steps if call.uses is None else call.uses
        return [self.steps[stage] for stage in stages if stage in self.steps]
