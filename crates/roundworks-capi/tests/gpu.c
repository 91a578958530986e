/* The C interface of a GPU, used as a stranger would: messages in host memory, one and many, and
 * messages on the device, then what must be refused.
 *
 *   gpu CASES KERNELS DRIVER
 *
 * CASES is made by the test that compiles this: of each case the cipher's name in 16 bytes, seven
 * numbers (bytes of key, nonce, associated data, data, sealed and tag, and 1 if it is authentic), then the
 * first five. DRIVER is
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

static roundworks_gpu *gpu;

/* Of the driver: what a program calls that has messages on the device. */
static struct {
    int (*push)(void *), (*pop)(void **), (*retain)(void **, int);
    int (*alloc)(uint64_t *, size_t), (*free_memory)(uint64_t);
    int (*create)(void **, unsigned), (*wait)(void *), (*destroy)(void *);
    int (*set)(uint64_t, unsigned char, size_t, void *);
    uint64_t (*dirty)(void), (*live)(void), (*contexts)(void), (*pinned)(void), (*bytes)(void);
    const char *(*calls)(void);
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
static uint64_t sent(const uint8_t *from, size_t bytes)
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
        {&cuda.pinned, "host_cuda_pinned"},   {&cuda.calls, "host_cuda_calls"},
        {&cuda.bytes, "host_cuda_bytes"},
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
    uint32_t key_bytes, nonce_bytes, ad_bytes, data_bytes, sealed_bytes, tag_bytes, valid;
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
    CHECK(fread(&c->key_bytes, 4, 7, file) == 7);
    c->key = part(file, c->key_bytes);
    c->nonce = part(file, c->nonce_bytes);
    c->ad = part(file, c->ad_bytes);
    c->data = part(file, c->data_bytes);
    c->sealed = part(file, c->sealed_bytes);
    return 1;
}

static roundworks_cipher *tagged(const char *name, const uint8_t *key, size_t key_bytes,
                                     size_t tag_bytes)
{
    roundworks_cipher *c = NULL;
    CHECK(roundworks_gpu_cipher_new(gpu, name, key, key_bytes, tag_bytes, &c) == ROUNDWORKS_OK);
    CHECK(c != NULL && (tag_bytes == 0 || roundworks_tag_bytes(c) == tag_bytes));
    return c;
}

static roundworks_cipher *keyed(const char *name, const uint8_t *key, size_t key_bytes)
{
    return tagged(name, key, key_bytes, 0);
}

#include "gpu_one.h"
#include "gpu_many.h"
#include "gpu_long.h"
#include "gpu_memory.h"
#include "gpu_refused.h"

int main(int count, char **argv)
{
    CHECK(count == 4);
    FILE *file = fopen(argv[1], "rb");
    CHECK(file != NULL);
    start(argv[3]);
    const uint64_t contexts = cuda.contexts();
    /* The folder next to the library, then by its name. */
    CHECK(roundworks_gpu_new(0, NULL, argv[3], &gpu) == ROUNDWORKS_OK && gpu != NULL);
    roundworks_gpu_free(gpu);
    CHECK(roundworks_gpu_new(0, argv[2], argv[3], &gpu) == ROUNDWORKS_OK && gpu != NULL);
    CHECK(strcmp(roundworks_gpu_name(gpu), "this CPU") == 0);
    CHECK(strcmp(roundworks_gpu_architecture(gpu), "sm_90") == 0);

    unsigned long cases = 0;
    for (struct one v; next(file, &v); cases++) {
        snprintf(at, sizeof at, "case %lu, %s", cases, v.cipher);
        roundworks_cipher *c = tagged(v.cipher, v.key, v.key_bytes, v.tag_bytes);
        test_host(c, &v);
        if (v.valid)
            test_device(c, &v);
        roundworks_cipher_free(c);
        free(v.key);
        free(v.nonce);
        free(v.ad);
        free(v.data);
        free(v.sealed);
    }
    fclose(file);
    snprintf(at, sizeof at, "many");
    test_many();
    test_long();
    test_memory(argv[2], argv[3]);
    snprintf(at, sizeof at, "refused");
    test_refused(argv[2], argv[3]);
    CHECK(cuda.wait(stream) == 0 && cuda.destroy(stream) == 0);
    roundworks_gpu_free(gpu);
    roundworks_gpu_free(NULL);
    roundworks_cipher_free(NULL);
    CHECK(cuda.dirty() == 0); /* memory went back with nothing in it */
    CHECK(cuda.live() == 0 && cuda.bytes() == 0 && cuda.pinned() == 0 && cuda.contexts() == contexts);
    printf("roundworks %s: %lu cases, %lu checks\n", roundworks_version(), cases, checks);
    return 0;
}
