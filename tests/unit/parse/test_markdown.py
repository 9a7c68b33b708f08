"""Markdown: front matter, lists, tables with and without a rule, and the marks that are not text."""

from __future__ import annotations

from datetime import date

from pipelines.model.document import BlockKind, DateBasis, Document
from pipelines.parse.markdown import parse_markdown, split_front_matter


def parse(text: str) -> Document:
    return parse_markdown(text, None, date(2025, 6, 1))


def texts(document: Document) -> list[str]:
    return [document.text_of(block) for block in document.blocks]


def test_front_matter_gives_facts_and_no_text() -> None:
    document = parse(
        "---\ntitle: R72 rack\ndate: 2025-03-18 10:00:00\nauthor: Ada\nlang: en\ntags:\n  - x\n---\n\n132 kW\n"
    )
    assert document.text == "132 kW"
    assert (document.title, document.authors, document.language) == ("R72 rack", ("Ada",), "en")
    assert (document.published_on, document.published_basis) == (date(2025, 3, 18), DateBasis.META)


def test_toml_and_broken_front_matter() -> None:
    assert split_front_matter('+++\ntitle = "R72"\n+++\nx') == ({"title": "R72"}, "x")
    assert split_front_matter("---\ntitle: [\n---\nx") == ({}, "x")
    assert split_front_matter("---\nJust a rule above\n---\nx") == ({}, "---\nJust a rule above\n---\nx")


def test_blocks_and_heading_paths() -> None:
    document = parse(
        "# R72\n\nText with *marks*, `code`,\nand [a link](https://example.com/9x).\n\n"
        "## Power\n\n> 132 kW\n\n```\na  b\n```\n"
    )
    assert [(block.kind, block.heading_path) for block in document.blocks] == [
        (BlockKind.HEADING, ()),
        (BlockKind.PARAGRAPH, ("R72",)),
        (BlockKind.HEADING, ("R72",)),
        (BlockKind.QUOTE, ("R72", "Power")),
        (BlockKind.CODE, ("R72", "Power")),
    ]
    assert texts(document) == ["R72", "Text with marks, code, and a link.", "Power", "132 kW", "a  b"]


def test_a_table_keeps_empty_cells() -> None:
    document = parse("| Type | VFMA | Matrix |\n| --- | --- | --- |\n| FP32 | 180 | |\n| FP16 | | 5000 |\n")
    assert document.rows_of(document.tables[0]) == (
        ("Type", "VFMA", "Matrix"),
        ("FP32", "180", ""),
        ("FP16", "", "5000"),
    )
    assert document.text.splitlines()[1] == "| FP32 | 180 |  |"


def test_a_pipe_table_without_a_rule_is_a_table() -> None:
    document = parse("Vendor\n\nModel|Form|TDP (Watts)\nB200|SXM|1000\nB100|SXM|700\n")
    assert document.rows_of(document.tables[0]) == (
        ("Model", "Form", "TDP (Watts)"),
        ("B200", "SXM", "1000"),
        ("B100", "SXM", "700"),
    )
    assert (document.tables[0].header_rows, document.tables[0].header_columns) == (1, 1)


def test_pipes_in_code_are_no_table() -> None:
    assert parse("```\na|b|c\nd|e|f\n```\n").tables == ()


def test_wiki_links_footnotes_templating_and_escapes() -> None:
    document = parse(
        "[[H100|The H100]] and [[B200]]s[^1] {% if x %}draw{{< b >}} 1 kW; AMD\\'s\n\n[^1]: https://example.com/1\n"
    )
    assert texts(document) == ["The H100 and B200s[^1] draw 1 kW; AMD's", "[^1]: https://example.com/1"]


def test_admonitions_are_unfolded() -> None:
    assert texts(parse('!!! info "Note"\n    The rack draws 132 kW.\n\n    Twice.\n\nAfter.\n')) == [
        "Note",
        "The rack draws 132 kW.",
        "Twice.",
        "After.",
    ]


def test_html_inside_markdown_is_read_as_html() -> None:
    document = parse(
        "<table><tr><th>kW<th>GPUs</tr><tr><td>132<td>72</tr></table>\n\n<!-- 120 kW -->\n\nAMD<br>Nvidia\n"
    )
    assert document.rows_of(document.tables[0]) == (("kW", "GPUs"), ("132", "72"))
    assert texts(document)[-1] == "AMD\nNvidia"
    assert "120" not in document.text


def test_credits_and_lists_of_links_are_furniture() -> None:
    document = parse(
        "132 kW\n\n**Written using an assistant.**\n\n- [One](https://a.example)\n- [Two](https://b.example)\n"
    )
    assert texts(document) == ["132 kW"]
    assert texts(parse("- [One](https://a.example) of 72\n- [Two](https://b.example)\n")) == ["One of 72", "Two"]


def test_a_directive_of_tables_in_a_fence_is_a_table_and_any_other_fence_is_code() -> None:
    document = parse(
        "```{list-table} Peak\n:header-rows: 1\n\n*\n  - Type\n  - TFLOPS\n*\n  - FP64\n  - 81.7\n```\n\n"
        "```{eval-rst}\n.. csv-table::\n   :header: GPU, W\n\n   R72, 132\n```\n\n```{code-block} yaml\n*\n  - x\n```\n"
    )
    assert [document.rows_of(table) for table in document.tables] == [
        (("Type", "TFLOPS"), ("FP64", "81.7")),
        (("GPU", "W"), ("R72", "132")),
    ]
    assert [texts(document)[-1], document.blocks[-1].kind] == ["*\n  - x", BlockKind.CODE]
