"""The picture that others show beside a link to a page: its name, what it is, its first figures with their evidence.

Drawn by Pillow with its own font, so that the same words give the same bytes on every machine. Words are drawn, never
read as markup; characters that would turn or hide others are left out.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache, partial

from PIL import Image, ImageDraw, ImageFont

from warehouse.answers.plain_html import Outside, Own, PlainFile, SitePage

FOLDER = "preview"
KINDS = ("thing", "org", "benchmark", "lesson")
FRONT = f"{FOLDER}/index.png"
FORM = "3"  # changes with the form of the pictures: all are then drawn anew
SIZE, EDGE = (800, 420), 42  # drawing costs by the pixel, and there are thousands
LINES = 4  # figures shown
_PAPER, _INK = (250, 250, 247), (22, 32, 48)
GREYS, QUIET = 16, 150  # few greys are half the work of writing a picture, and nobody sees it
# a grey of the drawing is that share of the way from paper to ink
_PALETTE = [
    round(low + (high - low) * grey / (GREYS - 1))
    for grey in range(GREYS)
    for low, high in zip(_PAPER, _INK, strict=True)
]
_TITLE, _KIND, _FIGURE, _FOOT = 44, 22, 23, 18
Words = tuple[str, str, tuple[tuple[str, str], ...], str]  # title, kind, lines with their evidence, address


def with_previews(pages: Iterable[SitePage], address: str) -> tuple[list[SitePage], list[PlainFile]]:
    """The pages, those that have no picture of their own with one, and the pictures."""
    made, files = [], []
    for page in pages:
        folder = page.path.partition("/")[0]
        if page.image or folder not in KINDS:
            made.append(page)
            continue
        path = f"{FOLDER}/{page.path.removesuffix('.html')}.png"
        made.append(dataclasses.replace(page, image=path))
        files.append(preview_file(path, (page.name, page.kind, _lines(page), address)))
    return made, files


def preview_file(path: str, words: Words) -> PlainFile:
    """The picture as a file that is drawn when its words changed."""
    return PlainFile(path, f"{FORM}{words!r}", partial(preview, words))


def _lines(page: SitePage) -> tuple[tuple[str, str], ...]:
    """The first figures of a page, each with its evidence, claimant and day; of a lesson what it says."""
    rows = [row for table in page.tables for row in table.rows if len(row) > 2][:LINES]
    if not rows:
        return ((page.says, ""),)
    return tuple((": ".join(each for each in map(_text, row[:-2]) if each), _text(row[-2])) for row in rows)


def _text(cell: str | Own | Outside) -> str:
    return cell if isinstance(cell, str) else cell.words if isinstance(cell, Own) else ""


def preview(words: Words) -> bytes:
    """The picture as PNG."""
    title, kind, lines, address = words
    image = Image.new("L", SIZE, 0)
    ImageDraw.Draw(image).rectangle((0, 0, SIZE[0], 9), fill=255)
    _put(image, 36, _cut(title, _TITLE), _TITLE)
    _put(image, 97, _cut(kind, _KIND), _KIND, QUIET)
    top = 142
    for figure, told in lines:
        for line in _wrapped(figure, _FIGURE, 1 if told else LINES):
            _put(image, top, line, _FIGURE)
            top += 28
        _put(image, top, _cut(told, _FOOT), _FOOT, QUIET)
        top += 29
    _put(image, SIZE[1] - 39, _cut(f"rackledger · {address}", _FOOT), _FOOT, QUIET)
    few = image.point([grey * GREYS // 256 for grey in range(256)])
    few.putpalette(_PALETTE)
    kept = io.BytesIO()
    few.save(kept, "PNG", compress_level=2, bits=4)
    return kept.getvalue()


def _put(image: Image.Image, top: int, text: str, size: int, strength: int = 255) -> None:
    if text:
        image.paste(strength, (EDGE, top), _drawn(text, size))


@lru_cache(maxsize=2_000)  # who said it and when, and the address, stand on many pictures
def _drawn(text: str, size: int) -> Image.Image:
    """A line of text as what it covers, up to the edge of a picture."""
    line = Image.new("L", (SIZE[0] - EDGE, size * 3 // 2), 0)
    ImageDraw.Draw(line).text((0, 0), text, font=_font(size), fill=255)
    return line.crop((0, 0, *(line.getbbox() or (0, 0, 1, 1))[2:]))


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("Pillow was built without FreeType; its wheels have it")
    return font


def _shown(text: str) -> str:
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


@lru_cache(maxsize=2_000)
def _cut(text: str, size: int) -> str:
    """The text as far as it fits, with an ellipsis where it is cut."""
    return _wrapped(text, size, 1)[0]


def _wrapped(text: str, size: int, most: int) -> Sequence[str]:
    """The text in at most so many lines of the picture's width; what does not fit ends in an ellipsis."""
    room, font = SIZE[0] - 2 * EDGE, _font(size)
    shown = _shown(text)[:400]  # measuring costs time by the letter
    lines: list[str] = []
    while shown and font.getlength(shown) > room:
        fits = _fitting(shown, font, room)
        if len(lines) == most - 1:
            return [*lines, shown[:fits].rstrip() + "…"]
        at = shown.rfind(" ", 1, fits + 1)
        at = at if at > 0 else fits
        lines.append(shown[:at])
        shown = shown[at:].lstrip()
    return [*lines, shown]


def _fitting(text: str, font: ImageFont.FreeTypeFont, room: float) -> int:
    """How many of the first letters fit beside an ellipsis."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if font.getlength(text[:middle] + "…") <= room else (low, middle - 1)
    return low
