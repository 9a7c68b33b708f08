"""Where a card stands for others' pages, and what they paste to show it there. Pure."""

from __future__ import annotations

import html

FOLDER = "embed"
ROOM_FOR_WORDS = 260  # pixels: what title, question and foot take beside the chart, until the page says its height
MESSAGE = "rackledger:height"
embeddable: set[str] = set()  # the charts that are served there; whoever serves them names them


def embed_path(name: str) -> str:
    """Where the page of a card stands, below the root."""
    return f"{FOLDER}/{name}/"


def snippet(card_id: str, title: str, height: int, root: str, query: str = "") -> str:
    """What to paste: the frame, and what lets it take the height of what is in it; `query` is the chart's state."""
    name = html.escape(f"rackledger-{card_id}", quote=True)
    address = f"{root}{embed_path(card_id)}{f'?{query}' if query else ''}"
    return (
        f'<iframe id="{name}" src="{html.escape(address, quote=True)}" '
        f'title="{html.escape(title, quote=True)}" width="100%" height="{height}" style="border:0" loading="lazy">'
        f'</iframe>\n<script>addEventListener("message",e=>{{const f=document.getElementById("{name}");'
        f'if(f&&e.source===f.contentWindow&&e.data&&e.data.type==="{MESSAGE}"&&e.data.height>0)f.height=e.data.height}})</script>'
    )
