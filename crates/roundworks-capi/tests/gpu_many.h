/* Many messages of gpu.c: from host memory of any sizes, and rows on the device. One message at a
 * time, which was compared with the CPU, says what is right. */

static uint8_t *numbered(size_t bytes, unsigned first)
{
    uint8_t *p = fresh(bytes);
    for (size_t i = 0; i < bytes; i++)
        p[i] = (uint8_t)(first + 7 * i + (i >> 8));
    return p;
}

static void seal_one(const roundworks_cipher *c, const uint8_t *nonce, size_t nonce_bytes,
                     const uint8_t *ad, size_t ad_bytes, const uint8_t *data, size_t data_bytes,
                     uint8_t *out)
{
    CHECK(roundworks_seal(c, nonce, nonce_bytes, ad, ad_bytes, data, data_bytes, out,
                              roundworks_sealed_bytes(c, data_bytes)) == ROUNDWORKS_OK);
}

/* Sizes from 0 on, `step` apart, so that of AES-GCM with small steps each has a lane, with large ones a
 * warp. Associated data are `ad_step` apart, or the same of all. */
static void test_messages(const char *name, size_t key_bytes, size_t tag_bytes, size_t step,
                          size_t ad_step)
{
    enum { COUNT = 37 };
    uint8_t *key = numbered(key_bytes, 3);
    roundworks_cipher *c = tagged(name, key, key_bytes, tag_bytes);
    const size_t nonce_bytes = roundworks_nonce_bytes(c);
    uint8_t *nonces = numbered(COUNT * nonce_bytes, 1);
    uint8_t *data = numbered(COUNT * step, 9), *ad = numbered(COUNT * ad_step + 20, 5), *want[COUNT];
    roundworks_message messages[COUNT], back[COUNT];
    size_t refused = 99;
    memset(messages, 0, sizeof messages);
    for (size_t i = 0; i < COUNT; i++) {
        const size_t bytes = i * step, sealed = roundworks_sealed_bytes(c, bytes);
        roundworks_message *m = &messages[i];
        m->nonce = nonces + i * nonce_bytes;
        m->ad = ad, m->ad_bytes = ad_step ? ad_step * i : 20;
        m->data = data, m->data_bytes = bytes;
        m->out = fresh(sealed), m->out_bytes = sealed;
        want[i] = fresh(sealed);
        seal_one(c, m->nonce, nonce_bytes, ad, m->ad_bytes, data, bytes, want[i]);
        back[i] = *m;
        back[i].data = m->out, back[i].data_bytes = sealed;
        back[i].out_bytes = roundworks_opened_bytes(c, sealed);
        back[i].out = fresh(back[i].out_bytes);
    }
    CHECK(roundworks_seal_many(c, messages, COUNT) == ROUNDWORKS_OK);
    for (size_t i = 0; i < COUNT; i++)
        CHECK(memcmp(messages[i].out, want[i], messages[i].out_bytes) == 0);
    CHECK(roundworks_open_many(c, back, COUNT, &refused) == ROUNDWORKS_OK && refused == 0);
    for (size_t i = 0; i < COUNT; i++) {
        CHECK(back[i].result == ROUNDWORKS_OK && back[i].opened_bytes == i * step);
        CHECK(memcmp(back[i].out, data, i * step) == 0);
        if (i % 3 == 1)
            messages[i].out[i % 2 ? 0 : messages[i].out_bytes - 1] ^= 1;
    }
    back[36].data_bytes = 15; /* nothing sealed is so short */
    REFUSED(ROUNDWORKS_ERROR_TAG, "authentication failed",
            roundworks_open_many(c, back, COUNT, &refused));
    CHECK(refused == 13);
    for (size_t i = 0; i < COUNT; i++) {
        const int right = i % 3 != 1 && i != 36;
        CHECK(back[i].result == (right ? ROUNDWORKS_OK : ROUNDWORKS_ERROR_TAG));
        CHECK(back[i].opened_bytes == (right ? i * step : 0));
        CHECK(right ? memcmp(back[i].out, data, i * step) == 0
                    : all(0, back[i].out, back[i].out_bytes));
    }
    messages[2].out_bytes -= 1;
    memset(messages[0].out, 0x55, messages[0].out_bytes);
    REFUSED(ROUNDWORKS_ERROR_LENGTH, "out: want ", roundworks_seal_many(c, messages, COUNT));
    CHECK(all(0x55, messages[0].out, messages[0].out_bytes));
    CHECK(roundworks_seal_many(c, NULL, 0) == ROUNDWORKS_OK);
    CHECK(roundworks_open_many(c, NULL, 0, NULL) == ROUNDWORKS_OK);
    for (size_t i = 0; i < COUNT; i++) {
        free(messages[i].out);
        free(back[i].out);
        free(want[i]);
    }
    roundworks_cipher_free(c);
    free(ad);
    free(data);
    free(nonces);
    free(key);
}

