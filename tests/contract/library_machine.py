"""Several clients and workers beside the writers on one library, each step held to the reference."""

from dataclasses import dataclass, field

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from apps.serving.branch.fill import FillEvent, FillState
from apps.serving.names import ReuseName, merged_reads
from apps.serving.outcomes import Hit, Miss, MissReason, Promoted, Result
from tests.contract.library_reference import Holder, Kind
from tests.contract.library_writers import CONFIG, RECORDS, WritingMachine, picks, writes
from tests.contract.stores_bench import chain, name

NAMES = [name(place) for place in range(6)]
UNCERTAIN = Miss(MissReason.UNCERTAIN)
SHADOW_TTL_MS = 80

places = st.integers(0, len(NAMES) - 1)
clients = st.integers(0, 1)
reads = st.sets(st.sampled_from(RECORDS), max_size=1)
upstreams = st.sets(places, max_size=2)


@dataclass
class Client:
    """hand  results that it was given, by place: what it may put into an input
    done     executions that it has not recorded yet: they may be long out of date
    """

    hand: dict[int, Result] = field(default_factory=dict)
    done: list[tuple[int, Result]] = field(default_factory=list)


class LibraryMachine(WritingMachine):
    """Adds to the writers what clients and workers do."""

    def __init__(self) -> None:
        super().__init__()
        self.clients = [Client(), Client()]

    def execute(self, client: Client, place: int, read: set[str], upstream: set[int]) -> Result:
        """An output that no other execution gave, made from what the client has in its hand."""
        given = {p: client.hand[p] for p in sorted(upstream) if p < place and p in client.hand}
        inherited: dict[str, int] = {}
        for result in given.values():
            inherited = merged_reads(inherited, merged_reads(result.inherited, result.reads))
        now_read = {record: self.database[record] for record in sorted(read)}
        return Result({"text": self.new_id()}, now_read, 12.5, {}, tuple(NAMES[p] for p in given), inherited)

    # -- clients

    @rule(client=clients, place=places, max_age_ms=st.none() | st.integers(0, 100))
    def demand(self, client, place, max_age_ms):
        expected = self.reference.probe(NAMES[place], self.now_ms, max_age_ms)
        answer = self.store.library.probe(NAMES[place], self.now_ms, max_age_ms)
        entry = self.reference.entry(NAMES[place])
        if isinstance(answer, Hit):
            assert answer == expected
            assert all(self.database[r] == v for r, v in answer.result.reads.items()), "a stale read"
            assert not (self.still_open and entry.has_edges)
            entry.used_at_ms = max(entry.used_at_ms, self.now_ms)
            self.clients[client].hand[place] = answer.result
        elif self.still_open:
            assert isinstance(expected, Miss) or entry.has_edges
        else:
            assert answer == expected or self.loosened

    @rule(client=clients, place=places, read=reads, upstream=upstreams)
    def begin_execution(self, client, place, read, upstream):
        of = self.clients[client]
        of.done.append((place, self.execute(of, place, read, upstream)))

    @rule(client=clients, pick=picks)
    def end_execution(self, client, pick):
        of = self.clients[client]
        if of.done:
            place, result = of.done.pop(pick % len(of.done))
            self.keep(of, place, result)

    @rule(client=clients, steps=st.lists(st.tuples(places, reads, upstreams), min_size=3, max_size=5))
    def walk(self, client, steps):
        """A whole workflow, each stage made from the one before at least: provenance gets deep at once."""
        of, before = self.clients[client], set()
        for place, read, upstream in sorted(steps, key=lambda step: step[0]):
            self.keep(of, place, self.execute(of, place, read, upstream | before))
            before = {place}

    @rule(client=clients, steps=st.lists(st.tuples(places, reads), min_size=2, max_size=4))
    def walk_served(self, client, steps):
        """The same, each stage demanded first: so what is executed was made from what was served."""
        of, before = self.clients[client], set()
        for place, read in sorted(steps, key=lambda step: step[0]):
            of.hand.pop(place, None)
            self.demand(client, place, None)
            if place not in of.hand:
                self.keep(of, place, self.execute(of, place, read, before))
            before = {place}

    def keep(self, client: Client, place: int, result: Result) -> None:
        client.hand[place] = result
        wanted, producer = NAMES[place], f"canonical:{result.output['text']}"
        refused = self.store.library.record(wanted, result, producer, "w/1/s", self.now_ms)
        if self.agrees(refused, self.reference.fresh(result.reads, result.inherited)):
            self.reference.confirm(self.reference.made(Kind.ENTRY, wanted, result), producer, self.now_ms)
            self.evicted()

    def agrees(self, refused: Miss | None, expected: Miss | None) -> bool:
        """Whether it was kept; an open cascade may refuse more, never less."""
        assert refused == expected or (self.still_open and refused == UNCERTAIN)
        return refused is None

    def evicted(self) -> None:
        """Which of them had to go is another test's; that as many went as had to, and no more, is this one's."""
        there = set(self.store.library.page(None, 100))
        gone = [holder for holder in self.reference.of(Kind.ENTRY) if holder.name not in there]
        over = len(self.reference.of(Kind.ENTRY)) - CONFIG.library_entries
        assert len(gone) == max(0, over) or (len(gone) <= 1 and self.still_open) or self.loosened
        for holder in gone:
            self.went(holder)

    def went(self, holder: Holder) -> None:
        alone = [h.name for h in self.reference.holders].count(holder.name) == 1
        if holder.name in self.reference.needed() and alone and holder.name in {h.name for h in self.ending}:
            self.loosened = True
        self.reference.go(holder)

    @rule(place=places)
    def delete(self, place):
        entry = self.reference.entry(NAMES[place])
        count = self.store.library.delete([NAMES[place]])
        assert count == (entry is not None) or self.still_open or self.loosened
        if entry is not None:
            self.went(entry)

    @rule()
    def sweep(self):
        self.store.library.sweep(self.now_ms, 100)
        for entry in self.reference.of(Kind.ENTRY):
            if entry.used_at_ms + CONFIG.entry_ttl_ms <= self.now_ms:
                self.went(entry)
        self.store.shadows.sweep(self.now_ms, 100)
        for shadow in self.reference.of(Kind.SHADOW):
            if shadow.expires_at_ms <= self.now_ms:
                self.went(shadow)

    # -- workers

    @rule(client=clients, place=places, upstream=upstreams)
    def start_fill(self, client, place, upstream):
        given = [NAMES[p] for p in sorted(upstream) if p < place and p in self.clients[client].hand]
        record, fills = chain(chain_id=self.new_id(), expires_at_ms=self.now_ms + 10_000)
        assert self.store.shadows.create_chain(record, fills, self.now_ms) is None
        fill_id = fills[0].fill_id
        assert self.store.shadows.start(fill_id, NAMES[place], "o", self.now_ms, given) is None
        self.reference.run(fill_id, NAMES[place], given)
        # What the cascade has yet to end may be upstream of it, and is known to the store alone.
        self.loosened |= self.still_open and bool({h.name for h in self.ending} & {*given})

    @rule(client=clients, pick=picks, read=reads, upstream=upstreams)
    def complete_fill(self, client, pick, read, upstream):
        running = self.picked(Kind.RUNNING, pick)
        if running is None:
            return
        result = self.execute(self.clients[client], NAMES.index(running.name), read, upstream)
        until_ms = self.now_ms + SHADOW_TTL_MS
        refused = self.store.shadows.complete(running.node_id, result, self.now_ms, until_ms)
        if self.loosened and refused == Miss(MissReason.STATE):
            self.reference.holders.remove(running)
        elif self.agrees(refused, self.reference.fresh(result.reads, result.inherited)):
            self.reference.shadow(running, result, until_ms)
        else:
            self.reference.go(running)

    @rule(client=clients, place=places, read=reads, upstream=upstreams)
    def fill_at_once(self, client, place, read, upstream):
        self.start_fill(client, place, upstream)
        self.complete_fill(client, len(self.reference.of(Kind.RUNNING)) - 1, read, upstream)

    @rule(client=clients, pick=picks, keep=st.booleans())
    def promote(self, client, pick, keep):
        shadow = self.picked(Kind.SHADOW, pick)
        if shadow is None:
            return
        answer = self.store.shadows.promote(shadow.node_id, shadow.name, keep, self.now_ms)
        late = Miss(MissReason.STATE) if shadow.expires_at_ms <= self.now_ms else None
        expected = late or self.reference.servable(shadow)
        if not isinstance(answer, Promoted):
            assert answer == expected or (self.still_open and shadow.has_edges) or self.loosened
            return
        assert expected is None, "a stale promotion"
        assert answer.result == shadow.result
        assert not (self.still_open and shadow.has_edges)
        self.clients[client].hand[NAMES.index(shadow.name)] = answer.result
        if keep:
            self.reference.confirm(shadow, shadow.node_id, self.now_ms)
        self.went(shadow)
        self.evicted()

    @rule(pick=picks, kind=st.sampled_from([Kind.RUNNING, Kind.SHADOW]))
    def discard(self, pick, kind):
        holder = self.picked(kind, pick)
        if holder is not None:
            left = self.store.shadows.leave(holder.node_id, FillEvent.LOSE, self.now_ms)
            assert left == FillState(kind.value) or self.loosened
            self.went(holder)

    def picked(self, kind: Kind, pick: int) -> Holder | None:
        found = self.reference.of(kind)
        return found[pick % len(found)] if found else None

    # -- in the midst of a write's cascade

    @rule(write=writes, client=clients, place=places, upstream=upstreams, deeds=st.lists(st.integers(0, 4), min_size=3))
    def amid_a_cascade(self, write, client, place, upstream, deeds):
        """Steps of the cascade, and between them whatever touches what it has yet to end."""
        of = self.clients[client]
        begun, before = place, self.execute(of, place, set(), upstream)
        self.write_at_once(write)
        for deed in deeds[:5]:
            match deed:
                case 0:
                    self.keep(of, begun, before)
                case 1:
                    self.keep(of, place, self.execute(of, place, write, set()))
                case 2:
                    self.delete(place)
                case 3:
                    self.complete_fill(client, place, set(), upstream)
                case 4:
                    self.promote(client, place, True)
            place = (place + 1) % len(NAMES)
            self.cascade()

    # -- always

    @invariant()
    def holds_exactly_what_it_must(self):
        there, wanted = set(self.store.library.page(None, 100)), {h.name for h in self.reference.of(Kind.ENTRY)}
        if self.still_open:
            assert self.loosened or wanted <= there
            return
        fills, ghosts = self.store.shadows.counts(), self.store.library.totals().ghosts
        kinds = [len(self.reference.of(kind)) for kind in (Kind.RUNNING, Kind.SHADOW, Kind.GHOST)]
        assert there <= wanted, "an invalidation was lost"
        assert self.loosened or (there == wanted and [fills.running, fills.shadows, ghosts] == kinds)

    def teardown(self):
        while self.still_open:
            self.cascade()
        self.holds_exactly_what_it_must()
        for entry in self.reference.of(Kind.ENTRY):
            self.same_facts(entry.name)

    def same_facts(self, wanted: ReuseName) -> None:
        facts, entry = self.store.library.facts(wanted), self.reference.entry(wanted)
        assert self.loosened or (tuple(map(frozenset, facts.provenances)), facts.whole, facts.producer) == (
            entry.provenances,
            entry.whole,
            entry.producer,
        )
