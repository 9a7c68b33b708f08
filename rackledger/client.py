"""The ledger's questions from Python, in one file that needs httpx alone (and duckdb for the files without a server).

    from rackledger.client import Ledger

    ledger = Ledger("https://example.org/")                # a server
    ledger = Ledger("https://example.org/files/latest/")   # its files: downloaded once a version, asked here
    ledger = Ledger("warehouse/published")                 # the same files in a folder
    ledger.claims("GB300 NVL72", as_of="2026-03-01")

Every question of the ledger is a method; `ledger.help()` lists them. An answer is a pandas or polars frame where one of
them is installed, else a list of dicts. `attrs` of it, and `ledger.attrs`, name version, parameters and each unit.
"""

from __future__ import annotations

import datetime as dt
import importlib.util
import json
import math
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import httpx

Frames = Literal["pandas", "polars", "rows"]
PAGE, TRIES, LONGEST_WAIT, SECONDS = 1_000, 4, 60.0, 60.0
DECLARED, DATABASE = "questions.json", "rackledger.duckdb"


class WrongQuestion(ValueError):
    """What was asked cannot be: `parameter`, what was `expected`, and the `nearest` known names."""

    def __init__(self, detail: str, parameter: str = "", expected: str = "", nearest: Sequence[str] = ()) -> None:
        super().__init__(detail)
        self.parameter, self.expected, self.nearest = parameter, expected, tuple(nearest)


class Unanswered(RuntimeError):
    """The server or the files could not answer; says why."""


class Rows(list[dict[str, Any]]):
    """Rows as dicts, with `attrs` as a frame has them."""

    attrs: dict[str, Any]


class Ledger:
    """The ledger at an address or in a folder. `frames` says what answers are; without it, what is installed."""

    def __init__(
        self,
        where: str | Path,
        *,
        frames: Frames | None = None,
        cache: Path | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._frames = frames or _installed()
        if self._frames != "rows" and importlib.util.find_spec(self._frames) is None:
            told = f"frames={self._frames!r} needs {self._frames}, which is not installed"
            raise ImportError(f"{told}; frames='rows' needs nothing")
        self.attrs: dict[str, Any] = {}
        text = str(where)
        if not text.startswith(("http://", "https://")):
            self._place: _Files | _Server = _Files(_version_folder(Path(where)))
            return
        http = httpx.Client(timeout=SECONDS, follow_redirects=True, transport=transport)
        if "/files/" in text:
            self._place = _Files(_download(http, text, cache))
        else:
            self._place = _Server(http, text)

    def ask(self, question: str, *values: Any, limit: int | None = None, **named: Any) -> Any:
        """The rows of a question; values without a name fill the parameters in their order, `limit` says how many.

        Raises WrongQuestion where a parameter cannot be read, Unanswered where there is no answer.
        """
        known = self._place.questions
        if question not in known:
            raise WrongQuestion(f"There is no question {question!r}; there are {', '.join(known)}.", "question")
        names = list(known[question]["parameters"])
        if len(values) > len(names):
            raise WrongQuestion(f"{question} takes {', '.join(names)}: {len(values)} values are too many.", question)
        given = {
            name: value
            for name, value in {**dict(zip(names, values, strict=False)), **named}.items()
            if value is not None
        }
        answer = self._place.ask(question, given, limit)
        return self._framed(answer, known[question]["columns"])

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or name not in self._place.questions:
            raise AttributeError(name)
        return lambda *values, **named: self.ask(name, *values, **named)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._place.questions]

    def help(self) -> str:
        """What may be asked, with the parameters of each."""
        told = self._place.questions.items()
        return "\n".join(f"{name}({', '.join(each['parameters'])}): {each['says']}" for name, each in told)

    def _framed(self, answer: dict[str, Any], columns: Mapping[str, Mapping[str, Any]]) -> Any:
        found: list[dict[str, Any]] = answer.pop("rows")
        attrs = {
            **answer,
            "units": _units(found, columns),
            "says": {name: each["says"] for name, each in columns.items()},
        }
        self.attrs = attrs
        if self._frames == "pandas":
            import pandas as pd

            frame = pd.DataFrame(found, columns=list(columns))
            for name, each in columns.items():
                if each["type"] == "day":
                    frame[name] = pd.to_datetime(frame[name], errors="coerce")
            frame.attrs.update(attrs)
            return frame
        if self._frames == "polars":
            import polars

            kinds = {
                "number": polars.Float64,
                "count": polars.Int64,
                "flag": polars.Boolean,
                "list": polars.List(polars.String),
            }
            schema = {name: kinds.get(each["type"], polars.String) for name, each in columns.items()}
            # a polars frame holds no attributes of its own: `ledger.attrs` has them
            return polars.DataFrame(found, schema=schema).with_columns(
                polars.col(name).str.to_date() for name, each in columns.items() if each["type"] == "day"
            )
        rows = Rows(found)
        rows.attrs = attrs
        return rows


