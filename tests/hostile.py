"""Forty strings that would do something wherever outside text is taken for markup, code, a formula or an address.

Plant them as names, titles, values and addresses, look at every page and download, and ask `harm_in(page)`.
"""

from __future__ import annotations

from typing import Any

MARK = "planted"

STRINGS: tuple[str, ...] = (
    # HTML
    "<script>document.title='planted'</script>",
    "<img src=x onerror=\"document.title='planted'\">",
    "<svg onload=\"document.title='planted'\">",
    "<iframe src=\"javascript:parent.document.title='planted'\"></iframe>",
    '<a href="javascript:void(0)" id="planted">planted</a>',
    "<style>body{background:red}</style>",
    "</script><script>alert('planted')</script>",
    '"><input id="planted" autofocus onfocus=alert(1)>',
    "<b id=planted>bold</b>",
    "&lt;script&gt;alert('planted')&lt;/script&gt;",
    "<details open ontoggle=alert('planted')>",
    "<math><mtext></mtext><img src=x onerror=alert('planted')></math>",
    # Markdown, as Streamlit reads it
    "[planted](javascript:alert(1))",
    "[planted](http://planted.invalid/page)",
    "![planted](http://planted.invalid/pixel.png)",
    "**planted** _planted_ ~~planted~~",
    "# planted heading",
    "> planted quote",
    "`planted` ```planted```",
    "| planted | table |\n|---|---|\n| a | b |",
    ":red[planted] :material/delete: :smile:",
    ":red-background[planted]",
    "<http://planted.invalid/auto>",
    "http://planted.invalid/bare",
    "- planted\n- list",
    # LaTeX
    "$planted^2$",
    "$$\\href{javascript:alert(1)}{planted}$$",
    "\\(\\unicode{x70}\\)",
    # Vega expressions and specifications
    "datum.planted; alert(1)",
    "{{planted}} ${planted}",
    '{"signal": "planted"}',
    "'+alert('planted')+'",
    "planted.name[0]",
    "\\n',window.planted=1,'",
    # addresses
    "javascript:alert('planted')",
    "data:text/html,<script>alert('planted')</script>",
    # formulas of spreadsheets
    "=HYPERLINK(\"http://planted.invalid\",\"planted\")",
    "+cmd|' /C calc'!A0",
    "@SUM(1+1)*planted",
    "\t=1+1",
)  # fmt: skip


def harm_in(page: Any) -> list[str]:
    """What the strings did to an open page: nothing, when the list is empty."""
    found: list[str] = page.evaluate(
        """() => {
            const wrong = [];
            const all = (s) => [...document.querySelectorAll(s)];
            if (document.title === 'planted' || window.planted) wrong.push('a script ran');
            for (const e of all('#planted, iframe[src^="javascript"], svg[onload], details[ontoggle], img[src="x"]'))
                wrong.push('element: ' + e.outerHTML.slice(0, 120));
            for (const e of all('a[href]')) {
                const to = e.getAttribute('href');
                if (/^\\s*(javascript|data):/i.test(to)) wrong.push('link: ' + to.slice(0, 120));
            }
            for (const e of all('img[src*="planted"], iframe[src*="planted"]')) wrong.push('loads: ' + e.src);
            for (const e of all('.katex')) wrong.push('formula: ' + e.textContent.slice(0, 80));
            const marked = /^\\s*planted( heading| quote| list)?\\s*$/;
            for (const e of all('strong, em, del, h1, h2, h3, blockquote p, td, li'))
                if (marked.test(e.textContent)) wrong.push('markup: ' + e.outerHTML.slice(0, 120));
            if (getComputedStyle(document.body).backgroundColor === 'rgb(255, 0, 0)') wrong.push('a style applied');
            return wrong;
        }"""
    )
    return found


def csv_harm(text: str) -> list[str]:
    """Cells of a CSV that a spreadsheet would run."""
    import csv
    import io

    starts = ("=", "+", "-", "@", "\t", "\r")
    return [
        cell
        for row in csv.reader(io.StringIO(text))
        for cell in row
        if cell.startswith(starts) and not _is_number(cell)
    ]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
