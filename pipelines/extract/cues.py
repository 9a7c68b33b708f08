"""The words that say what a figure is a figure of, by kind of unit: tables of the field's language, nothing else.

Each table holds (metric, wanted words, unwanted words): the first whose wanted words stand nearest and whose unwanted
words do not is the metric. '' as metric means: a figure of something that is no metric here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that point to a metric; '' points away from all."""

    metric: str
    words: re.Pattern[str]


def _cue(metric: str, words: str) -> Cue:
    return Cue(metric, re.compile(rf"(?<![A-Za-z])(?:{words})(?![A-Za-z])", re.IGNORECASE))


MEMORY_TYPE = re.compile(r"\b(HBM ?\d?[eE]?|GDDR\d?X?|LPDDR\d?[xX]?|SRAM)(?![A-Za-z])", re.IGNORECASE)
PRECISION = re.compile(
    r"(?<![A-Za-z])(?P<one>(?:NV|MX|c)?FP ?-?(?:4|6|8|16|32|64)|BF ?16|bfloat16|TF ?32|INT ?-?(?:4|8|16|"
    r"32)|MXFP\d)(?!\d)"
    r"(?:\s?\([^)]{1,12}\))?",
    re.IGNORECASE,
)
# 'of 64-bit performance', '8-bit floating point'
WIDTH = re.compile(r"^\s(?:of )?(?P<bits>4|8|16|32|64)[- ]bit\b(?! int)", re.IGNORECASE)

_SCALE_UP = (
    r"NV-?Link(?![- ]?(?:C2C|HBI))(?: v?\d)?|NVSwitch|Infinity Fabric|ICI|inter-?chip interconnects?|"
    r"Neuron-?Link(?:-v\d)?|UA-?Link|xGMI|"
    r"scale[- ]?up|intra-rack|in-rack|chip-to-chip|GPU-to-GPU|GPU-GPU|device-to-device|from GPU-GPU|"
    r"die-to-die GPU|interconnect bandwidth|"
    r"all-to-all bandwidth|bisection"
)
_SCALE_OUT = (
    r"Ethernet|Infini-?band|NICs?|SuperNICs?|scale[- ]?out|ConnectX[®™]?[-\d ]*|CX-?\d|RoCE(?:v2)?|"
    r"OSFP|QSFP\S*|EFA(?:v\d)?|"
    r"cross-rack|inter-rack|Slingshot|Spectrum-?X|Quantum-?X?\d*|Omni-Path|network(?:ing)?(?: bandwidth| adapters?|"
    r" interfaces?)?|backend|ports?|HCAs?|DPUs?|"
    r"BlueField[®™]?[-\d ]*|transceivers?|(?<!NVLink )(?<!NVLink-)switch(?:es|ing(?: capacity)?)?"
)
_NOT_LINKS = (
    r"PCI-?e(?: Gen ?\d)?|PCI Express|(?:NV-?Link[- ])?(?:C2C|HBI)|CPU-to-GPU|"
    r"(?:the )?GPU and (?:the )?CPUs?|CPUs?|storage|read|write|disks?|DMA|NVMe|SSDs?|"
    r"file ?systems?|"
    r"checkpoint\w*|SBUF|Lustre|"
    r"caches?|L[123]|DDR[345]|DRAM|host|per pin|per lane|lane-?pairs?|lanes?|optical fib\w+|"
    r"wavelengths?|AllGather|all-?reduce|"
    r"alltoall|reduce|ingest|scratchpad|effective|transfer speed|HPL"
)

