/* One long message of gpu.c in parts, around every boundary: the bytes of one that goes at once, which
 * were compared with the CPU. */

enum { CHUNK = 1024, WHOLE = 1 << 24, LONGEST = 7 * CHUNK + CHUNK / 2 };

/* Data and results in pinned memory or not; behind the size of one there is space to work in place. */
struct place {
    roundworks_gpu_pinned *pinned;
    uint8_t *memory;
};

static struct place place_of(int is_pinned)
{
    struct place p = {NULL, NULL};
    if (!is_pinned) {
        p.memory = fresh(LONGEST + 64);
        return p;
    }
    CHECK(roundworks_gpu_pinned_new(gpu, LONGEST + 64, &p.pinned) == ROUNDWORKS_OK);
    p.memory = roundworks_gpu_pinned_memory(p.pinned);
    CHECK(all(0, p.memory, LONGEST + 64));
    return p;
}

static void leave(struct place p)
{
    if (p.pinned == NULL)
        free(p.memory);
    roundworks_gpu_pinned_free(p.pinned);
}

/* How many copies out there were. */
static size_t copies_out(void)
{
    size_t count = 0;
    for (const char *p = cuda.calls(); *p; p++)
        count += *p == 'd';
    return count;
}

struct long_case {
    const roundworks_cipher *cipher;
    uint8_t *nonce, *ad, *data, *want;
    size_t nonce_bytes, bytes, ad_bytes, sealed_bytes;
};

static int seal_long(const struct long_case *v, const uint8_t *data, uint8_t *out)
{
    return roundworks_seal(v->cipher, v->nonce, v->nonce_bytes, v->ad, v->ad_bytes, data, v->bytes,
                               out, v->sealed_bytes);
}

static int open_long(const struct long_case *v, const uint8_t *sealed, uint8_t *out, size_t *bytes)
{
    return roundworks_open(v->cipher, v->nonce, v->nonce_bytes, v->ad, v->ad_bytes, sealed,
                               v->sealed_bytes, out,
                               roundworks_opened_bytes(v->cipher, v->sealed_bytes), bytes);
}

static void test_places(const struct long_case *v, struct place from, struct place to)
{
    const size_t tag = v->sealed_bytes - 1, flips[] = {0, v->bytes / 2, tag - 16, tag};
    const size_t size = roundworks_opened_bytes(v->cipher, v->sealed_bytes);
    size_t bytes = 0;
    memcpy(from.memory, v->data, v->bytes);
    CHECK(seal_long(v, from.memory, to.memory) == ROUNDWORKS_OK);
    CHECK(memcmp(to.memory, v->want, v->sealed_bytes) == 0);
    memset(from.memory, 0x55, size);
    CHECK(open_long(v, to.memory, from.memory, &bytes) == ROUNDWORKS_OK && bytes == v->bytes);
    CHECK(memcmp(from.memory, v->data, bytes) == 0 && all(0, from.memory + bytes, size - bytes));
    /* In place. */
    CHECK(open_long(v, to.memory, to.memory, &bytes) == ROUNDWORKS_OK && bytes == v->bytes);
    CHECK(memcmp(to.memory, v->data, bytes) == 0);
    CHECK(seal_long(v, to.memory, to.memory) == ROUNDWORKS_OK);
    CHECK(memcmp(to.memory, v->want, v->sealed_bytes) == 0);
    for (size_t i = 0; i < 4; i++) {
        const size_t before = copies_out();
        to.memory[flips[i]] ^= 2;
        memset(from.memory, 0x55, size);
        REFUSED(ROUNDWORKS_ERROR_TAG, "authentication failed",
                open_long(v, to.memory, from.memory, &bytes));
        /* A tag or a verdict, and no text; what is not longer than a chunk copies out both tags. */
        CHECK(copies_out() - before <= (size > CHUNK ? 1 : 2));
        CHECK(all(0, from.memory, size));
        to.memory[flips[i]] ^= 2;
    }
}

/* While the device works on one chunk the next two have come in: only its memory is waited for. */
static void test_overlap(const struct long_case *v)
{
    const struct place from = place_of(1), to = place_of(1);
    const size_t before = strlen(cuda.calls());
    CHECK(seal_long(v, from.memory, to.memory) == ROUNDWORKS_OK);
    CHECK(strncmp(cuda.calls() + before, "uukku", 5) == 0);
    leave(from);
    leave(to);
}

