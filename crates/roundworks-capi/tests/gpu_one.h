/* One message of gpu.c: in host memory, then on the device. */

static int open_one(const roundworks_cipher *c, const struct one *v, const uint8_t *sealed,
                    uint8_t *out, size_t *bytes)
{
    return roundworks_open(c, v->nonce, v->nonce_bytes, v->ad, v->ad_bytes, sealed,
                               v->sealed_bytes, out,
                               roundworks_opened_bytes(c, v->sealed_bytes), bytes);
}

static void test_host(const roundworks_cipher *c, const struct one *v)
{
    const size_t size = roundworks_opened_bytes(c, v->sealed_bytes);
    uint8_t *out = fresh(v->sealed_bytes), *opened = fresh(size);
    size_t bytes = 1;
    if (v->valid) {
        CHECK(roundworks_sealed_bytes(c, v->data_bytes) == v->sealed_bytes);
        CHECK(roundworks_seal(c, v->nonce, v->nonce_bytes, v->ad, v->ad_bytes, v->data,
                                  v->data_bytes, out, v->sealed_bytes) == ROUNDWORKS_OK);
        CHECK(memcmp(out, v->sealed, v->sealed_bytes) == 0);
        CHECK(open_one(c, v, out, opened, &bytes) == ROUNDWORKS_OK && bytes == v->data_bytes);
        CHECK(memcmp(opened, v->data, bytes) == 0 && all(0, opened + bytes, size - bytes));
        /* In place. */
        CHECK(open_one(c, v, out, out, &bytes) == ROUNDWORKS_OK && bytes == v->data_bytes);
        CHECK(memcmp(out, v->data, bytes) == 0);
        CHECK(roundworks_seal(c, v->nonce, v->nonce_bytes, v->ad, v->ad_bytes, out,
                                  v->data_bytes, out, v->sealed_bytes) == ROUNDWORKS_OK);
        CHECK(memcmp(out, v->sealed, v->sealed_bytes) == 0);
    }
    memcpy(out, v->sealed, v->sealed_bytes);
    const size_t places[] = {0, v->sealed_bytes / 2, v->sealed_bytes - roundworks_tag_bytes(c),
                             v->sealed_bytes - 1};
    for (size_t i = 0; i < 4; i++) {
        if (v->valid)
            out[places[i]] ^= 0x10;
        memset(opened, 0x55, size);
        REFUSED(ROUNDWORKS_ERROR_TAG, "authentication failed", open_one(c, v, out, opened, &bytes));
        CHECK(all(0, opened, size));
        if (v->valid)
            out[places[i]] ^= 0x10;
    }
    free(opened);
    free(out);
}

static void test_device(const roundworks_cipher *c, const struct one *v)
{
    const size_t tag_bytes = roundworks_tag_bytes(c), size = v->sealed_bytes - tag_bytes;
    const int in_place = strcmp(v->cipher, "minalpher") != 0;
    const uint8_t *tag = v->sealed + size;
    roundworks_gpu_message m = {sent(v->ad, v->ad_bytes),     v->ad_bytes,
                                sent(v->data, v->data_bytes), v->data_bytes,
                                sent(NULL, size),             sent(NULL, tag_bytes)};
    size_t bytes = 0;
    uint8_t *out = (uint8_t *)m.out, *found = (uint8_t *)m.tag, *data = (uint8_t *)m.data;
    CHECK(roundworks_gpu_seal_on_device(c, v->nonce, v->nonce_bytes, &m, stream) == ROUNDWORKS_OK);
    CHECK(all(0x55, out, size) && all(0x55, found, tag_bytes)); /* nobody waited */
    CHECK(cuda.wait(stream) == 0);
    CHECK(memcmp(out, v->sealed, size) == 0 && memcmp(found, tag, tag_bytes) == 0);
    CHECK(all(0x55, out + size / 32 * 32 + 32, 32) && all(0x55, found + tag_bytes, 16));

    const roundworks_gpu_message back = {m.ad, m.ad_bytes, m.out, size, m.data, m.tag};
    uint64_t wide = sent(NULL, size);
    for (int place = 0; place <= in_place; place++) {
        roundworks_gpu_message from = back;
        from.out = place ? m.out : wide;
        CHECK(roundworks_gpu_open_on_device(c, v->nonce, v->nonce_bytes, &from, &bytes, stream) ==
              ROUNDWORKS_OK);
        CHECK(bytes == v->data_bytes && memcmp((void *)from.out, data, bytes) == 0);
    }
    for (int place = 0; place <= in_place; place++) {
        roundworks_gpu_message from = back;
        from.out = place ? m.out : wide;
        memcpy(out, v->sealed, size);
        found[place ? tag_bytes - 1 : 0] ^= 0x80;
        REFUSED(ROUNDWORKS_ERROR_TAG, "authentication failed",
                roundworks_gpu_open_on_device(c, v->nonce, v->nonce_bytes, &from, &bytes, stream));
        CHECK(all(0, (uint8_t *)from.out, size));
        found[place ? tag_bytes - 1 : 0] ^= 0x80;
    }
    let_go(wide, size);
    let_go(m.ad, m.ad_bytes);
    let_go(m.data, v->data_bytes);
    let_go(m.out, size);
    let_go(m.tag, tag_bytes);
}
