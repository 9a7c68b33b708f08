"""Colours of makers and of a maker's generations can be told apart by every reader, and each has another on dark."""

from __future__ import annotations

import itertools
import math

import pytest

from dashboard.charts import theme
from dashboard.palette import palette_file
from pipelines.model.evidence import Evidence

LEAST = 15.0
# Full deuteranopia in linear RGB: Machado, Oliveira, Fernandes 2009, doi.org/10.1109/TVCG.2009.113, severity 1.
DEUTERANOPIA = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
NORMAL = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)
Matrix = tuple[tuple[float, float, float], ...]
Triple = tuple[float, float, float]


def luminance(rgb: tuple[float, float, float]) -> float:
    """Relative luminance of sRGB parts from 0 to 1 (WCAG 2.2)."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def parts(colour: str) -> Triple:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def times(matrix: Matrix, values: Triple) -> Triple:
    first, second, third = (sum(a * b for a, b in zip(row, values, strict=True)) for row in matrix)
    return first, second, third


def lab(colour: str, sight: Matrix) -> Triple:
    """CIE L*a*b* of a colour as this sight has it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts(colour)]
    seen = times(sight, (linear[0], linear[1], linear[2]))
    clipped = tuple(min(max(c, 0.0), 1.0) for c in seen)
    xyz = times(TO_XYZ, (clipped[0], clipped[1], clipped[2]))
    f = [
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
        for t in (value / white for value, white in zip(xyz, WHITE, strict=True))
    ]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def ciede2000(one: Triple, other: Triple) -> float:
    """Sharma, Wu, Dalal 2005, doi.org/10.1002/col.20070, with all weights 1."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    c_mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(c_mean**7 / (c_mean**7 + 25**7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 if a or b else 0.0 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    dl, dc, dh = l2 - l1, c2 - c1, 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn) / 2)
    l_mean, c_new = (l1 + l2) / 2, (c1 + c2) / 2
    h_mean = h1 + h2 if c1 * c2 == 0 else ((h1 + h2) / 2 + (180 if abs(h1 - h2) > 180 else 0)) % 360
    t = (
        1
        - 0.17 * math.cos(math.radians(h_mean - 30))
        + 0.24 * math.cos(math.radians(2 * h_mean))
        + 0.32 * math.cos(math.radians(3 * h_mean + 6))
        - 0.20 * math.cos(math.radians(4 * h_mean - 63))
    )
    sl = 1 + 0.015 * (l_mean - 50) ** 2 / math.sqrt(20 + (l_mean - 50) ** 2)
    sc, sh = 1 + 0.045 * c_new, 1 + 0.015 * c_new * t
    rc = 2 * math.sqrt(c_new**7 / (c_new**7 + 25**7))
    rt = -math.sin(math.radians(60 * math.exp(-(((h_mean - 275) / 25) ** 2)))) * rc
    return math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * (dc / sc) * (dh / sh))


def difference(one: str, other: str) -> float:
    """The smaller of what normal and what deuteranopic sight sees."""
    return min(ciede2000(lab(one, sight), lab(other, sight)) for sight in (NORMAL, DEUTERANOPIA))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [  # pairs 1, 7 and 25 of the authors' own test data
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ],
)
def test_the_measure_gives_its_authors_values(one: Triple, other: Triple, expected: float) -> None:
    assert ciede2000(one, other) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("ground", [0, 1], ids=["light", "dark"])
def test_any_two_makers_differ_by_fifteen(ground: int) -> None:
    makers = {**palette_file()["makers"], "other": palette_file()["other"]}
    found = {
        (one, other): difference(makers[one][ground], makers[other][ground])
        for one, other in itertools.combinations(makers, 2)
    }
    assert {pair: value for pair, value in found.items() if value < LEAST} == {}


@pytest.mark.parametrize("ground", [0, 1], ids=["light", "dark"])
def test_neighbouring_generations_of_a_maker_differ_by_fifteen_and_are_in_order(ground: int) -> None:
    generations = palette_file()["generations"]
    wrong = {}
    for (one, first), (other, second) in itertools.pairwise(generations.items()):
        if one.split("-")[0] != other.split("-")[0]:
            continue
        step = difference(first[ground], second[ground])
        lighter = luminance(parts(second[ground])) > luminance(parts(first[ground]))
        if step < LEAST or lighter != bool(ground):
            wrong[one, other] = step
    assert wrong == {}


def test_every_colour_has_one_other_on_dark_ground_and_the_page_says_so() -> None:
    pairs = theme.pairs()
    assert len(dict(pairs)) == len(pairs)
    assert '[fill="#0d5117"]{fill:light-dark(#0d5117,#baf0a8)}' in theme.dark_style()


@pytest.mark.parametrize("ground", [0, 1], ids=["light", "dark"])
def test_words_and_marks_stand_out_from_the_card(ground: int) -> None:
    file = palette_file()
    card = luminance(parts(file["inks"]["card"][ground]))

    def contrast(colour: str) -> float:
        one = luminance(parts(colour))
        return (max(one, card) + 0.05) / (min(one, card) + 0.05)

    marks = {maker: contrast(pair[ground]) for maker, pair in {**file["makers"], "other": file["other"]}.items()}
    text = {name: contrast(pair[ground]) for name, pair in {**file["makers"], **file["makers_text"]}.items()}
    text |= {name: contrast(file["inks"][name][ground]) for name in ("text", "second", "quiet", "late")}
    assert {name: value for name, value in marks.items() if value < 3} == {}
    assert {name: value for name, value in text.items() if value < 4.5} == {}


def test_a_maker_or_generation_without_a_colour_is_grey() -> None:
    assert theme.colour_of("nvidia") == "#0d5117"
    assert theme.colour_of("dell") == theme.generation_colour("nvidia-kepler") == theme.other_colour()


def test_tags_have_letters_and_shapes_of_their_own() -> None:
    assert len({tag.mark.split()[1] for tag in Evidence}) == len({tag.shape for tag in Evidence}) == len(Evidence)
