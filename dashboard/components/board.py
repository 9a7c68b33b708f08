"""Cards in plain HTML: findings with their small charts, lists of what happened. All text is escaped."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st

from dashboard.findings import Finding, Strong
from warehouse.answers import evidence, formats


def tag_html(tag: str) -> str:
    """A tag's mark and word, with its meaning on pointing."""
    if not tag:
        return ""
    return f'<span class="tag" title="{html.escape(evidence.meaning(tag))}">{html.escape(evidence.mark(tag))}</span>'


def sentence_html(sentence: Sequence[str]) -> str:
    """A sentence with its numbers in bold."""
    return "".join(
        f"<b>{html.escape(part)}</b>" if isinstance(part, Strong) else html.escape(part) for part in sentence
    )


def finding_html(finding: Finding, picture: str, *, is_wide: bool = False) -> str:
    """A card: what it is about, the sentence, its small chart, tag, who, what bounds it, and the way to the room."""
    said = html.escape(finding.said)
    told = f'<a href="{link(finding.href)}">{said}</a>' if finding.href and said else said
    late = finding.notes[-1] if finding.is_late else ""
    notes = "".join(
        f'<span class="{"late" if note == late else ""}">{html.escape(note)}</span>' for note in finding.notes
    )
    wide = " wide" if is_wide else ""
    return (
        f'<section class="card{wide}" id="{finding.id}"><p class="topic">{html.escape(finding.topic)}</p>'
        f"<h2>{sentence_html(finding.sentence)}</h2>{picture}"
        f'<p class="foot"><span>{tag_html(finding.tag)} {told}</span>{notes}'
        f'<a class="room" href="./{finding.page}">{html.escape(finding.room)}</a></p></section>'
    )


def link(address: str) -> str:
    """An address for a link: a page of ours, or a web address that may be followed; '' for anything else."""
    return html.escape(formats.safe_url(address) if "://" in address else f"./{address.lstrip('./')}")


def list_html(
    title: str, says: str, rows: Sequence[tuple[str, str, str, str, bool, str]], *, foot: str = "", kind: str = "",
    box: str = "",
) -> str:  # fmt: skip
    """A card of lines: day, words, tag, size, whether the size is lateness, and where it leads; `box` is above them."""
    lines = "".join(
        f'<li><time>{html.escape(day)}</time><span class="what">{_led(words, href)}</span><span>{tag_html(tag)}</span>'
        f'<b class="{"late" if is_late else ""}">{html.escape(size)}</b></li>'
        for day, words, tag, size, is_late, href in rows
    )
    return (
        f'<section class="card{f" {kind}" if kind else ""}"><h2>{html.escape(title)}</h2>'
        f'<p class="says">{html.escape(says)}</p>{f"""<p class="box">{box}</p>""" if box else ""}'
        f'<ul class="lines">{lines}</ul>{foot}</section>'
    )


def _led(words: str, href: str) -> str:
    return f'<a href="{link(href)}">{html.escape(words)}</a>' if href else html.escape(words)


def show_board(pieces: Sequence[str], *, key: str) -> None:
    """Draw cards in their grid, in one piece, so that nothing moves while it comes."""
    with st.container(key=f"board_{key}"):
        st.html(f'<div class="board">{"".join(pieces)}</div>')
