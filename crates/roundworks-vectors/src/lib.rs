//! roundworks-vectors