class _Server:
    """A server of the ledger: follows cursors, waits when it is told to, asks with the ETag of what it holds."""

    def __init__(self, http: httpx.Client, address: str) -> None:
        self._http, self._root = http, f"{address.rstrip('/')}/api/v1/"
        self._held: dict[str, tuple[str, dict[str, Any]]] = {}
        described = self._get("openapi.json", {})
        self.questions = {
            path.rpartition("/")[2]: _described(described, each["get"]) for path, each in described["paths"].items()
        }

    def ask(self, name: str, given: Mapping[str, Any], most: int | None) -> dict[str, Any]:
        found: list[dict[str, Any]] = []
        cursor = None
        while True:
            left = PAGE if most is None else min(PAGE, most - len(found))
            answer = self._get(
                name, {**{key: _written(value) for key, value in given.items()}, "limit": max(left, 1)}, cursor
            )
            found += answer["rows"]
            cursor = answer["next"]
            if not cursor or (most is not None and len(found) >= most):
                return {
                    **{key: answer[key] for key in ("question", "version", "built_at", "parameters", "is_known")},
                    "rows": found,
                }

    def _get(self, path: str, given: Mapping[str, Any], cursor: str | None = None) -> dict[str, Any]:
        asked = {**given, **({"cursor": cursor} if cursor else {})}
        key = json.dumps([path, asked], default=str)
        tag, held = self._held.get(key, ("", {}))
        for attempt in range(TRIES):
            answer = self._http.get(self._root + path, params=asked, headers={"If-None-Match": tag} if tag else {})
            if answer.status_code == httpx.codes.NOT_MODIFIED:
                return held
            wait = answer.headers.get("retry-after", "")
            if answer.status_code not in (429, 503) or not wait.isdigit() or attempt == TRIES - 1:
                break
            time.sleep(min(float(wait), LONGEST_WAIT))
        told: dict[str, Any] = answer.json() if "json" in answer.headers.get("content-type", "") else {}
        if answer.is_success:
            self._held[key] = (answer.headers.get("etag", ""), told)
            return told
        detail = str(told.get("detail", f"{answer.status_code} {answer.reason_phrase}"))
        if answer.status_code == httpx.codes.BAD_REQUEST:
            raise WrongQuestion(detail, told.get("parameter", ""), told.get("expected", ""), told.get("nearest", ()))
        raise Unanswered(detail)


class _Files:
    """The files of a version: the same questions by the same SQL, which the version carries with it."""

    def __init__(self, folder: Path) -> None:
        import duckdb

        if not (folder / DECLARED).is_file() or not (folder / DATABASE).is_file():
            raise Unanswered(f"{folder} holds no {DATABASE} with its {DECLARED}.")
        self._told: dict[str, Any] = json.loads((folder / DECLARED).read_text(encoding="utf-8"))
        self.questions = {name: each for name, each in self._told["questions"].items() if each["sql"]}
        self._connection = duckdb.connect(config={"threads": 1})  # as the server asks
        quoted = str(folder / DATABASE).replace("'", "''")
        self._connection.execute(f"ATTACH '{quoted}' AS rackledger (READ_ONLY)")
        self._connection.execute("USE rackledger")
        self._connection.execute("SET enable_external_access = false")
        self._connection.execute("SET lock_configuration = true")
        publication = self._rows("SELECT version, built_at FROM meta.publication", {})[0]
        self._version, self._built_at = publication["version"], publication["built_at"]

    def ask(self, name: str, given: Mapping[str, Any], most: int | None) -> dict[str, Any]:
        question = self.questions[name]
        for key in given:
            if key not in question["parameters"]:
                raise WrongQuestion(f"{name} takes {', '.join(question['parameters'])}, not {key}.", key)
        values, words = {}, {}
        for key, parameter in question["parameters"].items():
            values[key], words[key] = self._value(key, parameter, given.get(key))
        sql = question["sql"] + self._told["page_of_rows"]
        found = self._rows(sql, {**values, "row_limit": 2**62 if most is None else most, "row_offset": 0})
        plain = [{name: _plain(value) for name, value in row.items()} for row in found]
        told = {"question": name, "version": self._version, "built_at": f"{self._built_at:%Y-%m-%dT%H:%M:%SZ}"}
        shown = {key: word for key, word in words.items() if word is not None}
        return {**told, "parameters": shown, "is_known": bool(plain), "rows": plain}

    def _value(self, name: str, parameter: Mapping[str, Any], given: Any) -> tuple[Any, Any]:
        if given is None and parameter["is_required"]:
            raise WrongQuestion(f"{name} is missing: {parameter['says']}.", name, parameter["kind"])
        if given is None and parameter["default"] == "built":
            return self._built_at.date(), self._built_at.date().isoformat()
        value = parameter["default"] if given is None else given
        if value is None:
            return None, None
        if _is_many(value) and not parameter["is_many"]:
            raise WrongQuestion(f"{name}: expected one value, found {len(value)}.", name, "one value")
        if parameter["kind"] in self._told["named_kinds"]:
            found = [self._one(name, parameter["kind"], str(each)) for each in (value if _is_many(value) else [value])]
            ids = [str(row["id"]) for row in found]
            return sorted({own for row in found for own in row["ids"]}), ids if parameter["is_many"] else ids[0]
        text = _written(value)
        if parameter["kind"] == "day":
            try:
                return dt.date.fromisoformat(str(text)), text
            except ValueError:
                raise WrongQuestion(f"{name}: expected a day as YYYY-MM-DD, found {text!r}.", name, "a day") from None
        if parameter["allowed"] and text not in parameter["allowed"]:
            allowed = ", ".join(parameter["allowed"])
            raise WrongQuestion(f"{name}: expected one of {allowed}, found {text!r}.", name, allowed)
        return text, text

    def _one(self, name: str, family: str, text: str) -> dict[str, Any]:
        found = self._rows(self._told["resolve"], {"name": text.strip(), "family": family})
        if len(found) == 1:
            return found[0]
        others = found or self._rows(self._told["nearest"], {"name": text.strip(), "family": family})
        near = [f"{row['name']} ({row['id']})" for row in others]
        raise WrongQuestion(
            f"{name}: {text!r} names no one {family}. Did you mean {', '.join(near)}?", name, family, near
        )

    def _rows(self, sql: str, named: Mapping[str, Any]) -> list[dict[str, Any]]:
        result = self._connection.execute(sql, dict(named))
        names = [column[0] for column in result.description or []]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def _installed() -> Frames:
    if importlib.util.find_spec("pandas"):
        return "pandas"
    return "polars" if importlib.util.find_spec("polars") else "rows"


