"""The workbench and library for fast symmetric ciphers built on AES-like rounds."""

__version__ = "0.1.0"
