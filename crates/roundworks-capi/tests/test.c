/* The C interface, used as a stranger would: every vector of spec/ in each of its forms, then what
 * must be refused. `vectors.h` is made from spec/ by the test that compiles this. */
#include <roundworks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector {
    const char *cipher, *id;
    const uint8_t *key, *nonce, *ad, *data, *sealed;
    size_t key_bytes, nonce_bytes, ad_bytes, data_bytes, sealed_bytes, tag_bytes;
    int valid;
};

typedef int (*encrypt_detached)(const uint8_t *, const uint8_t *, const uint8_t *, size_t,
                                const uint8_t *, size_t, uint8_t *, uint8_t *, size_t);
typedef int (*decrypt_detached)(const uint8_t *, const uint8_t *, const uint8_t *, size_t,
                                const uint8_t *, size_t, const uint8_t *, size_t, uint8_t *);

struct detached {
    const char *cipher;
    encrypt_detached encrypt;
    decrypt_detached decrypt;
};

typedef int (*mac)(const uint8_t *, const uint8_t *, const uint8_t *, size_t, uint8_t *, size_t);
typedef int (*mac_verify)(const uint8_t *, const uint8_t *, const uint8_t *, size_t,
                          const uint8_t *, size_t);

struct authenticated {
    const char *cipher, *id;
    mac make;
    mac_verify verify;
    const uint8_t *key, *nonce, *data, *tag;
    size_t key_bytes, data_bytes, tag_bytes;
};

struct mapped {
    const char *name, *id;
    const uint8_t *input, *output;
    size_t bytes;
};

struct tweaked {
    const char *id;
    const uint8_t *key, *tweak, *input, *output;
    size_t bytes;
};

#include "vectors.h"

static const char *at = "";
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

/* Never NULL, so that a read past the end is caught even of an empty buffer. */
static uint8_t *fresh(size_t bytes)
{
    uint8_t *p = malloc(bytes + (bytes == 0));
    if (p == NULL) {
        perror("malloc");
        exit(1);
    }
    memset(p, 0x55, bytes);
    return p;
}

static uint8_t *copy(const uint8_t *from, size_t bytes)
{
    uint8_t *p = fresh(bytes);
    memcpy(p, from, bytes);
    return p;
}

static int all_zero(const uint8_t *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (p[i] != 0)
            return 0;
    return 1;
}

static void test_by_name(const struct vector *v)
{
    roundworks_cipher *c =
        roundworks_cipher_new(v->cipher, v->key, v->key_bytes, v->tag_bytes, NULL);
    CHECK(c != NULL);
    CHECK(roundworks_nonce_bytes(c) == v->nonce_bytes);
    CHECK(roundworks_tag_bytes(c) == v->tag_bytes);
    size_t sealed_bytes = roundworks_sealed_bytes(c, v->data_bytes);
    size_t size = roundworks_opened_bytes(c, v->sealed_bytes), data_bytes = 0;
    uint8_t *sealed = fresh(sealed_bytes), *opened = fresh(size);

    CHECK(roundworks_seal(c, v->nonce, v->nonce_bytes, v->ad, v->ad_bytes, v->data, v->data_bytes,
                          sealed, sealed_bytes) == ROUNDWORKS_OK);
    int same = sealed_bytes == v->sealed_bytes && memcmp(sealed, v->sealed, sealed_bytes) == 0;
    CHECK(same == v->valid);
    int opens = roundworks_open(c, v->nonce, v->nonce_bytes, v->ad, v->ad_bytes, v->sealed,
                                v->sealed_bytes, opened, size, &data_bytes);
    if (v->valid) {
        CHECK(opens == ROUNDWORKS_OK && data_bytes == v->data_bytes);
        CHECK(memcmp(opened, v->data, data_bytes) == 0);

        /* In place. */
        uint8_t *buf = fresh(sealed_bytes);
        memcpy(buf, v->data, v->data_bytes);
        CHECK(roundworks_seal(c, v->nonce, v->nonce_bytes, v->ad, v->ad_bytes, buf, v->data_bytes,
                              buf, sealed_bytes) == ROUNDWORKS_OK);
        CHECK(memcmp(buf, v->sealed, sealed_bytes) == 0);
        CHECK(roundworks_open(c, v->nonce, v->nonce_bytes, v->ad, v->ad_bytes, buf, sealed_bytes,
                              buf, size, &data_bytes) == ROUNDWORKS_OK);
        CHECK(memcmp(buf, v->data, v->data_bytes) == 0);
        free(buf);
    } else {
        CHECK(opens == ROUNDWORKS_ERROR_TAG && all_zero(opened, size));
    }
    free(sealed);
    free(opened);
    roundworks_cipher_free(c);
}

