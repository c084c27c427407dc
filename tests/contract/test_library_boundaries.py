"""Figure 7 through real names and a real library: what is served comes from what each stage's input is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.serving.library.boundaries import Boundary, Node, served
from apps.serving.names import merged_reads, reuse_name
from apps.serving.outcomes import Hit, Miss, MissReason, Result
from apps.serving.workflow import Sharing, Stage, StageCall, StageKind, Workflow, fingerprint
from tests.contract.stores_bench import NOW
from tests.unit.serving.library.test_boundaries import FIGURE_7

STAGES = {node.name: Stage(node.name, StageKind.MODEL, True, 1) for node in FIGURE_7}
WORKFLOW = Workflow("figure-7", 1, tuple(STAGES.values()), ())
EXECUTOR = {"engine": "scripted", "model": "m", "revision": "1"}
RECORD = "place:of-v3"


@dataclass
class Run:
    """One walk of the six nodes. v3 reads a record; each other node's output depends on its input alone."""

    store: object
    question: str
    version: int
    served: list[str] = field(default_factory=list)
    executed: list[str] = field(default_factory=list)
    results: dict[str, Result] = field(default_factory=dict)
    names: dict[str, object] = field(default_factory=dict)

    def walk(self) -> "Run":
        for node in FIGURE_7:
            self.demand(node)
        return self

    def call(self, node: Node) -> StageCall:
        given = {name: self.results[name].output for name in node.uses}
        asked = {} if given else {"question": self.question}
        return StageCall(STAGES[node.name], {"prompt": f"do {node.name}", **asked, **given}, Sharing.TENANT, node.uses)

    def demand(self, node: Node) -> None:
        call = self.call(node)
        print_of = fingerprint(WORKFLOW, call.stage, EXECUTOR)
        name = self.names[node.name] = reuse_name("tenant/shared", print_of, dict(call.rendered))
        answer = self.store.library.probe(name, NOW)
        if isinstance(answer, Hit):
            self.served.append(node.name)
            self.results[node.name] = answer.result
            return
        self.executed.append(node.name)
        self.results[node.name] = made = self.execute(node, call.rendered)
        assert self.store.library.record(name, made, f"canonical:{node.name}", f"figure-7/1/{node.name}", NOW) is None

    def execute(self, node: Node, rendered: Mapping) -> Result:
        reads = {RECORD: self.version} if node.name == "v3" else {}
        inherited: dict[str, int] = {}
        for upstream in (self.results[name] for name in node.uses):
            inherited = merged_reads(inherited, merged_reads(upstream.inherited, upstream.reads))
        output = {"of": node.name, "given": dict(rendered), "saw": reads}
        return Result(output, reads, 5.0, {}, tuple(self.names[name] for name in node.uses), inherited)


def test_one_changed_record_leaves_four_of_six_nodes_served(store):
    store.records.publish({RECORD: 1}, NOW)
    first = Run(store, "q", 1).walk()
    assert first.served == []
    assert Run(store, "q", 1).walk().served == [node.name for node in FIGURE_7]

    store.records.begin_write([RECORD], "w", NOW + 1000)
    ended = store.records.commit_write({RECORD: 2}, "w", NOW)
    again = Run(store, "q", 2).walk()

    assert set(ended.entries) == {first.names["v3"], first.names["v4"]}
    assert again.served == list(served(FIGURE_7, {"v3"}, Boundary.SUBGRAPH)) == ["v1", "v2", "x1", "x2"]
    assert again.executed == ["v3", "v4"]


def test_a_change_at_the_root_leaves_nothing_that_it_enters(store):
    store.records.publish({RECORD: 1}, NOW)
    Run(store, "q", 1).walk()
    assert Run(store, "another question", 1).walk().served == []


def test_a_changed_value_that_makes_the_same_input_again_is_served_from_there_on(store):
    store.records.publish({RECORD: 1}, NOW)
    first = Run(store, "q", 1).walk()
    store.library.delete([first.names["v3"]])
    assert Run(store, "q", 1).walk().executed == ["v3"]


def test_each_boundary_is_exact_for_what_it_serves(store):
    store.records.publish({RECORD: 1}, NOW)
    first = Run(store, "q", 1).walk()
    store.records.publish({RECORD: 2}, NOW)
    again = Run(store, "q", 2).walk()
    for node in served(FIGURE_7, {"v3"}, Boundary.SUBGRAPH):
        assert again.results[node] == first.results[node]
    assert store.library.probe(first.names["v4"], NOW) == Miss(MissReason.ABSENT)
