"""From tokens a second and megawatt to revenue, and back: what a vendor's token rate is worth, if it is reached."""

from __future__ import annotations

from pipelines.frozen import frozen
from warehouse.calculators.base.model import Calculator, Lookup, Part, Reference, cited, figure, number
from warehouse.calculators.base.quantity import q, to

LOCKWOOD = "https://blog.glennklockwood.com/"
SECONDS_A_YEAR = 31_536_000.0


@frozen(kw_only=True)
class Inputs:
    """A site that sells tokens."""

    rate: float = number(
        "Tokens a second and megawatt",
        "tokens/s/MW",
        9_200_000,
        1,
        1e12,
        between=(2_000_000, 9_200_000),
        lookup=Lookup("nvidia-gb200-nvl72", "token_rate", (("per", "MW"),)),
        help="a maker's claim for one point of its chart, unless you type your own",
    )
    price: float = number(
        "Price of a million tokens",
        "USD",
        10,
        0.0001,
        10_000,
        between=(1, 10),
        origin=cited(
            "what 500 million dollars a megawatt and year at two million tokens a second come to",
            LOCKWOOD,
            "2025-03-21",
            "estimated",
        ),
    )
    site: float = number("Power of the site", "MW", 1, 0.001, 100_000)
    sold: float = number(
        "Tokens that are sold", "%", 100, 0.1, 100, between=(20, 100), help="of those the site could make"
    )
    electricity: float = number("Electricity", "USD/kWh", 0.087, 0, 2, between=(0.05, 0.15))
    target: float = number("Revenue to reach", "USD/year", 1_000_000_000, 1, 1e15)


@frozen
class Outputs:
    """`parts` add up to `revenue`."""

    revenue: float = figure("Revenue", "USD/year")
    per_megawatt: float = figure("Revenue a megawatt", "USD/year")
    tokens: float = figure("Tokens sold", "tokens/year")
    energy: float = figure("Electricity in a million tokens", "USD")
    needed_price: float = figure("Price to reach the revenue", "USD", help="of a million tokens")
    needed_rate: float = figure("Rate to reach the revenue", "tokens/s/MW")
    parts: tuple[Part, ...] = ()


def revenue_per_megawatt(rate: float, price: float) -> float:
    """USD a year and megawatt for tokens/s/MW at a price in USD per million tokens."""
    tokens = q(rate, "token/second/megawatt") * q(SECONDS_A_YEAR, "second")
    return to(tokens * q(price / 1e6, "USD/token"), "USD/megawatt")


def calculate(inputs: Inputs) -> Outputs:
    """Revenue = rate x seconds of a year x price x megawatts x share sold."""
    sold = inputs.sold / 100
    full = revenue_per_megawatt(inputs.rate, inputs.price) * inputs.site
    tokens = inputs.rate * SECONDS_A_YEAR * inputs.site * sold
    energy = q(inputs.site, "megawatt") * q(SECONDS_A_YEAR, "second") * q(inputs.electricity, "USD/(kilowatt*hour)")
    return Outputs(
        revenue=full * sold,
        per_megawatt=full * sold / inputs.site,
        tokens=tokens,
        energy=to(energy, "USD") / tokens * 1e6,
        needed_price=inputs.target / tokens * 1e6,
        needed_rate=inputs.target / (revenue_per_megawatt(1, inputs.price) * inputs.site * sold),
        parts=(
            Part("At the full rate", full, "every token the site could make is sold"),
            Part("Tokens not sold", full * (sold - 1), "idle and unsold time"),
        ),
    )


CALCULATOR = Calculator(
    calculate, "Token factory", "What are tokens a second and megawatt worth?",
    headline="revenue",
    formula=(
        "revenue = tokens/s/MW x 31,536,000 s x price / 1,000,000 x MW x share sold",
        "and back: price or rate that reaches a revenue",
    ),
    sources=(Reference("Glenn K. Lockwood on the token charts of GTC 2025", LOCKWOOD),),
    lesson="serving-cost",
    notes=("The rate is a vendor's claim at one point of its curve: fewer users at once or a larger model give less.",),
)  # fmt: skip