static void test_detached(const struct detached *f, const struct vector *v)
{
    size_t text_bytes = v->sealed_bytes - v->tag_bytes;
    const uint8_t *tag = v->sealed + text_bytes;
    uint8_t *out = fresh(text_bytes), *made = fresh(v->tag_bytes);
    if (v->valid) {
        CHECK(f->encrypt(v->key, v->nonce, v->ad, v->ad_bytes, v->data, v->data_bytes, out, made,
                         v->tag_bytes) == ROUNDWORKS_OK);
        CHECK(memcmp(out, v->sealed, text_bytes) == 0);
        CHECK(memcmp(made, tag, v->tag_bytes) == 0);
        /* In place, there and back. */
        CHECK(f->decrypt(v->key, v->nonce, v->ad, v->ad_bytes, out, text_bytes, tag, v->tag_bytes,
                         out) == ROUNDWORKS_OK);
        CHECK(memcmp(out, v->data, v->data_bytes) == 0);
        CHECK(f->encrypt(v->key, v->nonce, v->ad, v->ad_bytes, out, v->data_bytes, out, made,
                         v->tag_bytes) == ROUNDWORKS_OK);
        CHECK(memcmp(out, v->sealed, text_bytes) == 0);
    } else {
        CHECK(f->decrypt(v->key, v->nonce, v->ad, v->ad_bytes, v->sealed, text_bytes, tag,
                         v->tag_bytes, out) == ROUNDWORKS_ERROR_TAG);
        CHECK(all_zero(out, text_bytes));
    }
    free(out);
    free(made);
}

/* Parts of 1, 2, 3, ... bytes. */
static void test_pieces(const struct vector *v)
{
    roundworks_cipher *c =
        roundworks_cipher_new(v->cipher, v->key, v->key_bytes, v->tag_bytes, NULL);
    CHECK(c != NULL);
    roundworks_sealing *s = roundworks_sealing_new(c, v->nonce, v->nonce_bytes);
    size_t text_bytes = v->sealed_bytes - v->tag_bytes, done = 0, n = 0, data_bytes = 0;
    uint8_t *out = fresh(v->sealed_bytes), *opened = fresh(text_bytes);
    CHECK(s != NULL);
    for (size_t i = 0; i < v->ad_bytes; i += n) {
        n = v->ad_bytes - i < n + 1 ? v->ad_bytes - i : n + 1;
        CHECK(roundworks_sealing_ad(s, v->ad + i, n) == ROUNDWORKS_OK);
    }
    n = 0;
    for (size_t i = 0; i < v->data_bytes; i += n) {
        n = v->data_bytes - i < n + 1 ? v->data_bytes - i : n + 1;
        size_t more = roundworks_sealing_update_bytes(s, n);
        CHECK(roundworks_sealing_update(s, v->data + i, n, out + done, more) == ROUNDWORKS_OK);
        done += more;
    }
    CHECK(done + roundworks_sealing_finish_bytes(s) == v->sealed_bytes);
    CHECK(roundworks_sealing_finish(s, out + done, v->sealed_bytes - done) == ROUNDWORKS_OK);
    CHECK(memcmp(out, v->sealed, v->sealed_bytes) == 0);

    for (int forged = 0; forged < 2; forged++) {
        roundworks_opening *o =
            roundworks_opening_new(c, v->nonce, v->nonce_bytes, opened, text_bytes);
        CHECK(o != NULL);
        CHECK(roundworks_opening_ad(o, v->ad, v->ad_bytes) == ROUNDWORKS_OK);
        CHECK(roundworks_opening_update(o, v->sealed, text_bytes / 3) == ROUNDWORKS_OK);
        CHECK(roundworks_opening_update(o, v->sealed + text_bytes / 3,
                                        text_bytes - text_bytes / 3) == ROUNDWORKS_OK);
        uint8_t *tag = copy(v->sealed + text_bytes, v->tag_bytes);
        tag[0] ^= (uint8_t)forged;
        int opens = roundworks_opening_finish(o, tag, v->tag_bytes, &data_bytes);
        CHECK(opens == (forged ? ROUNDWORKS_ERROR_TAG : ROUNDWORKS_OK));
        if (forged)
            CHECK(all_zero(opened, text_bytes));
        else
            CHECK(data_bytes == v->data_bytes && memcmp(opened, v->data, data_bytes) == 0);
        free(tag);
    }
    roundworks_opening *given_up =
        roundworks_opening_new(c, v->nonce, v->nonce_bytes, opened, text_bytes);
    CHECK(roundworks_opening_update(given_up, v->sealed, text_bytes) == ROUNDWORKS_OK);
    roundworks_opening_free(given_up);
    CHECK(all_zero(opened, text_bytes));
    roundworks_sealing_free(roundworks_sealing_new(c, v->nonce, v->nonce_bytes));
    roundworks_cipher_free(c);
    free(out);
    free(opened);
}

/* The output of a part has exactly its size, whatever the cipher. */
static void test_size(const char *name)
{
    at = name;
    uint8_t key[16] = {1}, nonce[16] = {2}, data[32] = {3}, out[128];
    roundworks_cipher *c = roundworks_cipher_new(name, key, 16, 0, NULL);
    CHECK(c != NULL);
    roundworks_sealing *s = roundworks_sealing_new(c, nonce, roundworks_nonce_bytes(c));
    size_t more = roundworks_sealing_update_bytes(s, 32);
    CHECK(roundworks_sealing_update(s, data, 32, out, more + 1) == ROUNDWORKS_ERROR_LENGTH);
    CHECK(roundworks_sealing_update(s, data, 32, out, more) == ROUNDWORKS_OK);
    size_t last = roundworks_sealing_finish_bytes(s);
    CHECK(roundworks_sealing_finish(s, out, last + 1) == ROUNDWORKS_ERROR_LENGTH);
    roundworks_cipher_free(c);
}

