"""Laws of reading a run's provenance: damage is named, with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from judgeray.core.errors import BadInputError
from judgeray.report.extras import read_provenance


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "cannot be read"),
        ("\x00", "cannot be read"),
        ("[]", "found list, allowed: a JSON object"),
        ('{"datasets": 3}', "datasets: found no JSON object"),
        ('{"datasets": {"d": []}}', "datasets.d: found no JSON object"),
    ],
)
def test_damage_is_named_with_what_to_do(tmp_path: Path, text: str, told: str) -> None:
    """One message: file, mistake, and that a run makes the file again."""
    (tmp_path / "provenance.json").write_text(text)
    with pytest.raises(BadInputError) as caught:
        read_provenance(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'provenance.json'}: {told}")
    assert str(caught.value).endswith("It can be deleted: a run makes it again.")


def test_no_file_is_no_provenance(tmp_path: Path) -> None:
    """A log of its own has none."""
    assert read_provenance(tmp_path) is None