BYTES = (
    _cue("",
        r"storage|disks?|SSDs?|NVMe|HDDs?|drives?|caches?|L[123]|KV|DDR[345]\w?|DIMMs?|weights?|"
        r"parameters?|models?|files?|"
             r"checkpoints?|host memory|data ?sets?|of data|raw|file ?systems?|scratchpad|SBUF|"
             r"footprint|contexts?|swap|quota|"
             r"gradients?|optimizer|activations?|boot|flash|download|node memory|standard memory|"
             r"total memory available"),
    _cue("memory_capacity", r"HBM ?\d?[eE]?|GDDR\d?X?|LPDDR\d?X?|V?RAM|memory|SRAM|capacity"),
)  # fmt: skip
BYTE_RATE = (
    _cue("", _NOT_LINKS),
    _cue("scale_up_bandwidth", _SCALE_UP),
    _cue("memory_bandwidth", r"HBM ?\d?[eE]?|GDDR\d?X?|LPDDR\d?X?|memory(?: bandwidth)?|DRAM|SRAM"),
    _cue("scale_out_bandwidth", _SCALE_OUT),
)
BIT_RATE = (
    _cue("", _NOT_LINKS),
    _cue("scale_up_bandwidth", _SCALE_UP),
    _cue("memory_bandwidth", r"HBM ?\d?[eE]?|memory bandwidth|high-bandwidth memory"),
    _cue("scale_out_bandwidth", _SCALE_OUT + r"|data throughput|network bandwidth"),
)
BARE_RATE = (
    _cue("", r"SERDES|parameters?|params?|tokens?|models?|lanes?|MoE|DDR\d|memory|frontend"),
    _cue("scale_out_bandwidth", _SCALE_OUT),
)
POWER = (
    _cue("",
        r"solar|nuclear|wind|gas|generators?|turbines?|batter(?:y|ies)|UPS|cooling capacity|CDUs?|"
        r"heat rejection|requires? cooling|rectifiers?|PSUs?|"
        r"reactors?|grid|homes?|hydro\w*|"
             r"motor|engine|cars?|vehicles?|substations?|power plants?|charger|adapter|saves?|savings?|saving"),
    _cue("port_power", r"per port|transceivers?|per (?:optical )?(?:module|pluggable)|pluggables?"),
    _cue("power",
        r"TDP|TBP|TGP|power(?: shel(?:f|ves)| draw| consumption)?|consum\w+|draws?|draw|watts?|"
        r"thermal|density|demands?|racks?|"
                  r"maximum|cooling|envelope|kW|W"),
)  # fmt: skip
SITE = re.compile(
    r"\b(?:data ?cent(?:er|re)s?|campus|site|facility|capacity|deploy\w*|build|buildout|compute|"
    r"clusters?|systems|infrastructure|"
    r"commitment|IT load|AI factor(?:y|ies)|gigawatts?|supercomputer|of (?:power|electricity)|"
    r"needs?|chips|accelerators|GPUs)\b",
    re.IGNORECASE,
)