#define MANY 9

/* Those in `refused`, and no others, are refused; what is opened has the right size and bytes. */
static void check_opened(const roundworks_message *messages, uint8_t data[MANY][100],
                         unsigned refused)
{
    for (size_t i = 0; i < MANY; i++) {
        const roundworks_message *m = &messages[i];
        if (refused >> i & 1) {
            CHECK(m->result == ROUNDWORKS_ERROR_TAG && m->opened_bytes == 0);
            CHECK(all_zero(m->out, m->out_bytes));
        } else {
            CHECK(m->result == ROUNDWORKS_OK && m->opened_bytes == 90 + i);
            CHECK(memcmp(m->out, data[i], m->opened_bytes) == 0);
        }
    }
}

/* Minalpher's data is shorter than the size that it is opened in. */
static void test_many(const char *name)
{
    at = name;
    uint8_t key[32] = {1}, nonces[MANY][32];
    uint8_t data[MANY][100], sealed[MANY][148], opened[MANY][148];
    size_t sealed_bytes[MANY], refused = 0;
    roundworks_message messages[MANY];
    size_t key_bytes = strcmp(name, "minalpher") == 0 ? 16 : 32;
    roundworks_cipher *c = roundworks_cipher_new(name, key, key_bytes, 0, NULL);
    CHECK(c != NULL);
    for (size_t i = 0; i < MANY; i++) {
        memset(nonces[i], (int)i, sizeof nonces[i]);
        memset(data[i], (int)(2 * i), sizeof data[i]);
        sealed_bytes[i] = roundworks_sealed_bytes(c, 90 + i);
        CHECK(sealed_bytes[i] <= sizeof sealed[i]);
        roundworks_message m = {nonces[i], data[i],         i, data[i], 90 + i,
                                sealed[i], sealed_bytes[i], 0, 0};
        messages[i] = m;
    }
    CHECK(roundworks_seal_many(c, messages, MANY) == ROUNDWORKS_OK);
    for (size_t i = 0; i < MANY; i++) {
        size_t size = roundworks_opened_bytes(c, sealed_bytes[i]);
        roundworks_message m = {nonces[i], data[i], i, sealed[i], sealed_bytes[i],
                                opened[i], size,    7, 7};
        messages[i] = m;
    }
    CHECK(roundworks_open_many(c, messages, MANY, &refused) == ROUNDWORKS_OK && refused == 0);
    check_opened(messages, data, 0);
    sealed[3][5] ^= 1;
    sealed[7][sealed_bytes[7] - 1] ^= 0x80;
    memset(opened, 0x55, sizeof opened);
    CHECK(roundworks_open_many(c, messages, MANY, &refused) == ROUNDWORKS_ERROR_TAG);
    CHECK(refused == 2);
    check_opened(messages, data, 1u << 3 | 1u << 7);
    /* One of an impossible size keeps no other from being opened. */
    const size_t impossible[] = {15, 17, 40};
    for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
        if (roundworks_opened_bytes(c, impossible[i]) > 0)
            continue;
        messages[5].data_bytes = impossible[i];
        memset(opened, 0x55, sizeof opened);
        CHECK(roundworks_open_many(c, messages, MANY, NULL) == ROUNDWORKS_ERROR_TAG);
        check_opened(messages, data, 1u << 3 | 1u << 5 | 1u << 7);
    }
    /* Two that share memory are a wrong call, and so is a wrong size: nothing is opened, and every
       message says so. */
    uint8_t *const apart = messages[2].out;
    messages[2].out = messages[8].out + messages[8].out_bytes - 1;
    memset(opened, 0x55, sizeof opened);
    CHECK(roundworks_open_many(c, messages, MANY, &refused) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(strstr(roundworks_error_text(), "overlaps") != NULL);
    CHECK(messages[0].result == ROUNDWORKS_ERROR_ARGUMENT && opened[0][0] == 0x55);
    CHECK(roundworks_seal_many(c, messages, MANY) == ROUNDWORKS_ERROR_ARGUMENT);
    messages[2].out = (uint8_t *)messages;
    CHECK(roundworks_seal_many(c, messages, MANY) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(strncmp(roundworks_error_text(), "messages: overlaps", 18) == 0);
    messages[2].out = apart;
    size_t *const sizes[] = {(size_t *)(void *)messages[4].out, &messages[4].opened_bytes};
    for (size_t i = 0; i < 2; i++) {
        CHECK(roundworks_open_many(c, messages, MANY, sizes[i]) == ROUNDWORKS_ERROR_ARGUMENT);
        CHECK(strncmp(roundworks_error_text(), "refused: overlaps", 17) == 0);
        CHECK(messages[4].opened_bytes == 0);
    }
    messages[2].out = apart;
    messages[8].out_bytes -= 1;
    memset(opened, 0x55, sizeof opened);
    CHECK(roundworks_open_many(c, messages, MANY, &refused) == ROUNDWORKS_ERROR_LENGTH);
    for (size_t i = 0; i < MANY; i++) {
        CHECK(messages[i].result == ROUNDWORKS_ERROR_LENGTH && messages[i].opened_bytes == 0);
        CHECK(opened[i][0] == 0x55);
    }
    CHECK(roundworks_open_many(NULL, messages, MANY, NULL) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(messages[0].result == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(roundworks_open_many(c, NULL, MANY, NULL) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(roundworks_open_many(c, NULL, 0, NULL) == ROUNDWORKS_OK);
    CHECK(roundworks_seal_many(c, NULL, 0) == ROUNDWORKS_OK);
    roundworks_cipher_free(c);
}

/* Its ciphertext is longer than its data. */
static void test_minalpher(const struct vector *v)
{
    size_t text_bytes = v->sealed_bytes - v->tag_bytes, written = 0;
    const uint8_t *tag = v->sealed + text_bytes;
    uint8_t *out = fresh(text_bytes), *made = fresh(v->tag_bytes);
    int opens = roundworks_minalpher_decrypt_detached(v->key, v->nonce, v->ad, v->ad_bytes,
                                                      v->sealed, text_bytes, tag, v->tag_bytes,
                                                      out, &written);
    if (v->valid) {
        CHECK(opens == ROUNDWORKS_OK && written == v->data_bytes);
        CHECK(memcmp(out, v->data, v->data_bytes) == 0);
        CHECK(roundworks_minalpher_ciphertext_bytes(v->data_bytes) == text_bytes);
        CHECK(roundworks_minalpher_encrypt_detached(v->key, v->nonce, v->ad, v->ad_bytes, out,
                                                    v->data_bytes, out, text_bytes, made,
                                                    v->tag_bytes) == ROUNDWORKS_OK);
        CHECK(memcmp(out, v->sealed, text_bytes) == 0);
        CHECK(memcmp(made, tag, v->tag_bytes) == 0);
        CHECK(roundworks_minalpher_encrypt_detached(v->key, v->nonce, v->ad, v->ad_bytes, v->data,
                                                    v->data_bytes, out, text_bytes - 1, made,
                                                    v->tag_bytes) == ROUNDWORKS_ERROR_LENGTH);
    } else {
        CHECK(opens == ROUNDWORKS_ERROR_TAG && all_zero(out, text_bytes));
    }
    CHECK(roundworks_minalpher_mac(v->key, v->data, v->data_bytes, made, v->tag_bytes) ==
          ROUNDWORKS_OK);
    CHECK(roundworks_minalpher_mac_verify(v->key, v->data, v->data_bytes, made, v->tag_bytes) ==
          ROUNDWORKS_OK);
    made[15] ^= 0x80;
    CHECK(roundworks_minalpher_mac_verify(v->key, v->data, v->data_bytes, made, v->tag_bytes) ==
          ROUNDWORKS_ERROR_TAG);
    free(out);
    free(made);
}

static int says(const char *text)
{
    return strcmp(roundworks_error_text(), text) == 0;
}

/* Where a size goes is an output: it shares no byte with another, and none with an input. */
static void test_overlapping_sizes(void)
{
    at = "sizes that overlap";
    const uint8_t key[16] = {0}, nonce[16] = {0}, data[32] = {3};
    union {
        size_t size;
        uint8_t bytes[48];
    } sealed, opened;
    uint8_t tag[16];
    size_t size = 0;
    roundworks_cipher *c = roundworks_cipher_new("aegis-128l", key, 16, 0, NULL);
    CHECK(roundworks_seal(c, nonce, 16, NULL, 0, data, 32, sealed.bytes, 48) == ROUNDWORKS_OK);
    memset(&opened, 0x55, sizeof opened);
    CHECK(roundworks_open(c, nonce, 16, NULL, 0, sealed.bytes, 48, opened.bytes, 32, &opened.size) ==
          ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(says("data_bytes: overlaps an output; want no common byte") && opened.bytes[0] == 0x55);
    CHECK(roundworks_open(c, nonce, 16, NULL, 0, sealed.bytes, 48, opened.bytes, 32, &sealed.size) ==
          ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(says("sealed: overlaps an output; want no common byte") && opened.bytes[0] == 0x55);
    CHECK(roundworks_open(c, nonce, 16, NULL, 0, sealed.bytes, 48, opened.bytes, 32, &size) ==
          ROUNDWORKS_OK);
    CHECK(size == 32 && memcmp(opened.bytes, data, 32) == 0);
    roundworks_opening *o = roundworks_opening_new(c, nonce, 16, opened.bytes, 32);
    CHECK(roundworks_opening_update(o, sealed.bytes, 32) == ROUNDWORKS_OK);
    CHECK(roundworks_opening_finish(o, sealed.bytes + 32, 16, &opened.size) ==
          ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(says("data_bytes: overlaps an output; want no common byte") && all_zero(opened.bytes, 32));
    roundworks_cipher_free(c);
    CHECK(roundworks_minalpher_encrypt_detached(key, nonce, NULL, 0, data, 0, sealed.bytes, 32, tag,
                                                16) == ROUNDWORKS_OK);
    CHECK(roundworks_minalpher_decrypt_detached(key, nonce, NULL, 0, sealed.bytes, 32, tag, 16,
                                                opened.bytes, &opened.size) ==
          ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(says("written: overlaps an output; want no common byte") && all_zero(opened.bytes, 32));
}

static void test_errors(void)
{
    at = "errors";
    uint8_t key[16] = {0}, nonce[16] = {0}, buf[64] = {7}, tag[16];
    CHECK(roundworks_cipher_new("aegis-128l", key, 12, 0, NULL) == NULL);
    CHECK(says("key: want 16 bytes, got 12"));
    CHECK(roundworks_cipher_new("aegis-128l", key, 16, 20, NULL) == NULL);
    CHECK(says("tag_bytes: aegis-128l has tags of 16 or 32 bytes, got 20"));
    CHECK(roundworks_cipher_new("aes", key, 16, 0, NULL) == NULL);
    CHECK(strncmp(roundworks_error_text(), "cipher: unknown name, want one of aether, ", 42) == 0);
    CHECK(roundworks_cipher_new(NULL, key, 16, 0, NULL) == NULL);
    CHECK(says("name: want a name, got NULL"));
    CHECK(roundworks_cipher_new("aegis-128l", key, 16, 0, "mmx") == NULL);

    roundworks_cipher *c = roundworks_cipher_new("aegis-128l", key, 16, 0, "portable");
    CHECK(c != NULL && strcmp(roundworks_cipher_backend(c), "portable") == 0);
    CHECK(roundworks_seal(c, nonce, 12, NULL, 0, buf, 4, buf + 8, 20) == ROUNDWORKS_ERROR_LENGTH);
    CHECK(says("nonce: want 16 bytes, got 12"));
    CHECK(roundworks_seal(c, nonce, 16, NULL, 0, buf, 4, buf, 19) == ROUNDWORKS_ERROR_LENGTH);
    CHECK(says("out: want 20 bytes, got 19"));
    CHECK(roundworks_seal(c, nonce, 16, NULL, 0, buf, 4, buf + 1, 20) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(says("out: overlaps data; want the same first byte, or no common byte"));
    CHECK(roundworks_seal(c, nonce, 16, NULL, 3, buf, 4, buf, 20) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(says("ad: want 3 bytes, got NULL"));
    CHECK(buf[0] == 7 && all_zero(buf + 1, 63));
    /* Sizes that no object has, such as what becomes of a negative one: nothing is read or written. */
    const size_t impossible[] = {(size_t)-1, (size_t)-1 / 2 + 1};
    for (size_t i = 0; i < 2; i++) {
        const size_t n = impossible[i];
        size_t opened = 0;
        roundworks_message message = {0};
        CHECK(roundworks_seal(c, nonce, 16, buf, n, buf, 4, buf, 20) == ROUNDWORKS_ERROR_LENGTH);
        CHECK(strncmp(roundworks_error_text(), "ad: want at most ", 17) == 0);
        CHECK(roundworks_seal(c, nonce, 16, NULL, 0, buf, n, buf, n) == ROUNDWORKS_ERROR_LENGTH);
        CHECK(roundworks_open(c, nonce, 16, buf, n, buf, 20, buf, 4, &opened) == ROUNDWORKS_ERROR_LENGTH);
        CHECK(roundworks_open(c, nonce, 16, NULL, 0, buf, n, NULL, n - 16, &opened) ==
              ROUNDWORKS_ERROR_LENGTH);
        CHECK(roundworks_aegis128l_encrypt_detached(key, nonce, buf, n, buf, 4, buf, tag, 16) ==
              ROUNDWORKS_ERROR_LENGTH);
        CHECK(roundworks_aegis128l_encrypt_detached(key, nonce, NULL, 0, NULL, n, NULL, tag, 16) ==
              ROUNDWORKS_ERROR_LENGTH);
        CHECK(strncmp(roundworks_error_text(), "data: want at most ", 19) == 0);
        CHECK(roundworks_aegis128l_decrypt_detached(key, nonce, NULL, 0, NULL, n, tag, 16, NULL) ==
              ROUNDWORKS_ERROR_LENGTH);
        CHECK(strncmp(roundworks_error_text(), "data: want at most ", 19) == 0);
        CHECK(roundworks_minalpher_encrypt_detached(key, nonce, NULL, 0, NULL, n, NULL, n, tag, 16) ==
              ROUNDWORKS_ERROR_LENGTH);
        CHECK(strncmp(roundworks_error_text(), "data: want at most ", 19) == 0);
        CHECK(roundworks_minalpher_decrypt_detached(key, nonce, NULL, 0, NULL, n, tag, 16, NULL,
                                                    &opened) == ROUNDWORKS_ERROR_LENGTH);
        CHECK(strncmp(roundworks_error_text(), "data: want at most ", 19) == 0);
        CHECK(roundworks_aegis128l_mac(key, nonce, buf, n, tag, 16) == ROUNDWORKS_ERROR_LENGTH);
        CHECK(roundworks_minalpher_mac(key, buf, n, tag, 16) == ROUNDWORKS_ERROR_LENGTH);
        CHECK(roundworks_seal_many(c, &message, n) == ROUNDWORKS_ERROR_LENGTH);
        CHECK(roundworks_open_many(c, &message, n, NULL) == ROUNDWORKS_ERROR_LENGTH);
    }
    CHECK(buf[0] == 7 && all_zero(buf + 1, 63) && all_zero(key, 16));
    roundworks_sealing *s = roundworks_sealing_new(c, nonce, 16);
    CHECK(roundworks_sealing_update(s, NULL, 0, NULL, 0) == ROUNDWORKS_OK);
    CHECK(roundworks_sealing_ad(s, nonce, 1) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(says("associated data: must come before the first data"));
    CHECK(roundworks_sealing_finish(s, tag, 15) == ROUNDWORKS_ERROR_LENGTH);
    CHECK(roundworks_sealing_new(c, nonce, 1) == NULL);
    roundworks_cipher_free(c);
    roundworks_cipher_free(NULL);

    CHECK(roundworks_aegis128l_encrypt_detached(key, nonce, NULL, 0, buf, 4, buf, tag, 8) ==
          ROUNDWORKS_ERROR_LENGTH);
    CHECK(says("tag: want 16 or 32 bytes, got 8"));
    CHECK(roundworks_aegis128_decrypt_detached(key, nonce, NULL, 0, buf, 4, tag, 12, buf) ==
          ROUNDWORKS_ERROR_LENGTH);
    CHECK(says("tag: want 16 bytes, got 12"));
    CHECK(roundworks_aegis128l_encrypt_detached(NULL, nonce, NULL, 0, buf, 4, buf, tag, 16) ==
          ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(says("key: want 16 bytes, got NULL"));
    CHECK(roundworks_aegis128l_encrypt_detached(key, nonce, NULL, 0, buf, 4, buf, buf + 3, 16) ==
          ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(says("tag: overlaps an output; want no common byte"));
    CHECK(roundworks_aegis128l_encrypt_detached(key, nonce, buf + 8, 9, buf, 4, buf, buf + 16, 16) ==
          ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(roundworks_sealing_finish(NULL, NULL, 0) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(roundworks_opening_update(NULL, buf, 1) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(roundworks_cipher_backend(NULL) == NULL);
    CHECK(roundworks_nonce_bytes(NULL) == 0 && roundworks_tag_bytes(NULL) == 0);
    CHECK(roundworks_sealed_bytes(NULL, 4) == 0 && roundworks_opened_bytes(NULL, 20) == 0);
    CHECK(roundworks_sealing_update_bytes(NULL, 4) == 0);
    CHECK(roundworks_sealing_finish_bytes(NULL) == 0);
    CHECK(roundworks_gpu_name(NULL) == NULL && roundworks_gpu_architecture(NULL) == NULL);
    CHECK(roundworks_gpu_pinned_memory(NULL) == NULL);
    CHECK(buf[0] == 7 && all_zero(buf + 1, 63));
}

static void test_permutation(const struct mapped *v)
{
    roundworks_permutation *p = roundworks_permutation_new(v->name, NULL);
    CHECK(p != NULL && roundworks_block_bytes(p) == v->bytes);
    uint8_t *blocks = fresh(70 * v->bytes);
    for (size_t i = 0; i < 70; i++)
        memcpy(blocks + i * v->bytes, v->input, v->bytes);
    CHECK(roundworks_permute(p, blocks, 70 * v->bytes) == ROUNDWORKS_OK);
    for (size_t i = 0; i < 70; i++)
        CHECK(memcmp(blocks + i * v->bytes, v->output, v->bytes) == 0);
    CHECK(roundworks_inverse(p, blocks, v->bytes) == ROUNDWORKS_OK);
    CHECK(memcmp(blocks, v->input, v->bytes) == 0);
    CHECK(memcmp(blocks + v->bytes, v->output, v->bytes) == 0);
    CHECK(roundworks_permute(p, blocks, v->bytes + 1) == ROUNDWORKS_ERROR_LENGTH);
    CHECK(roundworks_permute(p, NULL, v->bytes) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(roundworks_permute(p, NULL, 0) == ROUNDWORKS_OK);
    CHECK(memcmp(blocks, v->input, v->bytes) == 0);
    free(blocks);
    roundworks_permutation_free(p);
}

static void test_permutation_errors(void)
{
    at = "permutation errors";
    uint8_t block[33] = {7};
    CHECK(roundworks_permutation_new("areion-256:2.5", NULL) == NULL);
    CHECK(says("permutation: areion-256 has 1 to 64 rounds, as in areion-256:8"));
    CHECK(roundworks_permutation_new(NULL, NULL) == NULL);
    CHECK(roundworks_permutation_new("areion-256", "avx2") == NULL);
    roundworks_permutation *p = roundworks_permutation_new("areion-256", "portable");
    CHECK(p != NULL && strcmp(roundworks_permutation_backend(p), "portable") == 0);
    CHECK(roundworks_inverse(p, block, 33) == ROUNDWORKS_ERROR_LENGTH);
    CHECK(says("blocks: want a multiple of 32 bytes, got 33"));
    CHECK(roundworks_inverse(NULL, block, 32) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(roundworks_permutation_backend(NULL) == NULL && roundworks_block_bytes(NULL) == 0);
    CHECK(block[0] == 7 && all_zero(block + 1, 32));
    roundworks_permutation_free(p);
    roundworks_permutation_free(NULL);
}

static void test_hash(const struct mapped *v)
{
    uint8_t *inputs = fresh(70 * v->bytes), *outputs = fresh(70 * 32);
    if (strcmp(v->name, "areion-512-md") == 0) {
        CHECK(roundworks_areion512_md(v->input, v->bytes, outputs) == ROUNDWORKS_OK);
        CHECK(memcmp(outputs, v->output, 32) == 0);
    } else {
        roundworks_hash *h = roundworks_hash_new(v->name, NULL);
        CHECK(h != NULL && roundworks_input_bytes(h) == v->bytes);
        for (size_t i = 0; i < 70; i++)
            memcpy(inputs + i * v->bytes, v->input, v->bytes);
        CHECK(roundworks_hash_many(h, inputs, 70 * v->bytes, outputs) == ROUNDWORKS_OK);
        for (size_t i = 0; i < 70; i++)
            CHECK(memcmp(outputs + 32 * i, v->output, 32) == 0);
        CHECK(memcmp(inputs, v->input, v->bytes) == 0);
        CHECK(roundworks_hash_many(h, NULL, 0, NULL) == ROUNDWORKS_OK);
        CHECK(roundworks_hash_many(h, inputs, v->bytes + 1, outputs) == ROUNDWORKS_ERROR_LENGTH);
        CHECK(roundworks_hash_many(h, inputs, v->bytes, inputs) == ROUNDWORKS_ERROR_ARGUMENT);
        CHECK(says("inputs: overlaps an output; want no common byte"));
        CHECK(roundworks_hash_many(h, inputs, v->bytes, NULL) == ROUNDWORKS_ERROR_ARGUMENT);
        CHECK(memcmp(inputs, v->input, v->bytes) == 0);
        roundworks_hash_free(h);
    }
    free(inputs);
    free(outputs);
}

static void test_hash_errors(void)
{
    at = "hash errors";
    uint8_t block[64] = {7};
    CHECK(roundworks_hash_new("areion-256", NULL) == NULL);
    CHECK(says("hash function: unknown name, want one of haraka-256, haraka-512, areion-256-dm, "
               "areion-512-dm"));
    CHECK(roundworks_hash_new(NULL, NULL) == NULL);
    CHECK(roundworks_hash_new("haraka-256", "avx2") == NULL);
    CHECK(roundworks_hash_many(NULL, block, 32, block + 32) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(roundworks_input_bytes(NULL) == 0);
    CHECK(roundworks_areion512_md(NULL, 1, block) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(roundworks_areion512_md(NULL, 0, NULL) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(block[0] == 7 && all_zero(block + 1, 63));
    roundworks_hash_free(NULL);
}

static void test_tweaked(const struct tweaked *v)
{
    uint8_t *blocks = fresh(70 * v->bytes);
    for (size_t i = 0; i < 70; i++)
        memcpy(blocks + i * v->bytes, v->input, v->bytes);
    CHECK(roundworks_pholkos_encrypt(v->key, v->bytes, v->tweak, blocks, 70 * v->bytes) ==
          ROUNDWORKS_OK);
    for (size_t i = 0; i < 70; i++)
        CHECK(memcmp(blocks + i * v->bytes, v->output, v->bytes) == 0);
    CHECK(roundworks_pholkos_decrypt(v->key, v->bytes, v->tweak, blocks, v->bytes) ==
          ROUNDWORKS_OK);
    CHECK(memcmp(blocks, v->input, v->bytes) == 0);
    CHECK(roundworks_pholkos_encrypt(v->key, 16, v->tweak, blocks, v->bytes) ==
          ROUNDWORKS_ERROR_LENGTH);
    CHECK(says("key: want 32 or 64 bytes, got 16"));
    CHECK(roundworks_pholkos_encrypt(v->key, v->bytes, v->tweak, blocks, 33) ==
          ROUNDWORKS_ERROR_LENGTH);
    CHECK(roundworks_pholkos_encrypt(v->key, v->bytes, NULL, blocks, v->bytes) ==
          ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(roundworks_pholkos_encrypt(blocks, v->bytes, v->tweak, blocks, v->bytes) ==
          ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(memcmp(blocks, v->input, v->bytes) == 0);
    free(blocks);
}

/* A vector of the MAC, in one call and by name, cut in two; then what must be refused. */
static void test_mac(const struct authenticated *v)
{
    uint8_t *key = copy(v->key, v->key_bytes), *nonce = copy(v->nonce, v->key_bytes);
    uint8_t *data = copy(v->data, v->data_bytes), *tag = fresh(v->tag_bytes);
    CHECK(v->make(key, nonce, data, v->data_bytes, tag, v->tag_bytes) == ROUNDWORKS_OK);
    CHECK(memcmp(tag, v->tag, v->tag_bytes) == 0);
    CHECK(v->verify(key, nonce, data, v->data_bytes, tag, v->tag_bytes) == ROUNDWORKS_OK);
    CHECK(v->make(key, nonce, data, v->data_bytes, tag, 8) == ROUNDWORKS_ERROR_LENGTH);
    CHECK(v->make(key, nonce, NULL, 1, tag, v->tag_bytes) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(v->make(key, nonce, tag, 1, tag, v->tag_bytes) == ROUNDWORKS_ERROR_ARGUMENT);
    for (size_t cut = 0; cut <= v->data_bytes; cut += 7) {
        roundworks_mac *m = roundworks_mac_new(v->cipher, key, v->key_bytes, nonce, v->key_bytes,
                                               v->tag_bytes, NULL);
        CHECK(m != NULL && roundworks_mac_tag_bytes(m) == v->tag_bytes);
        CHECK(roundworks_mac_update(m, data, cut) == ROUNDWORKS_OK);
        CHECK(roundworks_mac_update(m, data + cut, v->data_bytes - cut) == ROUNDWORKS_OK);
        if (cut % 2 == 0) {
            CHECK(roundworks_mac_verify(m, v->tag, v->tag_bytes) == ROUNDWORKS_OK);
            continue;
        }
        memset(tag, 0x55, v->tag_bytes);
        CHECK(roundworks_mac_finish(m, tag, v->tag_bytes) == ROUNDWORKS_OK);
        CHECK(memcmp(tag, v->tag, v->tag_bytes) == 0);
    }
    tag[v->tag_bytes - 1] ^= 1;
    CHECK(v->verify(key, nonce, data, v->data_bytes, tag, v->tag_bytes) == ROUNDWORKS_ERROR_TAG);
    roundworks_mac *m = roundworks_mac_new(v->cipher, key, v->key_bytes, nonce, v->key_bytes,
                                           v->tag_bytes, "portable");
    CHECK(roundworks_mac_update(m, data, v->data_bytes) == ROUNDWORKS_OK);
    CHECK(roundworks_mac_verify(m, tag, v->tag_bytes) == ROUNDWORKS_ERROR_TAG);
    free(key), free(nonce), free(data), free(tag);
}

static void test_mac_errors(void)
{
    const uint8_t key[32] = {0};
    uint8_t tag[16];
    at = "MAC";
    CHECK(roundworks_mac_new("rocca-s", key, 32, key, 16, 0, NULL) == NULL);
    CHECK(strncmp(roundworks_error_text(), "mac: unknown name, want one of ", 31) == 0);
    CHECK(roundworks_mac_new("aegis-128l", key, 32, key, 16, 0, NULL) == NULL);
    CHECK(strcmp(roundworks_error_text(), "key: want 16 bytes, got 32") == 0);
    CHECK(roundworks_mac_update(NULL, key, 1) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(roundworks_mac_finish(NULL, tag, 16) == ROUNDWORKS_ERROR_ARGUMENT);
    CHECK(roundworks_mac_tag_bytes(NULL) == 0);
    roundworks_mac *m = roundworks_mac_new("minalpher", key, 16, NULL, 0, 0, NULL);
    CHECK(roundworks_mac_finish(m, tag, 15) == ROUNDWORKS_ERROR_LENGTH);
    m = roundworks_mac_new("minalpher", key, 16, NULL, 0, 0, NULL);
    CHECK(roundworks_mac_update(m, key, sizeof key) == ROUNDWORKS_OK);
    CHECK(roundworks_mac_finish(m, tag, 16) == ROUNDWORKS_OK);
    CHECK(roundworks_minalpher_mac_verify(key, key, sizeof key, tag, 16) == ROUNDWORKS_OK);
    roundworks_mac_free(roundworks_mac_new("aegis-256", key, 32, key, 32, 32, NULL));
    roundworks_mac_free(NULL);
}

int main(void)
{
    size_t detached = 0;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const struct vector *v = &vectors[i];
        at = v->id;
        test_by_name(v);
        if (strcmp(v->cipher, "minalpher") == 0)
            test_minalpher(v);
        for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
            if (strcmp(functions[f].cipher, v->cipher) == 0) {
                test_detached(&functions[f], v);
                detached++;
                if (v->valid)
                    test_pieces(v);
            }
    }
    test_size("aegis-128l");
    test_size("areion-256-opp");
    test_size("minalpher");
    test_many("aegis-256");
    test_many("minalpher");
    test_errors();
    test_overlapping_sizes();
    for (size_t i = 0; i < sizeof permutations / sizeof *permutations; i++) {
        at = permutations[i].id;
        test_permutation(&permutations[i]);
    }
    test_permutation_errors();
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++) {
        at = hashes[i].id;
        test_hash(&hashes[i]);
    }
    test_hash_errors();
    for (size_t i = 0; i < sizeof tweaked / sizeof *tweaked; i++) {
        at = tweaked[i].id;
        test_tweaked(&tweaked[i]);
    }
    for (size_t i = 0; i < sizeof macs / sizeof *macs; i++) {
        at = macs[i].id;
        test_mac(&macs[i]);
    }
    test_mac_errors();
    printf("%s: %lu vectors by name, %lu detached, %lu of permutations, %lu of hashes, "
           "%lu with tweak, %lu of MACs, %lu checks passed\n",
           roundworks_version(), (unsigned long)(sizeof vectors / sizeof *vectors),
           (unsigned long)detached, (unsigned long)(sizeof permutations / sizeof *permutations),
           (unsigned long)(sizeof hashes / sizeof *hashes),
           (unsigned long)(sizeof tweaked / sizeof *tweaked),
           (unsigned long)(sizeof macs / sizeof *macs), checks);
    return 0;
}