static void test_rows(const char *name, size_t key_bytes, size_t tag_bytes, size_t bytes, size_t ad_bytes, int shared)
{
    enum { COUNT = 35 };
    const size_t row = (bytes + 15) / 16 * 16, ad_row = (ad_bytes + 15) / 16 * 16;
    const size_t ads = shared ? 1 : COUNT;
    uint8_t *key = numbered(key_bytes, 4);
    roundworks_cipher *c = tagged(name, key, key_bytes, tag_bytes);
    const size_t nonce_bytes = roundworks_nonce_bytes(c), tag = roundworks_tag_bytes(c);
    uint8_t *data = numbered(COUNT * row, 8), *ad = numbered(ads * ad_row, 6), *want = fresh(row + tag);
    uint8_t *nonces = numbered(COUNT * nonce_bytes, 2);
    roundworks_gpu_rows rows = {COUNT,
                                sent(nonces, COUNT * nonce_bytes),
                                sent(ad, ads * ad_row),
                                ad_bytes,
                                ads,
                                sent(data, COUNT * row),
                                bytes,
                                sent(NULL, COUNT * row),
                                sent(NULL, COUNT * tag)};
    uint8_t *out = (uint8_t *)rows.out, *tags = (uint8_t *)rows.tags;
    CHECK(roundworks_gpu_seal_rows(c, &rows, stream) == ROUNDWORKS_OK);
    CHECK(all(0x55, out, COUNT * row) && all(0x55, tags, COUNT * tag)); /* nobody waited */
    CHECK(cuda.wait(stream) == 0);
    for (size_t i = 0; i < COUNT; i++) {
        seal_one(c, nonces + nonce_bytes * i, nonce_bytes, ad + (shared ? 0 : i * ad_row), ad_bytes, data + i * row,
                 bytes, want);
        CHECK(memcmp(out + i * row, want, bytes) == 0);
        CHECK(memcmp(tags + i * tag, want + bytes, tag) == 0);
    }
    uint64_t opened = sent(NULL, COUNT * row), verdicts = sent(NULL, (size_t)COUNT * 4);
    roundworks_gpu_rows back = rows;
    back.data = rows.out;
    back.out = opened;
    for (size_t i = 0; i < COUNT; i += 4)
        tags[i * tag + i % tag] ^= 4;
    CHECK(roundworks_gpu_open_rows(c, &back, verdicts, stream) == ROUNDWORKS_OK);
    CHECK(all(0x55, (uint8_t *)verdicts, COUNT * 4));
    CHECK(cuda.wait(stream) == 0);
    for (size_t i = 0; i < COUNT; i++) {
        const uint8_t *text = (uint8_t *)opened + i * row;
        CHECK(((uint32_t *)verdicts)[i] == (i % 4 != 0));
        CHECK(i % 4 ? memcmp(text, data + i * row, bytes) == 0 : all(0, text, row));
    }
    let_go(verdicts, (size_t)COUNT * 4);
    let_go(opened, COUNT * row);
    let_go(rows.tags, COUNT * tag);
    let_go(rows.out, COUNT * row);
    let_go(rows.data, COUNT * row);
    let_go(rows.ad, ads * ad_row);
    let_go(rows.nonces, COUNT * nonce_bytes);
    roundworks_cipher_free(c);
    free(want);
    free(ad);
    free(data);
    free(nonces);
    free(key);
}

static void test_many(void)
{
    const struct {
        const char *name;
        size_t key_bytes, tag_bytes;
    } ciphers[] = {{"aes-128-gcm", 16, 16}, {"aes-256-gcm", 32, 16}, {"aegis-128l", 16, 16},
                   {"aegis-128l", 16, 32},  {"rocca-s", 32, 32},     {"aether", 32, 16},
                   {"aether-lb", 32, 16}};
    const size_t sizes[] = {0, 1, 16, 33, 1600};
    test_messages("minalpher", 16, 0, 9, 1);
    test_messages("minalpher", 16, 0, 131, 0);
    test_messages("minalpher", 16, 0, 2000, 70); /* some tweaks in tiles */
    for (size_t n = 0; n < sizeof ciphers / sizeof *ciphers; n++) {
        const char *name = ciphers[n].name;
        const size_t key_bytes = ciphers[n].key_bytes, tag_bytes = ciphers[n].tag_bytes;
        snprintf(at, sizeof at, "many, %s", name);
        test_messages(name, key_bytes, tag_bytes, 5, 1);
        test_messages(name, key_bytes, tag_bytes, 131, 0);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            test_rows(name, key_bytes, tag_bytes, sizes[i], 20, 1);
            test_rows(name, key_bytes, tag_bytes, sizes[i], sizes[4 - i] % 50, 0);
        }
    }
}