NOT_SPEED = re.compile(
    r"\b(?:memory|bandwidth|capacity|HBM\w*|density|storage|cores?|parameters?|context|larger|"
    r"longer|price|priced|pricier|revenue|"
    r"sales|growth|area|size|smaller|expensive|valuation|share|stock|demand|spend\w*|capex|people|infrastructure|"
    r"users|customers|likely|"
    r"blocking|undersubscribed|money|TCO|cost(?:s|lier)?(?! reduction)|heavier|weight|bits?|"
    r"wavelengths|cooling|power (?:than|of|draw|consumption)|"
    r"more power|connections?|links?|switch(?:es)?|NICs?|drives?|ports?|stacks|(?<!per )(?<!per-)GPUs?|CPUs?|"
    r"boards?|racks?|as many|as much memory|"
    r"bigger|traffic|latency|interconnects?|memory speedup|(?<!-)scale|year-over-year|YoY|grid|footprint|noise|volume|"
    r"dense(?!\s(?:[A-Z]+\d|\d+-bit|compute|AI|tera|peta|exa))|denser|resolution|height|width|sub-?scription\w*|ratio|zoom|probability|likelihood|"
    r"chance|odds|transistors?|accelerators|x86|cloud provider submissions|less memory)\b",
    re.IGNORECASE,
)
EFFICIENCY = re.compile(
    r"\b(?:per[- ]watt|per[- ]dollar|per[- ]megawatt|per MW|/ ?W(?:att)?|efficien\w+|energy|"
    r"performance/watt|perf/W|token costs?|"
    r"costs? per (?:million )?tokens?|inference costs?|tokens per (?:megawatt|watt|dollar)|"
    r"power reduction|price[- ]performance|"
    r"price/performance|cost reduction|lower (?:cost|energy|power)|"
    r"reduction in (?:inference )?(?:token )?(?:cost|energy)\w*)",
    re.IGNORECASE,
)
SPEED = re.compile(
    r"\b(?:fast(?:er)?|speed-?ups?|speed|quicker|performance|perf|compute|FLOPS?|flops|throughput|"
    r"training|inference|attention\S*|"
    r"acceleration|tokens/s\w*|petaflops|operations|AI|increase|reasoning|tokens per second)\b",
    re.IGNORECASE,
)
COMPARATIVE = re.compile(
    r"^[\s%”\"']*(?:as (?:fast|much|many)|more|higher|greater|better|faster|increase[sd]?|"
    r"improve\w*|boost|gains?|uplift|speed-?ups?|"
    r"the|performance|compute|AI|attention\S*|training|inference|throughput|over|vs\.?|versus|"
    r"compared|reduction|lower|less|"
    r"tokens|peta ?flops|acceleration|for|that of|NVFP4|FP\d+|per|quicker|per-\w+|speed|power efficiency|energy)\b",
    re.IGNORECASE,
)
ACHIEVED_TIME = re.compile(
    r"\b(?:train(?:ed|ing|s)?|pre-?train\w*|fine-?tun\w+|time[- ]to[- ]train|benchmark)\b", re.IGNORECASE
)

CAPEX = re.compile(
    r"\b(?:cap(?:ital)?[ -]?ex(?:penditures?)?|capital (?:spending|outlays?|investments?)|"
    r"infrastructure (?:initiative|project|build-?out|"
    r"spending|investment|plan)|"
    r"data ?cent(?:er|re)s? (?:project|spending|investment|build-?out)|invest(?:ment|ing|s|"
    r"ed)? .{0,40}\b(?:data ?cent(?:er|re)s?|infrastructure)|"
    r"spend\w* .{0,30}\b(?:infrastructure|data ?cent(?:er|re)s?|AI chips|servers))",
    re.IGNORECASE,
)
REVENUE = re.compile(
    r"\b(?:revenues?|segments?\b.{0,60}\b(?:generated|brought in|delivered|contributed)|in sales|"
    r"net sales|sales of|turnover)\b",
    re.IGNORECASE,
)
NOT_MONEY = re.compile(
    r"\b(?:valu(?:ation|ed)|raised(?! its| the)|raising|rais(?:e|es)(?! its)|market cap\w*|stake|fund(?:ing|s|raise)?|"
    r"acqui\w+|shares?|stocks?|warrants?|fine[sd]?|"
    r"cash|burn\w*|deal|commit\w*|contract\w*|backlog|orders?|loan|debt|bonds?|grant|series [A-H]|"
    r"round|salary|prize|tariffs?|"
    r"buys?|purchase|licens\w+|justify|need(?:s|ed)?|by 20[3-9]\d|invest(?:ment|ed|ing|"
    r"s)? in (?:OpenAI|Anthropic|xAI|Intel|startups?)|"
    r"goal|opportunity|TAM|addressable|saving\w*|save[sd]?|lawsuit|market (?:size|value|worth)|"
    r"parameters?|gift|gift cards?|survey)\b",
    re.IGNORECASE,
)
PRICE = re.compile(
    r"\b(?:pric(?:e|ed|es|ing)|price tag|costs?|MSRP|sells? for|sold for|selling (?:it |them )?for|"
    r"list(?:s|ed)? (?:at|for)|goes for|go for|retails? (?:at|for)|per unit|apiece|retail\w*|starting at)\b",
    re.IGNORECASE,
)
