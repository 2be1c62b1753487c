from __future__ import annotations

import os
from pathlib import Path

import pytest

from kentino_configurator.files import write_atomically


def test_a_file_is_written_and_its_folder_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file.json"
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"


def test_the_old_content_survives_a_failed_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(b"old")

    def disk_full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", disk_full)
    with pytest.raises(OSError, match="no space left"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path], "the unfinished file must be gone"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_permissions_stay_as_they_were_and_a_new_file_is_not_private(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.touch(mode=0o640)
    kept.chmod(0o640)
    write_atomically(kept, b"")
    assert kept.stat().st_mode & 0o777 == 0o640
    ordinary = tmp_path / "ordinary"
    ordinary.touch()
    write_atomically(tmp_path / "new", b"")
    assert (tmp_path / "new").stat().st_mode == ordinary.stat().st_mode
