/* What gpu.c sees of the memory that the library has on the device: kept, given back on request,
 * and wiped before. */

static size_t owned_bytes(const roundworks_gpu *of)
{
    size_t bytes = 0;
    CHECK(roundworks_gpu_owned_bytes(of, &bytes) == ROUNDWORKS_OK);
    return bytes;
}

static void seal_bytes(const roundworks_cipher *c, const uint8_t *data, size_t bytes, uint8_t *out)
{
    const uint8_t nonce[13] = {0};
    seal_one(c, nonce, roundworks_nonce_bytes(c), NULL, 0, data, bytes, out);
}

static void test_memory(const char *kernels, const char *driver)
{
    enum { LARGE = 1 << 18 };
    uint8_t *data = numbered(LARGE, 1), *out = fresh(LARGE + 48);
    const uint8_t key[16] = {7};
    const uint64_t others = cuda.bytes();
    roundworks_gpu *mine = NULL;
    snprintf(at, sizeof at, "memory");
    CHECK(roundworks_gpu_new(0, kernels, driver, &mine) == ROUNDWORKS_OK);
    CHECK(owned_bytes(mine) == 0);
    roundworks_cipher *c = NULL;
    CHECK(roundworks_gpu_cipher_new(mine, "aes-128-gcm", key, 16, 0, &c) == ROUNDWORKS_OK);
    CHECK(roundworks_gpu_trim(mine, 0) == ROUNDWORKS_OK);
    const size_t of_key = owned_bytes(mine);
    CHECK(of_key > 1024 * 16);

    /* All is kept, and counts as free. */
    size_t before = 0, after = 0;
    CHECK(roundworks_gpu_free_bytes(mine, &before) == ROUNDWORKS_OK);
    seal_bytes(c, data, LARGE, out);
    const size_t most = owned_bytes(mine);
    CHECK(most > of_key + 2 * LARGE && cuda.bytes() == others + most);
    for (int i = 0; i < 3; i++) {
        CHECK(roundworks_gpu_trim(mine, SIZE_MAX) == ROUNDWORKS_OK); /* waits, and keeps all */
        seal_bytes(c, data, LARGE, out);
        CHECK(owned_bytes(mine) == most);
    }
    CHECK(roundworks_gpu_trim(mine, SIZE_MAX) == ROUNDWORKS_OK && owned_bytes(mine) == most);
    CHECK(roundworks_gpu_free_bytes(mine, &after) == ROUNDWORKS_OK && after == before);
    CHECK(roundworks_gpu_trim(mine, of_key + LARGE) == ROUNDWORKS_OK);
    CHECK(owned_bytes(mine) <= of_key + LARGE);
    CHECK(roundworks_gpu_trim(mine, 0) == ROUNDWORKS_OK && owned_bytes(mine) == of_key);

    /* No more than that is kept: what one call leaves goes when the next waits. */
    CHECK(roundworks_gpu_keep_bytes(mine, 0) == ROUNDWORKS_OK);
    seal_bytes(c, data, LARGE, out);
    seal_bytes(c, data, 16, out);
    CHECK(owned_bytes(mine) < of_key + LARGE);

    /* Work of a caller's stream that is not done when all is freed. */
    roundworks_gpu_message m = {0, 0, sent(data, 64), 64, sent(NULL, 64), sent(NULL, 16)};
    const uint8_t nonce[12] = {0};
    CHECK(roundworks_gpu_seal_on_device(c, nonce, 12, &m, stream) == ROUNDWORKS_OK);
    CHECK(cuda.wait(stream) == 0); /* the cipher is there until then */
    roundworks_cipher_free(c);
    roundworks_gpu_free(mine);
    let_go(m.data, 64);
    let_go(m.out, 64);
    let_go(m.tag, 16);
    CHECK(cuda.bytes() == others && cuda.dirty() == 0);

    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "gpu: want a GPU, got NULL", roundworks_gpu_trim(NULL, 0));
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "gpu: want a GPU, got NULL", roundworks_gpu_keep_bytes(NULL, 0));
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "owned_bytes: want a place, got NULL",
            roundworks_gpu_owned_bytes(gpu, NULL));
    free(data);
    free(out);
}
