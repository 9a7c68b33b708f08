"""A document as one HTML page with the values that were read marked. Pure; all text of the document is escaped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from html import escape

from pipelines.model.claim import ExtractedClaim, Span

# no script, no picture, no address is followed: the page is text, whatever stands in the document
_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }}
mark a {{ color: inherit; }}
mark.confident {{ background: #b7e1c0; }}
mark.candidate {{ background: #ffe9a8; }}
table {{ border-collapse: collapse; }}
td, th {{ border-bottom: 1px solid #ccc; padding: .2rem .6rem; text-align: left; vertical-align: top; }}
</style></head><body>
"""


def marked_page(
    title: str, text: str, claims: Sequence[ExtractedClaim], columns: Sequence[str], rows: Sequence[Mapping[str, str]]
) -> str:
    """The page: `rows` has the words of each claim by column, in the order of `claims`; marks and rows link each other.

    A value is marked once however many claims share it, and links to the first; of two that overlap the earlier is
    marked. Every claim has its row.
    """
    head = "".join(f"<th scope='col'>{escape(name)}</th>" for name in columns)
    body = "\n".join(
        f"<tr id='row-{at}'><td><a href='#at-{claim.value_at.start}'>{at}</a></td>"
        + "".join(f"<td>{escape(row[name])}</td>" for name in columns)
        + "</tr>"
        for at, (claim, row) in enumerate(zip(claims, rows, strict=True), 1)
    )
    return (
        f"{_HEAD.format(title=escape(title))}<h1>{escape(title)}</h1>\n"
        f"<table><thead><tr><th scope='col'>no.</th>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>\n"
        f"<h2>Text</h2>\n<pre>{_marked(text, claims)}</pre>\n</body></html>\n"
    )


def _marked(text: str, claims: Sequence[ExtractedClaim]) -> str:
    """The text with each value between marks, in one pass."""
    read: dict[Span, list[tuple[int, ExtractedClaim]]] = defaultdict(list)
    for at, claim in enumerate(claims, 1):
        read[claim.value_at].append((at, claim))
    pieces: list[str] = []
    done = 0
    for span in sorted(read):
        if span.start < done or span.end <= span.start:
            continue
        state = "confident" if any(claim.state == "confident" for _, claim in read[span]) else "candidate"
        label = "; ".join(f"{claim.subject}: {claim.metric}" for _, claim in read[span])
        pieces += [
            escape(text[done : span.start]),
            f"<mark class='{state}' id='at-{span.start}' title='{escape(label)}'><a href='#row-{read[span][0][0]}'>",
            f"{escape(text[span.start : span.end])}</a></mark>",
        ]
        done = span.end
    return "".join([*pieces, escape(text[done:])])
