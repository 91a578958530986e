/* The C interface of a GPU, used as a stranger would: messages in host memory, one and many, and
 * messages on the device, then what must be refused.
 *
 *   gpu CASES KERNELS DRIVER
 *
 * CASES is made by the test that compiles this: of each case the cipher's name in 16 bytes, six sizes
 * (key, nonce, associated data, data, sealed, and 1 if it is authentic) and their bytes. DRIVER is
 * one whose device is this CPU, so what a stream has still to do can be seen. */
#define _POSIX_C_SOURCE 200112L /* setenv */
#include <dlfcn.h>
#include <roundworks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char at[64] = "";
static unsigned long checks;

#define CHECK(what)                                                                   \
    do {                                                                              \
        checks++;                                                                     \
        if (!(what)) {                                                                \
            fprintf(stderr, "%s: line %d: %s: %s\n", at, __LINE__, #what,             \
                    roundworks_error_text());                                         \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)
#define REFUSED(code, line, what) CHECK((what) == (code) && says(line))

enum { TAG = 16 };
static roundworks_gpu *gpu;

/* Of the driver: what a program calls that has messages on the device. */
static struct {
    int (*push)(void *), (*pop)(void **), (*retain)(void **, int);
    int (*alloc)(uint64_t *, size_t), (*free_memory)(uint64_t);
    int (*create)(void **, unsigned), (*wait)(void *), (*destroy)(void *);
    int (*set)(uint64_t, unsigned char, size_t, void *);
    uint64_t (*dirty)(void), (*live)(void), (*contexts)(void);
} cuda;
static void *stream;

static int says(const char *line)
{
    return strncmp(roundworks_error_text(), line, strlen(line)) == 0;
}

static uint8_t *fresh(size_t bytes)
{
    uint8_t *p = malloc(bytes + (bytes == 0));
    CHECK(p != NULL);
    memset(p, 0x55, bytes);
    return p;
}

static int all(uint8_t value, const uint8_t *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (p[i] != value)
            return 0;
    return 1;
}

/* Memory of the device with these bytes in it: of this driver's device a host address too. */
static uint64_t held(const uint8_t *from, size_t bytes)
{
    uint64_t p = 0;
    CHECK(cuda.alloc(&p, bytes / 32 * 32 + 64) == 0);
    memset((void *)p, 0x55, bytes / 32 * 32 + 64);
    if (from != NULL && bytes > 0)
        memcpy((void *)p, from, bytes);
    return p;
}

static void let_go(uint64_t p, size_t bytes)
{
    memset((void *)p, 0, bytes / 32 * 32 + 64);
    CHECK(cuda.free_memory(p) == 0);
}

static void *driver_function(void *driver, const char *name)
{
    void *found = dlsym(driver, name);
    CHECK(found != NULL);
    return found;
}

static void start(const char *path)
{
    void *driver = dlopen(path, RTLD_NOW | RTLD_LOCAL), *context = NULL;
    CHECK(driver != NULL);
    const struct {
        void *to;
        const char *name;
    } names[] = {
        {&cuda.push, "cuCtxPushCurrent_v2"},  {&cuda.pop, "cuCtxPopCurrent_v2"},
        {&cuda.alloc, "cuMemAlloc_v2"},       {&cuda.free_memory, "cuMemFree_v2"},
        {&cuda.create, "cuStreamCreate"},     {&cuda.wait, "cuStreamSynchronize"},
        {&cuda.destroy, "cuStreamDestroy_v2"}, {&cuda.set, "cuMemsetD8Async"},
        {&cuda.dirty, "host_cuda_freed_dirty"}, {&cuda.live, "host_cuda_live"},
        {&cuda.contexts, "host_cuda_contexts"}, {&cuda.retain, "cuDevicePrimaryCtxRetain"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *found = driver_function(driver, names[i].name);
        memcpy(names[i].to, &found, sizeof found);
    }
    CHECK(cuda.retain(&context, 0) == 0 && cuda.push(context) == 0);
    CHECK(cuda.create(&stream, 1) == 0);
}

struct one {
    char cipher[17];
    uint32_t key_bytes, nonce_bytes, ad_bytes, data_bytes, sealed_bytes, valid;
    uint8_t *key, *nonce, *ad, *data, *sealed;
};

static uint8_t *part(FILE *file, size_t bytes)
{
    uint8_t *p = fresh(bytes);
    CHECK(fread(p, 1, bytes, file) == bytes);
    return p;
}

static int next(FILE *file, struct one *c)
{
    memset(c, 0, sizeof *c);
    if (fread(c->cipher, 1, 16, file) != 16)
        return 0;
    CHECK(fread(&c->key_bytes, 4, 6, file) == 6);
    c->key = part(file, c->key_bytes);
    c->nonce = part(file, c->nonce_bytes);
    c->ad = part(file, c->ad_bytes);
    c->data = part(file, c->data_bytes);
    c->sealed = part(file, c->sealed_bytes);
    return 1;
}

static roundworks_gpu_cipher *keyed(const char *name, const uint8_t *key, size_t key_bytes)
{
    roundworks_gpu_cipher *c = NULL;
    CHECK(roundworks_gpu_cipher_new(gpu, name, key, key_bytes, &c) == ROUNDWORKS_OK && c != NULL);
    return c;
}

static int open_one(const roundworks_gpu_cipher *c, const struct one *v, const uint8_t *sealed,
                    uint8_t *out, size_t *bytes)
{
    return roundworks_gpu_open(c, v->nonce, v->nonce_bytes, v->ad, v->ad_bytes, sealed,
                               v->sealed_bytes, out,
                               roundworks_gpu_opened_bytes(c, v->sealed_bytes), bytes);
}

static void test_host(const roundworks_gpu_cipher *c, const struct one *v)
{
    const size_t room = roundworks_gpu_opened_bytes(c, v->sealed_bytes);
    uint8_t *out = fresh(v->sealed_bytes), *opened = fresh(room);
    size_t bytes = 1;
    if (v->valid) {
        CHECK(roundworks_gpu_sealed_bytes(c, v->data_bytes) == v->sealed_bytes);
        CHECK(roundworks_gpu_seal(c, v->nonce, v->nonce_bytes, v->ad, v->ad_bytes, v->data,
                                  v->data_bytes, out, v->sealed_bytes) == ROUNDWORKS_OK);
        CHECK(memcmp(out, v->sealed, v->sealed_bytes) == 0);
        CHECK(open_one(c, v, out, opened, &bytes) == ROUNDWORKS_OK && bytes == v->data_bytes);
        CHECK(memcmp(opened, v->data, bytes) == 0 && all(0, opened + bytes, room - bytes));
        /* In place. */
        CHECK(open_one(c, v, out, out, &bytes) == ROUNDWORKS_OK && bytes == v->data_bytes);
        CHECK(memcmp(out, v->data, bytes) == 0);
        CHECK(roundworks_gpu_seal(c, v->nonce, v->nonce_bytes, v->ad, v->ad_bytes, out,
                                  v->data_bytes, out, v->sealed_bytes) == ROUNDWORKS_OK);
        CHECK(memcmp(out, v->sealed, v->sealed_bytes) == 0);
    }
    memcpy(out, v->sealed, v->sealed_bytes);
    const size_t places[] = {0, v->sealed_bytes / 2, v->sealed_bytes - TAG, v->sealed_bytes - 1};
    for (size_t i = 0; i < 4; i++) {
        if (v->valid)
            out[places[i]] ^= 0x10;
        memset(opened, 0x55, room);
        REFUSED(ROUNDWORKS_ERROR_TAG, "authentication failed", open_one(c, v, out, opened, &bytes));
        CHECK(all(0, opened, room));
        if (v->valid)
            out[places[i]] ^= 0x10;
    }
    free(opened);
    free(out);
}

static void test_device(const roundworks_gpu_cipher *c, const struct one *v)
{
    const size_t room = v->sealed_bytes - TAG;
    const int in_place = strcmp(v->cipher, "minalpher") != 0;
    const uint8_t *tag = v->sealed + room;
    roundworks_gpu_message m = {held(v->ad, v->ad_bytes),     v->ad_bytes,
                                held(v->data, v->data_bytes), v->data_bytes,
                                held(NULL, room),             held(NULL, TAG)};
    size_t bytes = 0;
    uint8_t *out = (uint8_t *)m.out, *found = (uint8_t *)m.tag, *data = (uint8_t *)m.data;
    CHECK(roundworks_gpu_seal_on_device(c, v->nonce, v->nonce_bytes, &m, stream) == ROUNDWORKS_OK);
    CHECK(all(0x55, out, room) && all(0x55, found, TAG)); /* nobody waited */
    CHECK(cuda.wait(stream) == 0);
    CHECK(memcmp(out, v->sealed, room) == 0 && memcmp(found, tag, TAG) == 0);
    CHECK(all(0x55, out + room / 32 * 32 + 32, 32) && all(0x55, found + TAG, TAG));

    const roundworks_gpu_message back = {m.ad, m.ad_bytes, m.out, room, m.data, m.tag};
    uint64_t wide = held(NULL, room);
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
        memcpy(out, v->sealed, room);
        found[place ? 15 : 0] ^= 0x80;
        REFUSED(ROUNDWORKS_ERROR_TAG, "authentication failed",
                roundworks_gpu_open_on_device(c, v->nonce, v->nonce_bytes, &from, &bytes, stream));
        CHECK(all(0, (uint8_t *)from.out, room));
        found[place ? 15 : 0] ^= 0x80;
    }
    let_go(wide, room);
    let_go(m.ad, m.ad_bytes);
    let_go(m.data, v->data_bytes);
    let_go(m.out, room);
    let_go(m.tag, TAG);
}

#include "gpu_many.h"

static void test_refused(const char *kernels, const char *driver)
{
    const uint8_t key[32] = {0}, nonce[13] = {0};
    uint8_t out[64];
    size_t bytes = 0;
    roundworks_gpu *none = NULL;
    roundworks_gpu_cipher *c = NULL;
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
            roundworks_gpu_cipher_new(gpu, "aes", key, 16, &c));
    REFUSED(ROUNDWORKS_ERROR_LENGTH, "key: want 16 bytes, got 15",
            roundworks_gpu_cipher_new(gpu, "minalpher", key, 15, &c));
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "gpu: want a GPU, got NULL",
            roundworks_gpu_cipher_new(NULL, "minalpher", key, 16, &c));
    CHECK(c == NULL);

    c = keyed("aes-128-gcm", key, 16);
    REFUSED(ROUNDWORKS_ERROR_LENGTH, "nonce: want 12 bytes, got 13",
            roundworks_gpu_seal(c, nonce, 13, NULL, 0, key, 32, out, 48));
    REFUSED(ROUNDWORKS_ERROR_LENGTH, "out: want 48 bytes, got 47",
            roundworks_gpu_seal(c, nonce, 12, NULL, 0, key, 32, out, 47));
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "data: want 32 bytes, got NULL",
            roundworks_gpu_seal(c, nonce, 12, NULL, 0, NULL, 32, out, 48));
    REFUSED(ROUNDWORKS_ERROR_LENGTH, "nonce: want 12 bytes, got 13",
            roundworks_gpu_open(c, nonce, 13, NULL, 0, key, 32, out, 16, &bytes));
    REFUSED(ROUNDWORKS_ERROR_ARGUMENT, "cipher: want a cipher, got NULL",
            roundworks_gpu_open(NULL, nonce, 12, NULL, 0, key, 32, out, 16, &bytes));
    CHECK(all(0x55, out, sizeof out));
    REFUSED(ROUNDWORKS_ERROR_TAG, "authentication failed",
            roundworks_gpu_open(c, nonce, 12, NULL, 0, key, 15, out, sizeof out, &bytes));
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
    roundworks_gpu_cipher_free(c);

    size_t free_bytes = 0;
    CHECK(roundworks_gpu_free_bytes(gpu, &free_bytes) == ROUNDWORKS_OK && free_bytes > 0);
    c = keyed("minalpher", key, 16);
    uint8_t *large = fresh((3 << 20) + 16);
    char limit[24];
    snprintf(limit, sizeof limit, "%zu", ((size_t)1 << 30) - free_bytes + ((size_t)2 << 20));
    CHECK(setenv("HOST_CUDA_BYTES", limit, 1) == 0);
    REFUSED(ROUNDWORKS_ERROR_MEMORY, "this CPU: want 3 MiB of memory, 2 MiB are free; give it less",
            roundworks_gpu_open(c, nonce, 13, NULL, 0, large, (3 << 20) + 16, large, 3 << 20, &bytes));
    CHECK(all(0, large, 3 << 20));
    CHECK(unsetenv("HOST_CUDA_BYTES") == 0);
    free(large);
    roundworks_gpu_cipher_free(c);
}

