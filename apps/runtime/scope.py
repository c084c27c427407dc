"""For whom and for what a stage runs."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from urllib.parse import quote

from apps.serving.config import Mode
from apps.serving.names import Json
from apps.serving.workflow import Sharing


@dataclass(frozen=True, slots=True)
class Scope:
    """tenant, session and conversation are ids; turn is the turn on whose behalf this runs."""

    workflow: str
    tenant: str
    session: str
    conversation: str
    turn: str
    mode: Mode

    def namespace(self, sharing: Sharing) -> str:
        """The partition of names. With C1 off nothing is shared, so the conversation is the partition.

        Ids are quoted, so that none that holds a slash reaches into another's partition.
        """
        tenant = quote(self.tenant, safe="")
        if not self.mode.reuses:
            return f"{tenant}/conversation/{quote(self.conversation, safe='')}"
        if sharing is Sharing.SESSION:
            return f"{tenant}/session/{quote(self.session, safe='')}"
        return f"{tenant}/shared"

    def as_json(self) -> dict[str, Json]:
        return {**asdict(self), "mode": self.mode.value}

    @classmethod
    def from_json(cls, data: Mapping[str, str]) -> "Scope":
        return cls(**{**data, "mode": Mode(data["mode"])})
