"""What the README answers is what the ledger says."""

from __future__ import annotations

from pipelines.settings import PROJECT_ROOT
from warehouse.answers import claim_words
from warehouse.read import Warehouse

STANDING = """
    SELECT claim_id, qualifiers['basis'] AS basis, lost
    FROM evidence.resolved(DATE '2026-11-23', subjects := ['nvidia-gb200-nvl72'])
    WHERE metric = 'power' AND qualifiers['per'] = 'rack'"""
CLAIMS = """
    SELECT *, qualifiers['bound'] AS bound, qualifiers['approx'] AS approx
    FROM evidence.claims WHERE subject_id = 'nvidia-gb200-nvl72' AND metric = 'power' AND qualifiers['per'] = 'rack'"""


def test_the_first_answer_is_what_the_ledger_holds(market: Warehouse) -> None:
    shown = (PROJECT_ROOT / "README.md").read_text(encoding="utf-8").split("| kW per rack |")[1].split("\n\n")[0]
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in shown.splitlines()[2:]]
    becomes = {}
    for row in market.rows(STANDING):
        becomes[row["claim_id"]] = f"stands, as {row['basis']}" if row["basis"] else "stands"
        becomes |= {lost["claim_id"]: lost["why"] for lost in row["lost"]}
    known = set()
    for row in market.rows(CLAIMS):
        printer = f", printed by {row['printed_by']}" if row["printed_by"] != row["claimant"] else ""
        known.add((
            claim_words.value_words(row).removesuffix(" kW"), f"{row['claimant']}{printer}", str(row["evidence"]),
            claim_words.stated_words(row).split(" given")[0], becomes[row["claim_id"]],
        ))  # fmt: skip
    assert len(rows) == 5
    assert set(rows) <= known