static void test_long_of(const char *name, size_t key_bytes)
{
    const size_t deltas[] = {0, 1, 15, 16, 17, 31, 32, 33};
    uint8_t *key = numbered(key_bytes, 6);
    roundworks_cipher *c = keyed(name, key, key_bytes);
    struct long_case v = {c, NULL, numbered(100, 7), numbered(LONGEST, 3), fresh(LONGEST + 64), 0, 0,
                          0, 0};
    v.nonce_bytes = roundworks_nonce_bytes(c);
    v.nonce = numbered(v.nonce_bytes, 2);
    snprintf(at, sizeof at, "long, %s", name);
    for (size_t i = 0; i < 49; i++) {
        const size_t near = (i / 16 + 1) * CHUNK, delta = deltas[i % 8];
        v.bytes = i == 48 ? LONGEST : i % 16 < 8 ? near + delta : near - delta;
        v.ad_bytes = i * 2;
        v.sealed_bytes = roundworks_sealed_bytes(c, v.bytes);
        CHECK(roundworks_gpu_set_increment_bytes(gpu, WHOLE) == ROUNDWORKS_OK);
        CHECK(seal_long(&v, v.data, v.want) == ROUNDWORKS_OK);
        CHECK(roundworks_gpu_set_increment_bytes(gpu, CHUNK) == ROUNDWORKS_OK);
        for (int which = i % 2 ? 3 : 0; which < (i == 48 ? 4 : i % 2 ? 4 : 1); which++) {
            const struct place from = place_of(which & 1), to = place_of(which & 2);
            test_places(&v, from, to);
            leave(from);
            leave(to);
        }
    }
    v.ad_bytes = 0;
    if (key_bytes == 32)
        test_overlap(&v);
    roundworks_cipher_free(c);
    free(v.nonce);
    free(v.ad);
    free(v.data);
    free(v.want);
    free(key);
}

static void test_long(void)
{
    roundworks_gpu_pinned *pinned = NULL;
    test_long_of("minalpher", 16);
    test_long_of("aes-128-gcm", 16);
    test_long_of("aes-256-gcm", 32);

    snprintf(at, sizeof at, "long, refused");
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "increment_bytes: want a multiple of 1024 bytes, got 1000",
            roundworks_gpu_set_increment_bytes(gpu, 1000));
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "increment_bytes: want a multiple of 1024 bytes, got 0",
            roundworks_gpu_set_increment_bytes(gpu, 0));
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "gpu: want a GPU, got NULL",
            roundworks_gpu_set_increment_bytes(NULL, 1024));
    const uint8_t key[16] = {0};
    uint8_t out[4 * CHUNK + 16];
    size_t bytes = 0;
    roundworks_cipher *c = keyed("aes-128-gcm", key, 16);
    CHECK(roundworks_gpu_set_increment_bytes(gpu, 2 * CHUNK) == ROUNDWORKS_OK); /* no buffers yet */
    CHECK(setenv("HOST_CUDA_PINNED", "1024", 1) == 0);
    REFUSED(ROUNDWORKS_ERROR_MEMORY, "host: want 1 MiB of pinned memory, there is less; give it less",
            roundworks_gpu_pinned_new(gpu, 1 << 20, &pinned));
    CHECK(pinned == NULL);
    memset(out, 0x55, sizeof out);
    REFUSED(ROUNDWORKS_ERROR_MEMORY, "host: want 1 MiB of pinned memory, there is less; give it less",
            roundworks_open(c, key, 12, NULL, 0, out, sizeof out, out, 4 * CHUNK, &bytes));
    CHECK(all(0, out, 4 * CHUNK));
    CHECK(unsetenv("HOST_CUDA_PINNED") == 0);
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "out: overlaps data; want the same first byte, or no common",
            roundworks_seal(c, key, 12, NULL, 0, out + 1, 64, out, 80));
    roundworks_cipher_free(c);
    CHECK(roundworks_gpu_set_increment_bytes(gpu, WHOLE) == ROUNDWORKS_OK);
}
