"""Files that are written whole or not at all."""

from pathlib import Path

import pytest

from roundworks.whole import writing


def test_what_was_there_stays_until_all_is_written(tmp_path: Path) -> None:
    path, link = tmp_path / "a.json", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o600)
    link.symlink_to(path.name)
    with pytest.raises(UnicodeEncodeError), writing(path) as part:
        part.write_text("not ASCII: é", encoding="ascii")
    assert path.read_text() == "old" and len(list(tmp_path.iterdir())) == 2
    with writing(link) as part:
        part.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new" and path.stat().st_mode & 0o777 == 0o600
    assert link.is_symlink() and len(list(tmp_path.iterdir())) == 2


def test_an_error_names_the_file_that_was_wanted(tmp_path: Path) -> None:
    path = tmp_path / "no folder" / "a.json"
    with pytest.raises(FileNotFoundError) as caught, writing(path):
        pytest.fail("nothing to write in")
    assert caught.value.filename == str(path)
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(IsADirectoryError) as refused, writing(folder) as part:
        part.write_text("new")
    assert refused.value.filename == str(folder) and list(tmp_path.iterdir()) == [folder]
    with pytest.raises(FileNotFoundError) as other, writing(tmp_path / "b"):
        (tmp_path / "absent").read_text()
    assert other.value.filename == str(tmp_path / "absent"), "of another file: as it was"
