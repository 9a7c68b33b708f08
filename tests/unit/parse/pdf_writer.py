"""Writes small PDF files by hand for the tests: text at places, ruled tables, and a password where asked."""

from __future__ import annotations

import zlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Put:
    """A line of text on a page: points from the left and from the bottom."""

    text: str
    x: float
    y: float
    size: float = 10


@dataclass(frozen=True)
class Rule:
    """A straight line on a page."""

    x0: float
    y0: float
    x1: float
    y1: float


def write_pdf(pages: list[list[Put | Rule]], *, info: str = "", encrypt: str = "", compress: bool = True) -> bytes:
    """A PDF 1.4 file of A4 pages in Helvetica; `info` and `encrypt` are raw dictionary entries."""
    objects: list[bytes] = [b"", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for page in pages:
        stream = "\n".join(_draw(part) for part in page).encode("latin-1")
        body = zlib.compress(stream) if compress else stream
        kind = b"/Filter /FlateDecode " if compress else b""
        objects.append(b"<< %s/Length %d >>\nstream\n%s\nendstream" % (kind, len(body), body))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>"
            b" /Contents %d 0 R >>" % len(objects)
        )
        kids.append(f"{len(objects)} 0 R")
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(pages)} >>".encode()
    trailer = "/Root 1 0 R"
    if info:
        objects.append(f"<< {info} >>".encode("latin-1"))
        trailer += f" /Info {len(objects)} 0 R"
    if encrypt:
        objects.append(f"<< {encrypt} >>".encode("latin-1"))
        trailer += f" /Encrypt {len(objects)} 0 R /ID [<{'00' * 16}> <{'00' * 16}>]"
    return _join(objects, trailer)


def _draw(part: Put | Rule) -> str:
    if isinstance(part, Rule):
        return f"{part.x0} {part.y0} m {part.x1} {part.y1} l S"
    text = part.text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /F1 {part.size} Tf {part.x} {part.y} Td ({text}) Tj ET"


def _join(objects: list[bytes], trailer: str) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} {trailer} >>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)
