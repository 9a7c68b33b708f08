"""The picture that others show beside a link to a page: its name, what it is, its first figures with their evidence.

Drawn by Pillow with its own font, so that the same words give the same bytes on every machine. Words are drawn, never
read as markup; characters that would turn or hide others are left out.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterable, Sequence
from functools import cache, partial

from PIL import Image, ImageDraw, ImageFont

from warehouse.answers.plain_html import Outside, Own, PlainFile, SitePage

FOLDER = "preview"
KINDS = ("thing", "org", "benchmark", "lesson")
FRONT = f"{FOLDER}/index.png"
FORM = "2"  # changes with the form of the pictures: all are then drawn anew
SIZE, EDGE = (800, 420), 42  # drawing costs by the pixel, and there are thousands
LINES = 4  # figures shown
_PAPER, _INK = (250, 250, 247), (22, 32, 48)
# a grey of the drawing is that share of the way from paper to ink
_PALETTE = [
    round(low + (high - low) * grey / 255) for grey in range(256) for low, high in zip(_PAPER, _INK, strict=True)
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
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, SIZE[0], 9), fill=255)
    draw.text((EDGE, 36), _cut(title, _TITLE), font=_font(_TITLE), fill=255)
    draw.text((EDGE, 97), _cut(kind, _KIND), font=_font(_KIND), fill=150)
    top = 142
    for figure, told in lines:
        for line in _wrapped(figure, _FIGURE, 1 if told else LINES):
            draw.text((EDGE, top), line, font=_font(_FIGURE), fill=255)
            top += 28
        draw.text((EDGE, top), _cut(told, _FOOT), font=_font(_FOOT), fill=150)
        top += 29
    draw.text((EDGE, SIZE[1] - 39), _cut(f"rackledger · {address}", _FOOT), font=_font(_FOOT), fill=150)
    image.putpalette(_PALETTE)
    kept = io.BytesIO()
    image.save(kept, "PNG", compress_level=2)
    return kept.getvalue()


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("Pillow was built without FreeType; its wheels have it")
    return font


def _shown(text: str) -> str:
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


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
