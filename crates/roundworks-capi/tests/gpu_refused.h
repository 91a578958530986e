/* What gpu.c must see refused. */

static void test_refused_rows(const roundworks_cipher *c)
{
    roundworks_gpu_rows rows = {2, 1024, 0, 0, 1, 2048, 16, 4096, 8192};
    rows.ad_count = 3;
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "ad_count: want 1 or 2, got 3",
            roundworks_gpu_seal_rows(c, &rows, stream));
    rows.ad_count = 2;
    rows.data_bytes = (size_t)1 << 31;
    REFUSED(ROUNDWORKS_ERROR_LENGTH, "data: want at most 2147483647 bytes, got 2147483648",
            roundworks_gpu_seal_rows(c, &rows, stream));
    rows.data_bytes = 17;
    rows.out = 2048;
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "data: overlaps an output",
            roundworks_gpu_seal_rows(c, &rows, stream));
    rows.out = 4096;
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "verdicts: overlaps an output",
            roundworks_gpu_open_rows(c, &rows, 4112, stream));
    /* A driver's own refusal: that memory is not there. */
    REFUSED(ROUNDWORKS_ERROR_DRIVER, "cuMemsetD8Async: CUDA_ERROR_INVALID_VALUE",
            roundworks_gpu_open_rows(c, &rows, 16384, stream));
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "rows: want some, got NULL",
            roundworks_gpu_seal_rows(c, NULL, stream));

    const uint8_t key[16] = {0};
    roundworks_cipher *other = keyed("minalpher", key, 16);
    REFUSED(ROUNDWORKS_ERROR_UNAVAILABLE, "minalpher: no rows on a GPU; seal and open each message",
            roundworks_gpu_seal_rows(other, &rows, stream));
    roundworks_cipher_free(other);
}

