"""The labels stand for what the product can do. Their list is written out: the model knows these and no others."""

from apps.concierge.catalogue import SERVICES
from apps.concierge.fact_place import ASPECTS
from apps.concierge.understand.labels import ASPECTS_ASKED, LABELS, SERVICES_FOUND


def test_every_service_can_be_looked_for_and_every_aspect_asked_for():
    assert tuple(SERVICES) == SERVICES_FOUND
    assert set(ASPECTS_ASKED) == set(ASPECTS)


def test_no_label_stands_for_two_things():
    assert len(set(LABELS)) == len(LABELS) == 31
