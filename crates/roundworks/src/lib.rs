//! roundworks
