"""`rackledger alerts`: what newly meets rules in plain words, to a webhook and to a file that a mailer takes."""

from __future__ import annotations

import json
from dataclasses import asdict
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.commands import EXIT_FAILED, EXIT_USAGE
from pipelines.commands.terminal import fail, load_settings, open_warehouse, out

if TYPE_CHECKING:
    from warehouse.answers.rules import Alert

SECONDS = 60.0


def alerts(
    rules: Annotated[list[str], typer.Argument(help="Rules, e.g. 'B200 hour under 3 USD' 'any slip of Helios'.")],
    webhook: Annotated[str, typer.Option(help="An address of yours that is told by POST, as JSON.")] = "",
    mail: Annotated[Path | None, typer.Option(help="A file that gets the message in the form of e-mail.")] = None,
    root: Annotated[str, typer.Option(help="The dashboard's address, for links.")] = "http://127.0.0.1:8501/",
    again: Annotated[bool, typer.Option("--again", help="Tell also what was told before.")] = False,
) -> None:
    """Say what of the record newly meets a rule; what was told before is not told twice as long as it holds.

    Rules: "B200 hour under 3 USD" · "any slip of Helios" · "anything new on GB300 NVL72"
    """
    import orjson

    from pipelines import alarm

    found = _found(rules)
    state = load_settings().data / "alerts.json"
    told = set(json.loads(state.read_text(encoding="utf-8"))) if state.is_file() and not again else set()
    fresh = [each for each in found if each.id not in told]
    for each in fresh:
        out.print(f"{each.rule}: {each.words} {each.url}", markup=False, soft_wrap=True)
    if not fresh:
        out.print("Nothing new meets a rule.")
    if fresh and webhook:
        error = alarm.post(webhook, orjson.dumps({"alerts": [asdict(each) for each in fresh], "root": root}))
        if error:
            fail(f"The webhook could not be told: {error}", EXIT_FAILED)
    if fresh and mail is not None:
        mail.write_bytes(bytes(_message(fresh, root)))
    state.parent.mkdir(parents=True, exist_ok=True)
    state.write_text(json.dumps(sorted(each.id for each in found)), encoding="utf-8")


def _found(texts: list[str]) -> list[Alert]:
    from warehouse.answers import rules
    from warehouse.answers.questions import Wrong

    try:
        asked = [rules.parse(text) for text in texts]
        with open_warehouse() as warehouse:
            today = warehouse.publication.built_at.date()
            return [
                each
                for rule in asked
                for each in rules.alerts(
                    rule, warehouse.rows, lambda sql, named: warehouse.within(SECONDS, sql, named), today
                )
            ]
    except (rules.RuleError, Wrong) as error:
        fail(str(error), EXIT_USAGE)


def _message(found: list[Alert], root: str) -> EmailMessage:
    """A message in plain text; a line break in outside text cannot add a header."""
    message = EmailMessage()
    message["Subject"] = f"rackledger: {len(found)} alerts" if len(found) > 1 else "rackledger: 1 alert"
    lines = [f"{each.rule}\n  {each.words}\n  {root.rstrip('/')}/{each.page}\n  {each.url}\n" for each in found]
    message.set_content("\n".join(lines))
    return message
