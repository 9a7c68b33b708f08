"""A file that was just made is there when the browser comes to fetch it, whoever was served meanwhile."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit import runtime
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from dashboard.components import download


@pytest.fixture
def storage(monkeypatch: pytest.MonkeyPatch) -> MemoryMediaFileStorage:
    """Where a server keeps the files that it gives out."""
    held = MemoryMediaFileStorage("/media")
    server = SimpleNamespace(media_file_mgr=MediaFileManager(held))
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: server)
    return held


def asked_for(name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a file whose button was clicked."""
    drawn: list[tuple[Any, ...]] = []
    monkeypatch.setattr(st, "download_button", lambda *given, **_: drawn.append(given))
    download.download_button("Rows (CSV)", name.encode, name, "text/csv")
    [(_, make, file_name, mime)] = drawn
    files = runtime.get_instance().media_file_mgr
    return files.execute_deferred(files.add_deferred(make, mime, "button", file_name))


def two_other_visitors() -> None:
    """The scripts of two others end: each time the server forgets what nobody shows."""
    for _ in range(2):
        runtime.get_instance().media_file_mgr.remove_orphaned_files()


def test_a_file_stays_while_others_are_served(storage: MemoryMediaFileStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    address = asked_for("rows.csv", monkeypatch)
    two_other_visitors()
    assert storage.get_file(address.rpartition("/")[2]).content == b"rows.csv"


def test_only_the_newest_files_are_held(storage: MemoryMediaFileStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *_, last = [asked_for(f"rows{number}.csv", monkeypatch) for number in range(download.HELD + 1)]
    two_other_visitors()
    assert storage.get_file(last.rpartition("/")[2])
    with pytest.raises(MediaFileStorageError):
        storage.get_file(first.rpartition("/")[2])
