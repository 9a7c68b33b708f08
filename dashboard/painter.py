"""Draws charts' pictures in a process of its own, at low priority.

The library holds the interpreter's lock while it draws, a third of a second a picture: in the server every visitor
would wait for it. As a program: a line in is a Vega-Lite chart with its configuration as JSON, a line out its SVG.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

import vl_convert

NO_NETWORK: list[str] = ["https://nothing.invalid/"]  # an empty list would be read as 'any'
NICENESS = 10


class Painter:
    """The process, which is started at the first picture and ends with the block, or with this process."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            self._process.communicate()

    def svg(self, spec: dict[str, Any], config: dict[str, Any]) -> str:
        """A chart as SVG. Raises ChildProcessError where the process ended, ValueError for what is no chart."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__], cwd=Path(__file__).parents[1], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(json.dumps((spec, config)).encode() + b"\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer:
            raise ChildProcessError("the process that draws charts' pictures ended")
        found = json.loads(answer)
        if "fault" in found:
            raise ValueError(found["fault"])
        return str(found["svg"])


def main() -> None:
    """Draw what stands in each line until there is no more."""
    os.nice(NICENESS)
    for line in sys.stdin:
        spec, config = json.loads(line)
        try:
            found = {"svg": vl_convert.vegalite_to_svg(spec, config=config, allowed_base_urls=NO_NETWORK)}
        except ValueError as error:
            found = {"fault": str(error)}
        print(json.dumps(found), flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    main()
