//! roundworks-search