int main(int count, char **argv)
{
    CHECK(count == 4);
    FILE *file = fopen(argv[1], "rb");
    CHECK(file != NULL);
    start(argv[3]);
    const uint64_t contexts = cuda.contexts();
    /* The folder beside the library, then by its name. */
    CHECK(roundworks_gpu_new(0, NULL, argv[3], &gpu) == ROUNDWORKS_OK && gpu != NULL);
    roundworks_gpu_free(gpu);
    CHECK(roundworks_gpu_new(0, argv[2], argv[3], &gpu) == ROUNDWORKS_OK && gpu != NULL);
    CHECK(strcmp(roundworks_gpu_name(gpu), "this CPU") == 0);
    CHECK(strcmp(roundworks_gpu_architecture(gpu), "sm_90") == 0);

    unsigned long cases = 0;
    for (struct one v; next(file, &v); cases++) {
        snprintf(at, sizeof at, "case %lu, %s", cases, v.cipher);
        roundworks_gpu_cipher *c = keyed(v.cipher, v.key, v.key_bytes);
        test_host(c, &v);
        if (v.valid)
            test_device(c, &v);
        roundworks_gpu_cipher_free(c);
        free(v.key);
        free(v.nonce);
        free(v.ad);
        free(v.data);
        free(v.sealed);
    }
    fclose(file);
    snprintf(at, sizeof at, "many");
    test_many();
    snprintf(at, sizeof at, "refused");
    test_refused(argv[2], argv[3]);
    CHECK(cuda.wait(stream) == 0 && cuda.destroy(stream) == 0);
    roundworks_gpu_free(gpu);
    roundworks_gpu_free(NULL);
    roundworks_gpu_cipher_free(NULL);
    CHECK(cuda.dirty() == 0); /* memory went back with nothing in it */
    CHECK(cuda.live() == 0 && cuda.contexts() == contexts);
    printf("roundworks %s: %lu cases, %lu checks\n", roundworks_version(), cases, checks);
    return 0;
}
