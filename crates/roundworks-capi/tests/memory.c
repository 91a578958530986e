/* Where memory is short every call returns, and says so. Without sanitizers, which reserve more memory
 * than the limit. */
#define _XOPEN_SOURCE 700 /* for setrlimit and sysconf */
#include <roundworks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define CHECK(what)                                                                      \
    do {                                                                                 \
        if (!(what)) {                                                                   \
            fprintf(stderr, "line %d: %s: %s\n", __LINE__, #what, roundworks_error_text()); \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)
#define COUNT 2000000

static void limit(size_t spare)
{
    unsigned long pages = 0;
    FILE *sizes = fopen("/proc/self/statm", "r");
    CHECK(sizes != NULL && fscanf(sizes, "%lu", &pages) == 1);
    fclose(sizes);
    struct rlimit most;
    CHECK(getrlimit(RLIMIT_AS, &most) == 0);
    most.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + spare;
    CHECK(setrlimit(RLIMIT_AS, &most) == 0);
}

static int short_of_memory(void)
{
    return strncmp(roundworks_error_text(), "memory: ", 8) == 0;
}

int main(void)
{
    const uint8_t key[16] = {0};
    static uint8_t out[16];
    roundworks_message *messages = calloc(COUNT, sizeof *messages);
    roundworks_cipher *c = roundworks_cipher_new("aegis-128l", key, 16, 0, NULL);
    CHECK(messages != NULL && c != NULL);
    for (size_t i = 0; i < COUNT; i++)
        messages[i].nonce = key;
    messages[0].out = out, messages[0].out_bytes = sizeof out;

    /* Too little for where all outputs are; then enough for that, and too little for all messages. */
    const size_t spare[] = {16 << 20, 48 << 20};
    for (size_t i = 0; i < sizeof spare / sizeof *spare; i++) {
        limit(spare[i]);
        CHECK(roundworks_seal_many(c, messages, COUNT) == ROUNDWORKS_ERROR_MEMORY);
        CHECK(short_of_memory());
        size_t refused = 7;
        CHECK(roundworks_open_many(c, messages, COUNT, &refused) == ROUNDWORKS_ERROR_MEMORY);
        CHECK(refused == 7 && messages[COUNT - 1].result == ROUNDWORKS_ERROR_MEMORY);
    }
    CHECK(roundworks_seal_many(c, messages, 1) == ROUNDWORKS_OK);

    limit(8 << 20);
    size_t made = 0;
    while (roundworks_cipher_new("aegis-128l", key, 16, 0, NULL) != NULL)
        made++;
    CHECK(short_of_memory());
    CHECK(roundworks_mac_new("aegis-128l", key, 16, key, 16, 0, NULL) == NULL && short_of_memory());
    CHECK(roundworks_sealing_new(c, key, 16) == NULL && short_of_memory());
    CHECK(roundworks_opening_new(c, key, 16, out, 16) == NULL && short_of_memory());
    CHECK(roundworks_permutation_new("simpira-2", NULL) == NULL && short_of_memory());
    CHECK(roundworks_hash_new("haraka-256", NULL) == NULL && short_of_memory());
    /* What needs no memory still works, and another error has its own line. */
    CHECK(roundworks_seal_many(c, messages, 1) == ROUNDWORKS_OK);
    CHECK(roundworks_seal(c, key, 12, NULL, 0, NULL, 0, out, 16) == ROUNDWORKS_ERROR_LENGTH);
    CHECK(strcmp(roundworks_error_text(), "nonce: want 16 bytes, got 12") == 0);
    printf("%lu ciphers\n", (unsigned long)made);
    return 0;
}
