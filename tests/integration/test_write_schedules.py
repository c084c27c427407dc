"""What must hold whenever a write, its readers and the reconciler meet, each schedule with its order fixed.

`Reader.ask` compares what the library serves with the database at that moment, so each of its calls is a check.
"""

import pytest

from apps.concierge import services
from apps.concierge.models import Place
from apps.runtime import wiring
from apps.serving.outcomes import Miss, MissReason
from tests.integration.write_bench import (
    BEGUN,
    CHANGED,
    COMMITTED,
    HELD,
    POINTS,
    SAVED,
    Reader,
    Writer,
    empty_redis,
    priced,
    reconciler,
    stop_when_saved,
    until,
)

pytestmark = pytest.mark.django_db(transaction=True)

__all__ = ["reconciler"]

PLACE, OTHERS = {"query": "place", "place": "brine-house"}, {"query": "find", "service": "restaurant"}


@pytest.fixture(params=[PLACE, OTHERS], ids=["one place", "a search"])
def reader(request, reconciler) -> Reader:
    """Its answer is kept, and served."""
    made = Reader(**request.param)
    made.settle()
    return made


def version() -> int:
    return services.RECORD_SOURCE.committed_versions(["place:brine-house"])["place:brine-house"]


def test_a_slow_writer_that_was_reconciled_before_its_transaction_began_is_seen_when_it_commits(reader, reconciler):
    writer = Writer(priced(77))
    writer.to(BEGUN)
    assert not reader.ask()
    reconciler.leases_run_out()
    reconciler.reconcile()
    reader.settle()  # with the version before the change: rightly, for now

    writer.to(HELD)
    assert not reader.ask()
    writer.to(COMMITTED)
    assert not reader.ask()
    writer.finish()

    assert reader.served() is None
    reader.settle()


def test_a_lease_that_ends_while_the_rows_are_locked_lets_nobody_read_the_version_before(reader, reconciler):
    writer = Writer(priced(77))
    writer.to(HELD)
    reconciler.leases_run_out()
    assert reconciler.is_kept_out()
    healing = reconciler.begin()
    assert not reader.ask()

    writer.to(COMMITTED)
    healing.result(60)

    reader.settle()
    writer.finish()
    reader.settle()


def test_a_writer_that_dies_between_commit_and_publication_leaves_no_stale_answer(reader, reconciler):
    writer = Writer(priced(77))
    writer.to(COMMITTED)
    writer.die()

    assert not reader.ask()
    reconciler.reconcile()  # the lease has not ended: the writer may only be slow
    assert not reader.ask()
    reconciler.leases_run_out()
    reconciler.reconcile()
    reader.settle()


@pytest.mark.parametrize("point", [BEGUN, CHANGED, HELD])
def test_a_writer_that_dies_before_its_commit_costs_reuse_until_reconciled_and_nothing_after(reader, reconciler, point):
    writer = Writer(priced(77))
    writer.to(point)
    writer.die()

    assert not reader.ask()
    reconciler.leases_run_out()
    reconciler.reconcile()
    assert reader.ask()  # the very entry of before


def test_a_write_that_is_rolled_back_costs_reuse_and_never_freshness(reader, reconciler):
    def refused() -> None:
        with services.change(["place:brine-house", "collection:restaurant"]):
            place = Place.objects.get(slug="brine-house")
            place.price = 77
            place.save()
            raise ValueError("not today")

    with pytest.raises(ValueError, match="not today"):
        refused()

    assert not reader.ask()
    assert version() == 1
    reconciler.leases_run_out()
    reconciler.reconcile()
    assert reader.ask()


@pytest.mark.parametrize("reconciled", [False, True], ids=["at once", "after the probe"])
@pytest.mark.parametrize("emptied", POINTS)
def test_redis_may_be_emptied_at_any_step_of_a_write(reader, reconciler, emptied, reconciled):
    writer, healing = Writer(priced(77)), None
    for point in POINTS:
        writer.to(point)
        if point == emptied:
            empty_redis()
            healing = reconciler.begin() if reconciled else None
        reader.ask()
    writer.finish()
    reader.ask()
    if healing:
        healing.result(60)

    reconciler.leases_run_out()
    reconciler.reconcile()
    reader.settle()


def test_a_writer_between_two_rows_and_the_reconciler_never_wait_for_each_other(reader, reconciler):
    def half_way() -> None:
        with services.change(["place:brine-house", "collection:restaurant"]):
            place = Place.objects.get(slug="brine-house")
            place.price = 77
            place.save()
            stop_when_saved()

    writer = Writer(half_way)
    writer.to(SAVED)
    empty_redis()
    healing = reconciler.begin()
    until(reconciler.waits_for_a_lock)

    writer.finish()
    healing.result(60)

    reader.settle()


def test_of_two_writers_the_first_to_commit_leaves_the_record_to_the_second(reader, reconciler):
    first, second = Writer(priced(77)), Writer(priced(88))
    first.to(BEGUN)
    second.to(BEGUN)

    first.finish()
    assert not reader.ask()
    second.to(COMMITTED)
    assert not reader.ask()
    second.finish()

    assert version() == 3
    reader.settle()


def test_a_writer_waits_for_the_row_of_another_and_its_version_follows(reader, reconciler):
    first, second = Writer(priced(77)), Writer(priced(88))
    first.to(CHANGED)
    second.let(CHANGED)
    assert not reader.ask()

    first.finish()
    second.finish()

    assert version() == 3
    assert reader.served() is None
    reader.settle()


def test_a_publication_that_comes_late_never_lowers_a_version(reader, reconciler):
    late, prompt = Writer(priced(77)), Writer(priced(88))
    late.to(COMMITTED)
    prompt.finish()
    assert not reader.ask()
    late.finish()

    assert wiring.store().records.versions(["place:brine-house"]) == {"place:brine-house": 3}
    reader.settle()


def test_a_place_deleted_and_made_again_under_its_slug_never_has_an_old_version(reader, reconciler):
    seen = [version()]
    for price in (77, 42):  # the second is what it was at first
        gone = Place.objects.get(slug="brine-house")
        services.delete_places([gone])
        reader.ask()
        empty_redis()
        reconciler.reconcile()
        reader.settle()
        seen.append(version())
        gone.pk, gone.version, gone.price = None, 0, price
        gone._state.adding = True
        services.save_place(gone)
        reader.settle()
        seen.append(version())

    assert seen == sorted(set(seen))


@pytest.mark.parametrize("slug", ["brine-house", "brine-house-2"], ids=["kept", "changed"])
def test_a_version_set_back_inside_a_write_goes_on_from_the_last_one(reader, reconciler, slug):
    """As a whole row from an old copy would, or a slug changed by hand, which leaves the old one without a row."""
    priced(77)()
    with services.change(["place:brine-house", "collection:restaurant", f"place:{slug}"]):
        place = Place.objects.get(slug="brine-house")
        place.slug, place.version, place.price = slug, 0, 50
        place.save()

    assert version() == 3
    reader.settle()


@pytest.mark.parametrize("point", [*POINTS, "published"])
def test_what_was_read_before_a_commit_is_not_kept_at_any_point_after_the_write_began(reader, reconciler, point):
    found = reader.run()
    writer = Writer(priced(77))
    writer.to(BEGUN)
    if point == "published":
        writer.finish()
    else:
        writer.to(point)

    why = reader.keep(found)

    assert why == Miss(MissReason.STALE if point == "published" else MissReason.UNCERTAIN)
    if point != "published":
        writer.finish()
    assert reader.served() is None
    reader.settle()
