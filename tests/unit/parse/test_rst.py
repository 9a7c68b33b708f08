"""reStructuredText: sections, list tables, drawn tables, directives and inline marks."""

from __future__ import annotations

from datetime import date

from pipelines.model.document import BlockKind, Document
from pipelines.parse.rst import inline_words, parse_rst


def parse(text: str) -> Document:
    return parse_rst(text, None, date(2025, 6, 1))


def test_sections_take_their_level_from_the_order_of_their_marks() -> None:
    document = parse("====\nRack\n====\n\nPower\n-----\n\nText.\n\nCooling\n-------\n\nPumps\n^^^^^\n\nMore.\n")
    assert [(block.level, document.text_of(block), block.heading_path) for block in document.blocks] == [
        (1, "Rack", ()),
        (2, "Power", ("Rack",)),
        (0, "Text.", ("Rack", "Power")),
        (2, "Cooling", ("Rack",)),
        (3, "Pumps", ("Rack", "Cooling")),
        (0, "More.", ("Rack", "Cooling", "Pumps")),
    ]
    assert document.title == "Rack"


def test_a_list_table_with_header_rows_and_lists_in_cells() -> None:
    document = parse(
        ".. list-table:: Figures\n   :header-rows: 1\n   :stub-columns: 1\n\n   * -\n     - R72\n     - R36\n"
        "   * - Memory (GB)\n     - 288\n     - -\n   * - Compute\n     - Delivers:\n"
        "\n       * 15 dense\n       * 30 **sparse**\n     - 7\n"
    )
    (table,) = document.tables
    assert document.rows_of(table) == (
        ("", "R72", "R36"),
        ("Memory (GB)", "288", "-"),
        ("Compute", "Delivers:\n15 dense\n30 sparse", "7"),
    )
    assert (table.header_rows, table.header_columns) == (1, 1)
    assert table.caption is not None
    assert document.text[slice(*table.caption)] == "Figures"


def test_grid_and_simple_tables() -> None:
    grid = "+------+-----+\n| GPU  | kW  |\n+======+=====+\n| R72  | 132 |\n"
    grid += "+------+-----+\n| both rows  |\n+------+-----+\n"
    document = parse(grid + "\n====  ===\nGPU   kW\n====  ===\nR36   66\n      max\n====  ===\n\nAfter.\n")
    assert [document.rows_of(table) for table in document.tables] == [
        (("GPU", "kW"), ("R72", "132"), ("both rows", "both rows")),
        (("GPU", "kW"), ("R36", "66 max")),
    ]
    assert [table.header_rows for table in document.tables] == [1, 1]
    assert document.text.endswith("After.")


SPANS = """\
+--------+---------------+-------+
| Chip   | Memory        | Power |
|        +-------+-------+       |
|        | GB    | TB/s  | (W)   |
+========+=======+=======+=======+
| W1     | 96    | 4.8   | 600   |
+--------+-------+-------+-------+
| W2     | 192   | 8     | 1000  |
| plus   +-------+-------+-------+
| ultra  | 288   | n/a   | 1400  |
+--------+-------+-------+-------+
"""


def test_cells_of_a_grid_span_rows_where_a_rule_has_gaps() -> None:
    (table,) = parse(SPANS).tables
    assert parse(SPANS).rows_of(table) == (
        ("Chip", "Memory", "Memory", "Power (W)"),
        ("Chip", "GB", "TB/s", "Power (W)"),
        ("W1", "96", "4.8", "600"),
        ("W2 plus ultra", "192", "8", "1000"),
        ("W2 plus ultra", "288", "n/a", "1400"),
    )
    assert table.header_rows == 2


def test_a_csv_table() -> None:
    document = parse('.. csv-table:: Racks\n   :header: "GPU", "kW"\n\n   "R72", 132\n   "R36, half", 66\n')
    assert document.rows_of(document.tables[0]) == (("GPU", "kW"), ("R72", "132"), ("R36, half", "66"))


def test_directives_give_their_words_or_nothing() -> None:
    document = parse(
        ".. meta::\n   :date: 2025-03-18\n\n.. _label:\n\n.. toctree::\n   other\n\n.. note:: Mind\n   the power.\n\n"
        ".. image:: rack.png\n   :align: center\n\n.. code-block:: sh\n\n   run  72\n\n"
        ".. a comment\n   goes on\n\nEnd::\n\n   literal\n"
    )
    assert [(block.kind, document.text_of(block)) for block in document.blocks] == [
        (BlockKind.PARAGRAPH, "Mind"),
        (BlockKind.PARAGRAPH, "the power."),
        (BlockKind.CODE, "run  72"),
        (BlockKind.PARAGRAPH, "End:"),
        (BlockKind.CODE, "literal"),
    ]
    assert document.published_on == date(2025, 3, 18)


def test_inline_marks() -> None:
    printed = "**72** *GPUs* ``x`` :ref:`the rack <rack-72>` `docs <https://example.com>`__ :doc:`a` 2 * 3 * 4 [1]_"
    assert inline_words(printed) == "72 GPUs x the rack docs a 2 * 3 * 4 [1]"


def test_fields_under_the_title_tell_of_the_document_and_later_ones_are_a_table() -> None:
    head = "Node\n====\n:Date: 2025-03-04\n:orphan:\n\nHardware\n--------\n"
    document = parse(f"{head}:GPU memory: 96 GB\n:NVLink: 600 GB/s,\n   both ways\n:Notes:\n\nAfter.\n")
    assert document.published_on == date(2025, 3, 4)
    (table,) = document.tables
    assert document.rows_of(table) == (("GPU memory", "96 GB"), ("NVLink", "600 GB/s, both ways"))
    assert (table.header_rows, table.header_columns) == (0, 1)
    assert document.text.startswith("Node\n\nHardware\n\n")
    assert document.text.endswith("After.")


def test_one_field_or_a_long_one_is_text() -> None:
    document = parse(f"Text.\n\n:power: 700 W\n\nMore.\n\n:a: b\n:returns: {'words ' * 60}\n")
    assert document.tables == ()
    assert "power: 700 W" in document.text
    assert "returns: words words" in document.text