static void test_refused(const char *kernels, const char *driver)
{
    const uint8_t key[32] = {0}, nonce[13] = {0};
    uint8_t out[64];
    size_t bytes = 0;
    roundworks_gpu *none = NULL;
    roundworks_cipher *c = NULL;
    memset(out, 0x55, sizeof out);
    REFUSED(ROUNDWORKS_ERROR_UNAVAILABLE,
            "no-such-library.so: not found; install NVIDIA's driver, or use the CPU",
            roundworks_gpu_new(0, kernels, "no-such-library.so", &none));
    REFUSED(ROUNDWORKS_ERROR_UNAVAILABLE, "device 3: not here; the driver sees 1, from 0 on",
            roundworks_gpu_new(3, kernels, driver, &none));
    REFUSED(ROUNDWORKS_ERROR_UNAVAILABLE, "no-such-folder/minalpher.fatbin: ",
            roundworks_gpu_new(0, "no-such-folder", driver, &none));
    CHECK(strstr(roundworks_error_text(), "; make install-gpu, or use the CPU") != NULL);
    CHECK(setenv("HOST_CUDA_VERSION", "12040", 1) == 0);
    REFUSED(ROUNDWORKS_ERROR_UNAVAILABLE, "driver: want CUDA 13.0 or newer, got 12.4; update",
            roundworks_gpu_new(0, kernels, driver, &none));
    CHECK(unsetenv("HOST_CUDA_VERSION") == 0 && setenv("HOST_CUDA_DEVICES", "0", 1) == 0);
    REFUSED(ROUNDWORKS_ERROR_UNAVAILABLE, "no GPU: the driver sees none; lend this machine one",
            roundworks_gpu_new(0, kernels, driver, &none));
    CHECK(unsetenv("HOST_CUDA_DEVICES") == 0);
    REFUSED(ROUNDWORKS_ERROR_UNAVAILABLE,
            "minalpher: no machine code for sm_90 of this CPU; compile it for that",
            roundworks_gpu_new(0, "other", driver, &none));
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "gpu: want a place", roundworks_gpu_new(0, NULL, NULL, NULL));
    CHECK(none == NULL);

    REFUSED(ROUNDWORKS_ERROR_UNAVAILABLE, "cipher 'aes': not on a GPU; one of minalpher, aes-128-gcm",
            roundworks_gpu_cipher_new(gpu, "aes", key, 16, 0, &c));
    REFUSED(ROUNDWORKS_ERROR_LENGTH, "key: want 16 bytes, got 15",
            roundworks_gpu_cipher_new(gpu, "minalpher", key, 15, 0, &c));
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "gpu: want a GPU, got NULL",
            roundworks_gpu_cipher_new(NULL, "minalpher", key, 16, 0, &c));
    REFUSED(ROUNDWORKS_ERROR_UNAVAILABLE, "tag_bytes: aegis-128l has tags of 16 or 32 bytes, got 8",
            roundworks_gpu_cipher_new(gpu, "aegis-128l", key, 16, 8, &c));
    REFUSED(ROUNDWORKS_ERROR_UNAVAILABLE, "tag_bytes: aes-128-gcm has tags of 16 bytes, got 32",
            roundworks_gpu_cipher_new(gpu, "aes-128-gcm", key, 16, 32, &c));
    CHECK(c == NULL);

    c = keyed("aes-128-gcm", key, 16);
    REFUSED(ROUNDWORKS_ERROR_LENGTH, "nonce: want 12 bytes, got 13",
            roundworks_seal(c, nonce, 13, NULL, 0, key, 32, out, 48));
    REFUSED(ROUNDWORKS_ERROR_LENGTH, "out: want 48 bytes, got 47",
            roundworks_seal(c, nonce, 12, NULL, 0, key, 32, out, 47));
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "data: want 32 bytes, got NULL",
            roundworks_seal(c, nonce, 12, NULL, 0, NULL, 32, out, 48));
    REFUSED(ROUNDWORKS_ERROR_LENGTH, "nonce: want 12 bytes, got 13",
            roundworks_open(c, nonce, 13, NULL, 0, key, 32, out, 16, &bytes));
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "cipher: want a cipher, got NULL",
            roundworks_open(NULL, nonce, 12, NULL, 0, key, 32, out, 16, &bytes));
    CHECK(all(0x55, out, sizeof out));
    REFUSED(ROUNDWORKS_ERROR_TAG, "authentication failed",
            roundworks_open(c, nonce, 12, NULL, 0, key, 15, out, sizeof out, &bytes));
    CHECK(all(0, out, sizeof out));

    roundworks_gpu_message m = {0, 0, 1024, 32, 2048, 4096 + 8};
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "tag: want an address that is a multiple of 16, got 0x1008",
            roundworks_gpu_seal_on_device(c, nonce, 12, &m, stream));
    m.tag = 2064;
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "tag: overlaps an output; want no common byte",
            roundworks_gpu_seal_on_device(c, nonce, 12, &m, stream));
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "message: want one, got NULL",
            roundworks_gpu_open_on_device(c, nonce, 12, NULL, &bytes, stream));
    test_refused_rows(c);
    CHECK(strcmp(roundworks_cipher_backend(c), roundworks_gpu_architecture(gpu)) == 0);
    CHECK(roundworks_sealing_new(c, nonce, 12) == NULL &&
          says("cipher: want one on the CPU, got one on a GPU"));
    roundworks_cipher_free(c);
    c = roundworks_cipher_new("aegis-128l", key, 16, 0, NULL);
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "cipher: want one on a GPU, got one on the CPU",
            roundworks_gpu_seal_on_device(c, nonce, 16, &m, stream));
    roundworks_cipher_free(c);

    size_t free_bytes = 0;
    CHECK(roundworks_gpu_trim(gpu, 0) == ROUNDWORKS_OK);
    CHECK(roundworks_gpu_free_bytes(gpu, &free_bytes) == ROUNDWORKS_OK && free_bytes > 0);
    c = keyed("minalpher", key, 16);
    uint8_t *large = fresh((3 << 20) + 16);
    char limit[24];
    snprintf(limit, sizeof limit, "%zu", ((size_t)1 << 30) - free_bytes + ((size_t)2 << 20));
    CHECK(setenv("HOST_CUDA_BYTES", limit, 1) == 0);
    REFUSED(ROUNDWORKS_ERROR_MEMORY, "this CPU: want 3 MiB of memory, 2 MiB are free; give it less",
            roundworks_open(c, nonce, 13, NULL, 0, large, (3 << 20) + 16, large, 3 << 20, &bytes));
    CHECK(all(0, large, 3 << 20));
    CHECK(unsetenv("HOST_CUDA_BYTES") == 0);
    free(large);
    roundworks_cipher_free(c);
}
