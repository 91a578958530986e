//! The entries of `kernels/` that are called here, with the bytes that a launch's block shares: of
//! each family a file of machine code.

/// Bytes of the tables of a launch's block, and with them those of a batch of AES-GCM.
const TABLES: u32 = 131_072;
const BATCH: u32 = 147_456;

pub(crate) const ENTRIES: [(&str, &[(&str, u32)]); 7] = [
    (
        "minalpher",
        &[
            ("minalpher_start", 0),
            ("minalpher_fill", 0),
            ("minalpher_encrypt", 0),
            ("minalpher_decrypt", 0),
            ("minalpher_tag", 0),
            ("minalpher_hash", 0),
            ("minalpher_finish", 0),
            ("minalpher_permute_add", 0),
            ("minalpher_start_many", 0),
            ("minalpher_fill_many", 0),
            ("minalpher_encrypt_many", 0),
            ("minalpher_decrypt_many", 0),
            ("minalpher_tag_many", 0),
            ("minalpher_hash_many", 0),
            ("minalpher_join_many", 0),
            ("minalpher_check_many", 0),
        ],
    ),
    (
        "aes",
        &[
            ("aes_expand", 0),
            ("aes128_tables_ctr", TABLES),
            ("aes256_tables_ctr", TABLES),
        ],
    ),
    (
        "ghash",
        &[
            ("ghash_powers", 0),
            ("ghash_sum", TABLES),
            ("ghash_part", TABLES),
        ],
    ),
    (
        "gcm",
        &[
            ("gcm_subkey", 0),
            ("gcm_tag", 0),
            ("gcm_check", 0),
            ("gcm128_seal_batch", BATCH),
            ("gcm128_open_batch", BATCH),
            ("gcm256_seal_batch", BATCH),
            ("gcm256_open_batch", BATCH),
            ("gcm128_seal_warps", BATCH),
            ("gcm128_open_warps", BATCH),
            ("gcm256_seal_warps", BATCH),
            ("gcm256_open_warps", BATCH),
        ],
    ),
    (
        "aegis",
        &[
            ("aegis128l_seal_many", TABLES),
            ("aegis128l_open_many", TABLES),
            ("aegis128l_tag32_seal_many", TABLES),
            ("aegis128l_tag32_open_many", TABLES),
        ],
    ),
    (
        "rocca",
        &[("rocca_s_seal_many", TABLES), ("rocca_s_open_many", TABLES)],
    ),
    (
        "aether",
        &[
            ("aether_seal_many", 0),
            ("aether_open_many", 0),
            ("aether_lb_seal_many", 0),
            ("aether_lb_open_many", 0),
        ],
    ),
];
