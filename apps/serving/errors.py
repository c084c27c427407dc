"""What is raised when a contract is broken. A miss is never an error: see `outcomes.Miss`."""


class ServingError(Exception):
    """Base of every error that the core raises."""


class IllegalTransition(ServingError):
    def __init__(self, fill_id: str, state: str, event: str, allowed: tuple[str, ...]) -> None:
        self.fill_id, self.state, self.event = fill_id, state, event
        choices = ", ".join(allowed) or "nothing, the state is final"
        super().__init__(f"fill {fill_id}: {event} while {state} (allowed: {choices})")


class IllegalBranchMove(ServingError):
    def __init__(self, branch_id: str, leave: str, enter: str, allowed: tuple[str, ...]) -> None:
        choices = ", ".join(allowed) or "nothing, the state is final"
        super().__init__(f"branch {branch_id}: {leave} -> {enter} (allowed: {choices})")


class UnnameableInput(ServingError):
    """place  where in the input, like messages[0].content; "" for the input as a whole"""

    def __init__(self, why: str, place: str = "") -> None:
        where = f"at {place}: " if place else ""
        super().__init__(f"rendered input has no canonical encoding: {where}{why}; use JSON values only")


class NotSpeculable(ServingError):
    def __init__(self, workflow: str, stage: str) -> None:
        super().__init__(f"{workflow}: stage {stage} is not declared speculable, so no fill may run it")


class UnknownStage(ServingError):
    def __init__(self, workflow: str, stage: str, known: tuple[str, ...]) -> None:
        super().__init__(f"{workflow}: no stage {stage!r} (known: {', '.join(known)})")
