"""A real Slurm of one node, which a test starts and stops; no other is touched."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from daskers import SUPPORT, free_port
from wanted import without

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue")

SLURM = """\
ClusterName=roundworks
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldPort={control}
SlurmdPort={node}
SlurmdParameters=config_overrides
ReturnToService=2
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 RealMemory=4000 State=UNKNOWN
PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
# One job of dask-jobqueue.
JOBS = """\
jobqueue:
  slurm:
    queue: batch
    cores: 1
    processes: 1
    memory: 500MB
    walltime: "00:20:00"
    interface: lo
    log-directory: {folder}/logs
"""


@contextmanager
def slurm(folder: Path) -> Iterator[dict[str, str]]:
    """The environment in which ``sbatch`` and dask-jobqueue use it.

    The test is skipped where a program is missing (Debian: munge, slurmctld, slurmd, slurm-client) or the
    system refuses what they need.
    """
    path = os.environ["PATH"] + ":/usr/sbin"
    programs = {name: shutil.which(name, path=path) for name in PROGRAMS}
    if missing := [name for name, place in programs.items() if place is None]:
        without(f"no Slurm here: {', '.join(missing)} missing; run: make setup")
    host, key = socket.gethostname().partition(".")[0], folder / "munge.key"
    for name in ("state", "spool", "logs"):
        (folder / name).mkdir()
    key.write_bytes(secrets.token_bytes(1024))
    key.chmod(0o600)
    folder.chmod(0o755)
    (folder / "jobqueue.yaml").write_text(JOBS.format(folder=folder))
    values = {"host": host, "user": Path("~").expanduser().owner(), "folder": folder}
    text = SLURM.format(**values, control=free_port(), node=free_port())
    (folder / "slurm.conf").write_text(text)
    more = {"SLURM_CONF": str(folder / "slurm.conf"), "DASK_CONFIG": str(folder), "PYTHONPATH": str(SUPPORT)}
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, *args: str) -> None:
        with (folder / f"{name}.log").open("wb") as log:
            command = [str(programs[name]), *args]
            started.append(subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | more))

    try:
        files = {"key-file": key, "socket": folder / "munge.socket", "seed-file": folder / "munge.seed"}
        files |= {"pid-file": folder / "munge.pid", "log-file": folder / "munge.log"}
        start("munged", "--foreground", "--force", *(f"--{name}={file}" for name, file in files.items()))
        _until_ready(folder, started, lambda: (folder / "munge.socket").exists())
        start("slurmctld", "-D")
        start("slurmd", "-D", "-N", host)
        idle = ["sinfo", "--noheader", "--format=%t"]
        environment = os.environ | more
        _until_ready(
            folder,
            started,
            lambda: b"idle" in subprocess.run(idle, env=environment, capture_output=True).stdout,
        )
        yield more
    finally:
        for process in reversed(started):
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _until_ready(folder: Path, started: list[subprocess.Popen[bytes]], ready) -> None:  # type: ignore[no-untyped-def]
    end = time.monotonic() + 30
    while not ready():
        if time.monotonic() > end or any(process.poll() is not None for process in started):
            logs = [file.read_text(errors="replace").splitlines()[-1:] for file in folder.glob("*.log")]
            pytest.skip(f"Slurm does not start here: {'; '.join(line for log in logs for line in log)}")
        time.sleep(0.1)
