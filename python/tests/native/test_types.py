"""What a type checker says of calls that users write."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from places import ROOT

USE = """
import numpy as np
from roundworks import aead

key, nonce = np.zeros(16, np.uint8), np.zeros(16, np.uint8)
out = np.zeros(20, np.uint8)
cipher = aead.Aegis128L(key)
sealed: bytes = cipher.encrypt(nonce, out[:4], key)
written: int = cipher.encrypt_into(nonce, out[:4], None, out)
opened: bytes = cipher.decrypt(nonce, out, bytearray(2))
encryptor, decryptor = cipher.encryptor(nonce), cipher.decryptor(nonce)
encryptor.ad(key)
text: bytes = encryptor.update(key) + encryptor.finalize()
decryptor.update(key)
data: bytes = decryptor.finalize(nonce)
mac = aead.Mac("aegis-128l", key, nonce)
mac.update(out)
mac.verify(nonce)
"""


@pytest.mark.long
@pytest.mark.parametrize("version", ["3.11", "3.12"])
def test_arrays_are_buffers_to_a_type_checker(tmp_path: Path, version: str) -> None:
    (tmp_path / "use.py").write_text(USE)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--follow-imports=silent",
            "--python-version",
            version,
            "use.py",
        ],
        cwd=tmp_path,
        env={"MYPYPATH": str(ROOT / "python")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
