"""The words of row and column labels, by topic: the language of specification tables. A table of words, nothing else.

The first topic whose words stand in a label is its topic; a few decide earlier that a label is of no metric at all.
"""

from __future__ import annotations

import re


def _topic(name: str, *words: str) -> tuple[str, re.Pattern[str]]:
    return name, re.compile(rf"(?<![A-Za-z])(?:{'|'.join(words)})(?![A-Za-z])", re.IGNORECASE)


# Things that tables list and that are no metric here.
NOT_A_METRIC = _topic(
    "none",
    r"caches?",
    r"L[123]",
    r"LLC",
    r"registers?",
    r"(?<!per )host(?: memory)?",
    r"system memory",
    r"vCPUs?",
    r"DRAM",
    r"DDR[45]",
    r"DIMMs?",
    r"storage",
    r"disks?",
    r"drives?",
    r"SSDs?",
    r"NVMe",
    r"boot",
    r"PCI-?e(?: Gen ?\d| \d\.\d)?",
    r"PCI Express",
    r"C2C",
    r"NVLink-C2C",
    r"DMA",
    r"clocks?",
    r"frequenc(?:y|ies)",
    r"boost",
    r"SBUF",
    r"scratchpad",
    r"PSUM",
    r"decoders?",
    r"encoders?",
    r"NVDEC",
    r"NVJPEG",
    r"MIGs?",
    r"multi-instance",
    r"market",
    r"share",
    r"YoY",
    r"growth",
    r"PUE",
    r"lead time",
    r"warranty",
    r"dimensions?",
    r"height",
    r"width",
    r"depth",
    r"read",
    r"write",
    r"IOPs?",
    r"file",
    r"bus width",
    r"memory bus",
    r"bus interface",
    r"interface width",
    r"die (?:size|area)",
    r"area",
    r"(?<!tensor )(?<!matrix )cores",
    r"core count",
    r"threads?",
    r"SMs",
    r"compute units",
    r"stream processors",
    r"CUDA cores",
    r"parameters?",
    r"context",
    r"tokens? limit",
    r"batch",
    r"arithmetic intensity",
    r"ops/byte",
    r"per watt",
    r"/ ?W(?:att)?",
    r"efficiency",
    r"utili[sz]ation",
    r"temperature",
    r"latency",
    r"pin speed",
    r"stacks?",
    r"efficien\w+",
)[1]
TOPICS = (
    _topic(
        "memory",
        r"(?:memory|HBM\w*|VRAM)(?: size| capacity)? ?(?:\||/|,|&|\+|and|with) ?(?:memory )?(?:bandwidth|BW)",
    ),
    _topic(
        "mtti",
        r"[A-Z]*MTTI", r"MTTF", r"mean time (?:to|between) (?:interruptions?|failures?)", r"MTBI",
    ),
    _topic(
        "hpl",
        r"HPL", r"Rmax", r"R_max", r"Linpack",
    ),
    _topic(
        "process_node",
        r"process(?: node| technology)?", r"technology node", r"node size", r"fab(?:rication)? process",
        r"lithography", r"manufactur\w+ process", r"silicon process", r"foundry(?: / process| node)?",
        r"process tech",
    ),
    _topic(
        "transistor_count",
        r"transistors?(?: count)?",
    ),
    _topic(
        "scale_up_domain_size",
        r"(?:GPUs?|dies|packages|chips|accelerators) (?:per|in an?|in the) (?:NVL(?:ink)?|(?:scale-?up )?domain)",
    ),
    _topic(
        "die_count",
        r"(?<!per )(?<!/)(?:dies?|chiplets?)(?! ?(?:size|area))",
    ),
    _topic(
        "scale_up_domain_size",
        r"(?:NVLink |ICI |UALink |scale-?up )(?:domain|world)(?: size)?", r"(?:domain|world) size",
        r"max(?:imum)? scale-?up(?: size)?",
    ),
    _topic(
        "memory_bandwidth",
        r"(?:memory|mem|HBM\w*|VRAM|DRAM|LPDDR\w*|GDDR\w*)(?: \w+)? ?(?:bandwidth|BW|speed|throughput)",
        r"memory data rate",
    ),
    _topic(
        "scale_up",
        r"NV-?Link[-\w. ]{0,4}", r"NVSwitch", r"Infinity Fabric[\w ]*", r"ICI", r"inter-?chip(?: interconnect)?",
        r"Neuron-?Link[-\w]*", r"UA-?Link", r"xGMI", r"scale-?up", r"chip-to-chip", r"GPU-to-GPU", r"GPU-GPU",
        r"peer-to-peer", r"P2P", r"inter-?GPU", r"UnifiedBus", r"Xe[ -]Link",
        r"interconnect(?: bandwidth| BW| speed)?", r"intra-?node(?: bandwidth)?", r"die-to-die",
    ),
    _topic(
        "scale_out",
        r"scale-?out", r"Ethernet", r"Infini-?Band", r"NICs?", r"SuperNICs?", r"EFA(?:v\d)?", r"RoCE(?:v2)?",
        r"network(?:ing)?(?: bandwidth| speed| BW| interfaces?)?", r"ConnectX[-\d ]*",
        r"inter-?node(?: bandwidth)?", r"back-?end(?: network)?", r"CX-?\d", r"Slingshot", r"port speed",
        r"east-west",
    ),
    _topic(
        "memory",
        r"HBM\d?\w*", r"GDDR\w*", r"VRAM", r"LPDDR\w*", r"(?:on-?chip|on-?die) (?:SRAM|memory)", r"SRAM",
        r"memory",
        r"mem(?:ory)? ?\(?(?:GB|GiB)?\)?", r"capacity",
    ),
    _topic("port_count", r"ports?(?: count)?", r"radix"),
    _topic(
        "site_power",
        r"(?:site|facility|campus|IT|contracted|data ?cent(?:er|re)|critical IT) (?:power|capacity|load)",
        r"IT load",
    ),
    _topic(
        "power",
        r"TDP", r"TBP", r"TGP", r"TGDP",
        r"power", r"wattage", r"consumption", r"thermal design",
        r"watts?", r"kW(?: per rack| ?/ ?rack)?",
    ),
    _topic(
        "cpu_count",
        r"(?<!per )(?<!/)(?:CPUs?|processors?|sockets?)",
    ),
    _topic(
        "accelerator_count",
        r"(?<!per )(?<!/)(?:GPUs?|accelerators?|TPUs?|NPUs?|XPUs?|AI chips?|chips|devices)", r"dies per rack",
        r"pod size",
    ),
    _topic(
        "cluster_size",
        r"cluster size", r"(?:# )?components", r"fleet(?: size)?", r"installed base",
        r"deployed (?:GPUs?|accelerators?|chips?)",
    ),
    _topic(
        "units_shipped",
        r"(?:units?|chips?|GPUs?|racks?)(?: \w+)? (?:shipped|shipments?|sold)", r"shipments?",
    ),
    _topic(
        "weight",
        r"weight", r"mass",
    ),
    _topic(
        "gpu_hour_price",
        r"(?:\$|USD|price|cost|rate)[\w ]*(?:/|per) ?(?:GPU[- ]?)?(?:hour|hr|h)", r"hourly (?:price|rate|cost)",
        r"on-demand(?: price)?", r"GPU-hour(?: price)?",
    ),
    _topic(
        "capex",
        r"cap-?ex(?: \w+)?", r"capital (?:expenditures?|spending|cost)", r"infrastructure spend(?:ing)?",
    ),
    _topic(
        "revenue",
        r"revenues?", r"sales",
    ),
    _topic(
        "price",
        r"(?:list |unit |street |launch |est(?:imated|\.)? )?(?:price|MSRP|pricing|cost)(?: per \w+)?(?: \(?USD\)?)?",
        r"ASP",
    ),
    _topic(
        "token_rate",
        r"tokens?(?: per second|/s(?:ec)?)", r"tok/s", r"throughput \(tok\w*/s\)", r"TPS",
    ),
    _topic(
        "train_time",
        r"time[- ]to[- ]train", r"training time", r"train time",
    ),
    _topic(
        "announced_on",
        r"announced?(?: date| on)?", r"announcement(?: date)?", r"unveiled", r"launch(?:ed)?(?: date| year)?",
        r"introduced", r"introduction",
    ),
    _topic(
        "production_from",
        r"(?:volume |mass |full )?production(?: start| date)?", r"ramp",
    ),
    _topic(
        "deployed_on",
        r"(?:year |date )?deployed(?: on)?", r"deployment(?: date| year)?", r"in service",
        r"operational(?: since| date)?", r"installed", r"first operational",
    ),
    _topic(
        "available_from",
        r"availability", r"available(?: from)?", r"general availability", r"GA(?: date)?",
        r"ship(?:s|ping)?(?: date)?", r"releas(?:e|ed)(?: date| year| window)?", r"first ship(?:ment)?",
        r"time ?frame", r"target date", r"expected",
    ),
    _topic("configuration", r"config(?:uration)?", r"composition", r"contents?", r"GPU config", r"compute"),
    _topic(
        "compute",
        r"FLOPS?", r"[TPE]FLOPS?", r"TOPS", r"[TP]OPS", r"peak (?:compute|performance)",
        r"compute(?: performance)?", r"performance", r"tensor(?: core)?", r"matrix", r"vector", r"dense",
        r"sparse", r"VFMA",
    ),
)  # fmt: skip
