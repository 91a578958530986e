//! roundworks-py