def _version_folder(folder: Path) -> Path:
    """A version's folder: the folder itself, or the newest of those that `latest.json` in it or beside it names."""
    for place in (folder, folder.parent):
        if (folder / DATABASE).is_file():
            return folder
        if (place / "latest.json").is_file():
            return place / str(json.loads((place / "latest.json").read_text(encoding="utf-8"))["folder"])
    raise Unanswered(f"{folder} holds no published version.")


def _download(http: httpx.Client, address: str, cache: Path | None) -> Path:
    """The files of a version in a folder here, fetched once a version."""
    root = f"{address.rstrip('/')}/"
    described = http.get(f"{root}datapackage.json")
    if not described.is_success:
        raise Unanswered(f"{root} holds no published version ({described.status_code}).")
    version = str(described.json()["version"])
    if not all(character.isalnum() or character in "-_." for character in version) or version.startswith("."):
        raise Unanswered(f"{root} names a version that is no name of a folder.")
    folder = (cache or Path(tempfile.gettempdir()) / "rackledger-files") / version
    folder.mkdir(parents=True, exist_ok=True)
    for name in (DECLARED, DATABASE):
        if (folder / name).is_file():
            continue
        part = folder / f".{name}.part"
        with http.stream("GET", root + name) as answer, part.open("wb") as file:
            if not answer.is_success:
                raise Unanswered(f"{root}{name}: {answer.status_code}.")
            for chunk in answer.iter_bytes():
                file.write(chunk)
        part.replace(folder / name)
    return folder


def _described(described: Mapping[str, Any], operation: Mapping[str, Any]) -> dict[str, Any]:
    """A question as the files declare it, from its description by the server."""
    row = described["components"]["schemas"][f"row_of_{operation['operationId']}"]["properties"]
    parameters = [each["name"] for each in operation["parameters"] if each["name"] not in ("limit", "cursor")]
    columns = {
        name: {"says": each["description"], "type": "day" if each.get("format") == "date" else _kind(each)}
        for name, each in row.items()
    }
    return {"says": operation["description"], "parameters": dict.fromkeys(parameters), "columns": columns}


def _kind(schema: Mapping[str, Any]) -> str:
    kind = schema["type"] if isinstance(schema["type"], str) else schema["type"][0]
    return {"number": "number", "integer": "count", "boolean": "flag", "array": "list"}.get(kind, "text")


def _units(found: Sequence[Mapping[str, Any]], columns: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The unit of each column that has one: its own, or that of all its rows where they share one."""
    shared = {str(row["unit"]) for row in found if row.get("unit")}
    units = {}
    for name, each in columns.items():
        if each["says"].endswith("]"):
            units[name] = each["says"].rpartition("[")[2].rstrip("]")
        elif "`unit`" in each["says"]:
            units[name] = shared.copy().pop() if len(shared) == 1 else "see column unit"
    return units


def _is_many(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _written(value: Any) -> Any:
    if _is_many(value):
        return [_written(each) for each in value]
    return value.isoformat()[:10] if isinstance(value, dt.date) else str(value)


def _plain(value: Any) -> Any:
    """A cell as the server writes it, so that both ways give the same."""
    if isinstance(value, dt.date):
        return value.isoformat()[:10]
    return None if isinstance(value, float) and not math.isfinite(value) else value
