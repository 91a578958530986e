//! Timing of the Roundworks ciphers inside one process.
