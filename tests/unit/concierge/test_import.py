"""`manage.py import_catalogue`: one announced write of what differs, or a clear refusal and nothing changed."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apps.concierge import services
from apps.concierge.catalogue import DATA
from apps.concierge.models import Place
from apps.runtime.writes import WriteRefused

LINES = DATA.read_text(encoding="utf-8").splitlines()
HEAD, FIRST = LINES[0], LINES[1]


@pytest.fixture
def stored(tmp_path):
    def store(*lines):
        path = tmp_path / "places.csv"
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return store


def imported(path, *options):
    out = StringIO()
    call_command("import_catalogue", str(path), *options, stdout=out)
    return out.getvalue().strip()


def rows():
    return list(Place.objects.order_by("slug").values())


def test_the_same_file_again_changes_nothing_and_announces_nothing(catalogue):
    before = rows()

    said = imported(DATA)

    assert said == f"catalogue: 0 places added, 0 changed, 0 deleted, {len(before)} the same"
    assert rows() == before
    assert catalogue.begun == []


def test_what_differs_is_one_write_of_just_its_records(catalogue, stored):
    changed = FIRST.replace(";42;", ";43;")
    new = FIRST.replace("Brine House", "Gull House").replace(";restaurant;", ";museum;")

    said = imported(stored(HEAD, changed, new, LINES[2]))

    assert said == "catalogue: 1 places added, 1 changed, 0 deleted, 1 the same"
    assert catalogue.begun == [("collection:museum", "collection:restaurant", "place:brine-house", "place:gull-house")]
    assert Place.objects.get(slug="brine-house").price == 43
    assert Place.objects.get(slug="gull-house").collection_id == "museum"


def test_pruned_places_go_with_their_collections_written(catalogue, stored):
    kept = [line for line in LINES if not line.startswith("Brine House;")]

    said = imported(stored(*kept), "--prune")

    assert "1 deleted" in said
    assert catalogue.begun == [("collection:restaurant", "place:brine-house")]
    assert not Place.objects.filter(slug="brine-house").exists()


def test_a_dry_run_says_what_would_change_and_changes_nothing(catalogue, stored):
    before = rows()

    said = imported(stored(HEAD, FIRST.replace(";42;", ";43;")), "--dry-run", "--prune")

    assert (
        said
        == f"catalogue: 0 places would be added, 1 would be changed, {len(before) - 1} would be deleted, 0 the same"
    )
    assert rows() == before
    assert catalogue.begun == []


BAD = {
    "no such column": ([HEAD.replace("rating", "stars"), FIRST], "line 1: no column rating"),
    "too few": ([HEAD, "Only a name"], "line 2: has fewer than 14 columns"),
    "too many": ([HEAD, FIRST + ";more"], "line 2: has more than 14 columns"),
    "service": ([HEAD, FIRST.replace(";restaurant;", ";bakery;")], "line 2, service: 'bakery' is none of restaurant"),
    "price": ([HEAD, FIRST.replace(";42;", ";cheap;")], "line 2, price: 'cheap' is not a whole number from 0"),
    "rating": ([HEAD, FIRST.replace(";4.6;", ";good;")], "line 2, rating: 'good' is not a number from 0 to 5"),
    "too high a rating": ([HEAD, FIRST.replace(";4.6;", ";9.9;")], "line 2, rating: "),
    "hours": ([HEAD, FIRST.replace("tue-sun", "weekdays")], "line 2, hours: opening hours"),
    "area": ([HEAD, FIRST.replace("Old Harbour", "Atlantis")], "line 2, area: "),
    "twice": ([HEAD, FIRST, LINES[2], FIRST], "line 4, name: Brine House is the place of line 2 again"),
}


@pytest.mark.parametrize(("lines", "words"), BAD.values(), ids=BAD)
def test_a_bad_file_is_refused_whole_with_line_and_column(catalogue, stored, lines, words):
    before = rows()

    with pytest.raises(CommandError, match=r"^Nothing was changed: ") as refused:
        imported(stored(*lines))

    assert words in str(refused.value)
    assert rows() == before


def test_a_file_that_is_not_there_or_no_text_is_refused(catalogue, tmp_path):
    (tmp_path / "latin").write_bytes(b"caf\xe9;\n")

    for path in (tmp_path / "nowhere", tmp_path / "latin"):
        with pytest.raises(CommandError, match="cannot be read as UTF-8 text"):
            imported(path)


def test_while_the_shared_state_is_away_nothing_is_imported(catalogue, stored, monkeypatch):
    def refusing(records):
        raise WriteRefused("the shared state is away; try again in a moment")

    monkeypatch.setattr(services, "writing", refusing)

    with pytest.raises(CommandError, match="Nothing was changed: the shared state is away"):
        imported(stored(HEAD, FIRST.replace(";42;", ";43;")))
