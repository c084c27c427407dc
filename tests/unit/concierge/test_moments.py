"""Days, times and numbers of people, on Monday 30 November 2026."""

from datetime import date

import pytest

from apps.concierge.understand.moments import moment

TODAY = date(2026, 11, 30)
TIMES = [
    ("table for 2 after 7", "19:00", 2),
    ("a table for 4 before 8", "20:00", 4),
    ("for 10 to 8", "", 10),
    ("open from 7 to 9", "19:00", 0),
    ("from 5 to 9", "17:00", 0),
    ("bus 2 20 leaves at 8", "20:00", 0),
    ("2 20 at 8", "20:00", 0),
    ("quarter 3 at 8", "20:00", 0),
    ("half past seven", "19:30", 0),
    ("half seven", "19:30", 0),
    ("at half 8", "20:30", 0),
    ("quarter to eight", "19:45", 0),
    ("for quarter to 8", "19:45", 0),
    ("quarter past 6", "18:15", 0),
    ("ten past six", "18:10", 0),
    ("for ten past six", "18:10", 0),
    ("at 20 to 9", "20:40", 0),
    ("5 before 8 in the morning", "07:55", 0),
    ("at 7 for 2 people", "19:00", 2),
    ("2 to 4 people at 7", "19:00", 4),
    ("19:30", "19:30", 0),
    ("at 7:15 pm", "19:15", 0),
    ("7.30pm", "19:30", 0),
    ("at noon", "12:00", 0),
    ("around eight", "20:00", 0),
    ("9ish", "21:00", 0),
    ("at 100", "", 0),
    ("at 30 then, or at 8", "20:00", 0),
]


@pytest.mark.parametrize(("text", "time", "people"), TIMES, ids=[text for text, _, _ in TIMES])
def test_a_time_is_told_from_a_number_of_people(text, time, people):
    said = moment(text, TODAY)

    assert (said.exact_time, said.people) == (time, people)


DAYS = [
    ("may 2 people come on sunday", date(2026, 12, 6)),
    ("may 2 of us come on sunday", date(2026, 12, 6)),
    ("may 3 more guests come tomorrow", date(2026, 12, 1)),
    ("we 2 may come on sunday", date(2026, 12, 6)),
    ("may 2", date(2027, 5, 2)),
    ("on may 2 for 2 people", date(2027, 5, 2)),
    ("2 may", date(2027, 5, 2)),
    ("on the 2nd of may", date(2027, 5, 2)),
    ("december 12", date(2026, 12, 12)),
    ("12 dec at 8", date(2026, 12, 12)),
    ("2027-01-05", date(2027, 1, 5)),
    ("on the 3rd", date(2026, 12, 3)),
    ("30 february", None),
    ("tomorow", date(2026, 12, 1)),
    ("day after tomorrow", date(2026, 12, 2)),
    ("next friday", date(2026, 12, 11)),
    ("in two weeks", date(2026, 12, 14)),
    ("this weekend", date(2026, 12, 5)),
    ("at the sun hotel", None),
]


@pytest.mark.parametrize(("text", "day"), DAYS, ids=[text for text, _ in DAYS])
def test_a_day_is_told_from_other_words(text, day):
    assert moment(text, TODAY).day == day
