"""A named thing of a text. Pure."""

from __future__ import annotations

from typing import NamedTuple

THINGS = frozenset({"accelerator", "system", "site", "product", "network", "cpu"})  # the kinds of hardware


class Mention(NamedTuple):
    """One named thing in the text, with the name a claim about it carries."""

    start: int
    end: int
    name: str
    kind: str
    subject_id: str = ""
    vendor_id: str = ""


class DocumentNames(NamedTuple):
    """The named things of a document, of its title and of its publisher's name, each in order."""

    text: list[Mention]
    title: list[Mention]
    publisher: list[Mention]
