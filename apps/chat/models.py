"""Conversations as rows: a turn, an offer, a pick is stored before it is a frame (architecture.md, decision 11).

A conversation is a tree of turns by `parent`; `head` is the turn whose path is shown. A turn that is retried,
edited, or picked again from an earlier offer becomes a sibling, and nothing is overwritten.
"""

import secrets

from django.db import models

ID_LENGTH = 22  # characters of `secrets.token_urlsafe(16)`: 128 random bits


def new_id() -> str:
    """Unguessable: possession of a conversation's id alone opens nothing, but it is not countable either."""
    return secrets.token_urlsafe(16)


class Kind(models.TextChoices):
    START = "start"
    TEXT = "text"
    PICK = "pick"


class State(models.TextChoices):
    RUNNING = "running"  # leased by a web process; a successor takes it when the lease ends
    DONE = "done"
    FAILED = "failed"  # no complete answer; may be retried
    STOPPED = "stopped"  # the user stopped it; the text so far is kept


class Conversation(models.Model):
    """owner  the anonymous session's id; mode  a `serving.config.Mode`"""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    owner = models.CharField(max_length=64, db_index=True)
    title = models.CharField(max_length=120, blank=True)
    mode = models.CharField(max_length=8)
    head = models.ForeignKey("Turn", null=True, on_delete=models.SET_NULL, related_name="+")
    created_ms = models.BigIntegerField()
    updated_ms = models.BigIntegerField(db_index=True)

    def __str__(self) -> str:
        return self.title or self.id


class Turn(models.Model):
    """One exchange: what was asked and the answer to it.

    key            the command's idempotency key; null for the start turn
    input          the turn that the program walks; a repeated run walks the same one
    outputs        the outputs of the stages that ran, by stage name
    context        what the next turn is told
    epoch          1 for the first run, one more for every run after a lost lease
    lease_until_ms the run's process must renew before this, ms since 1970
    stop_asked     someone asked to stop it; whoever holds the lease obeys
    error          {"code", "message"} of a failed turn
    timing         {"first_ms", "complete_ms", "saved_ms", "stages"}: see docs/interfaces.md
    """

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="turns")
    parent = models.ForeignKey("self", null=True, on_delete=models.CASCADE, related_name="children")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    text = models.TextField(blank=True)
    key = models.CharField(max_length=64, null=True)  # null keeps the start turn out of the unique key
    input = models.JSONField()
    outputs = models.JSONField(default=dict)
    context = models.JSONField(default=dict)
    state = models.CharField(max_length=8, choices=State.choices, default=State.RUNNING)
    epoch = models.PositiveIntegerField(default=1)
    lease_owner = models.CharField(max_length=64)
    lease_until_ms = models.BigIntegerField()
    stop_asked = models.BooleanField(default=False)
    reply = models.TextField(blank=True)
    error = models.JSONField(null=True)
    timing = models.JSONField(null=True)
    created_ms = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conversation", "key"], name="one_turn_per_key")]
        indexes = [models.Index(fields=["state", "lease_until_ms"], name="turn_lease")]

    def __str__(self) -> str:
        return f"{self.kind} {self.id} ({self.state})"


class Offer(models.Model):
    """The actions offered after a turn.

    actions  [{"label", "payload", "speculable"}], in the order shown
    origin   {"turn", "outputs"} of the run that computed them: what the branch is opened with. An offer that
             is repeated after a stop keeps the origin of the one it repeats.
    branch   id of its branch; empty where none was opened
    """

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, related_name="offer")
    actions = models.JSONField()
    origin = models.JSONField()
    branch = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"offer {self.id} of turn {self.turn_id}"


class Pick(models.Model):
    """An action was picked. An offer has at most one pick that is not a fork (or a retry of one)."""

    offer = models.ForeignKey(Offer, on_delete=models.CASCADE, related_name="picks")
    action = models.PositiveSmallIntegerField()
    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, related_name="pick")
    fork = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["offer"], condition=models.Q(fork=False), name="one_pick_per_offer")
        ]

    def __str__(self) -> str:
        return f"action {self.action} of {self.offer_id}"
