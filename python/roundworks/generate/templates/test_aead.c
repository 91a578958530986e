/* {{ title }}: the vectors of its description on every back end that this CPU has; whole, in increments,
 * in place, with every byte of the tag spoilt, and with calls out of order. */

#include "{{ name }}.h"
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(int right, const char *backend, size_t vector, const char *what)
{
    if (!right) {
        failures++;
        printf("%s: vector %zu: %s\n", backend, vector, what);
    }
}

static size_t unhex(const char *text, uint8_t *out)
{
    const size_t size = strlen(text) / 2;
    for (size_t i = 0; i < size; i++) {
        unsigned byte = 0;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1)
            abort();
        out[i] = (uint8_t)byte;
    }
    return size;
}

static void test(const char *backend, size_t number)
{
    enum { SIZE = 4096 };
    static uint8_t key[SIZE], nonce[SIZE], ad[SIZE], data[SIZE], sealed[SIZE], tag[SIZE], out[SIZE], made[SIZE];
    uint8_t *const fields[6] = {key, nonce, ad, data, sealed, tag};
    size_t sizes[6];
    for (int i = 0; i < 6; i++)
        sizes[i] = unhex(vectors[number][i], fields[i]);
    const size_t ad_bytes = sizes[2], bytes = sizes[3];

    {{ name }}_encrypt_detached(key, nonce, ad, ad_bytes, data, bytes, out, made);
    check(!memcmp(out, sealed, bytes) && !memcmp(made, tag, {{ NAME }}_ABYTES), backend, number, "encrypt");
    memcpy(out, sealed, bytes);
    check({{ name }}_decrypt_detached(key, nonce, ad, ad_bytes, out, bytes, tag, out) == {{ NAME }}_OK
              && !memcmp(out, data, bytes),
          backend, number, "decrypt in place");
    for (size_t step = 1; step <= {{ NAME }}_RATEBYTES + 1; step += {{ NAME }}_RATEBYTES / 3 + 1) {
        {{ name }}_message m;
        int taken = {{ NAME }}_OK;
        {{ name }}_init(&m, key, nonce);
        for (size_t i = 0; i < ad_bytes; i += step)
            taken |= {{ name }}_ad_update(&m, ad + i, ad_bytes - i < step ? ad_bytes - i : step);
        for (size_t i = 0; i < bytes; i += step)
            taken |= {{ name }}_seal_update(&m, data + i, bytes - i < step ? bytes - i : step, out + i);
        taken |= {{ name }}_seal_final(&m, made);
        check(taken == {{ NAME }}_OK && !memcmp(out, sealed, bytes) && !memcmp(made, tag, {{ NAME }}_ABYTES), backend, number,
              "in increments");
        {{ name }}_init(&m, key, nonce);
        taken |= {{ name }}_ad_update(&m, ad, ad_bytes);
        for (size_t i = 0; i < bytes; i += step)
            taken |= {{ name }}_open_update(&m, sealed + i, bytes - i < step ? bytes - i : step, out + i);
        taken |= {{ name }}_open_final(&m, tag);
        check(taken == {{ NAME }}_OK && !memcmp(out, data, bytes), backend, number, "opened in increments");
    }
    for (size_t i = 0; i < {{ NAME }}_ABYTES; i++) {
        tag[i] ^= 1;
        memset(out, 1, bytes);
        int refused = {{ name }}_decrypt_detached(key, nonce, ad, ad_bytes, sealed, bytes, tag, out) == {{ NAME }}_ERROR_TAG;
        for (size_t j = 0; j < bytes; j++)
            refused &= out[j] == 0;
        check(refused, backend, number, "a spoilt tag");
        tag[i] ^= 1;
    }
}

/* Several messages in a call are those of one call each. */
static void test_many(const char *backend)
{
    enum { COUNT = 7, SIZE = 1100, AD = 2 * {{ NAME }}_RATEBYTES + 1 };
    static uint8_t key[{{ NAME }}_KEYBYTES], nonces[COUNT * {{ NAME }}_NPUBBYTES], ad[COUNT * AD], data[COUNT * SIZE];
    static uint8_t out[COUNT * SIZE], one[SIZE], tags[COUNT * {{ NAME }}_ABYTES], tag[{{ NAME }}_ABYTES];
    uint8_t byte = 1;
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = byte = (uint8_t)(5 * byte + 1);
    for (size_t i = 0; i < sizeof nonces; i++)
        nonces[i] = byte = (uint8_t)(5 * byte + 3);
    for (size_t i = 0; i < sizeof ad; i++)
        ad[i] = byte = (uint8_t)(5 * byte + 5);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = byte = (uint8_t)(5 * byte + 7);
    for (size_t bytes = 0; bytes <= SIZE; bytes += bytes < 5 * {{ NAME }}_RATEBYTES ? 1 : 97) {
        {{ name }}_encrypt_many(key, COUNT, nonces, ad, AD, data, bytes, out, tags);
        for (size_t i = 0; i < COUNT; i++) {
            {{ name }}_encrypt_detached(key, nonces + i * {{ NAME }}_NPUBBYTES, ad + i * AD, AD, data + i * bytes, bytes, one, tag);
            check(!memcmp(out + i * bytes, one, bytes) && !memcmp(tags + i * sizeof tag, tag, sizeof tag), backend, i,
                  "one of many");
        }
    }
}

static int is_zero(const uint8_t *p, size_t size)
{
    uint8_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits |= p[i];
    return bits == 0;
}

/* Calls that a message does not take are refused: it stays as it was, and what they would have written is zero. */
static void refused(const char *backend, size_t at, {{ name }}_message *m, int ad, int seals, int opens)
{
    static const uint8_t data[2 * {{ NAME }}_RATEBYTES] = {1, 2, 3};
    uint8_t out[sizeof data], tag[{{ NAME }}_ABYTES];
    {{ name }}_message before;
    int right = 1;
    memcpy(&before, m, sizeof before);
    if (ad)
        right &= {{ name }}_ad_update(m, data, sizeof data) == {{ NAME }}_ERROR_STATE;
    if (seals) {
        memset(out, 1, sizeof out);
        right &= {{ name }}_seal_update(m, data, sizeof data, out) == {{ NAME }}_ERROR_STATE && is_zero(out, sizeof out);
        memset(tag, 1, sizeof tag);
        right &= {{ name }}_seal_final(m, tag) == {{ NAME }}_ERROR_STATE && is_zero(tag, sizeof tag);
    }
    if (opens) {
        memset(out, 1, sizeof out);
        right &= {{ name }}_open_update(m, data, sizeof data, out) == {{ NAME }}_ERROR_STATE && is_zero(out, sizeof out);
        memset(tag, 0, sizeof tag);
        right &= {{ name }}_open_final(m, tag) == {{ NAME }}_ERROR_STATE;
    }
    check(right && !memcmp(m, &before, sizeof before), backend, at, "calls out of order");
}

static void test_order(const char *backend)
{
    static const uint8_t key[{{ NAME }}_KEYBYTES] = {1}, nonce[{{ NAME }}_NPUBBYTES] = {2}, data[5] = {3, 4, 5, 6, 7};
    uint8_t sealed[sizeof data], out[sizeof data], tag[{{ NAME }}_ABYTES], made[{{ NAME }}_ABYTES];
    {{ name }}_message m;
    {{ name }}_encrypt_detached(key, nonce, NULL, 0, data, sizeof data, sealed, tag);

    memset(&m, 0, sizeof m);
    refused(backend, 0, &m, 1, 1, 1);
    {{ name }}_init(&m, key, nonce);
    int taken = {{ name }}_seal_update(&m, data, sizeof data, out);
    refused(backend, 1, &m, 1, 0, 1);
    taken |= {{ name }}_seal_final(&m, made);
    check(taken == {{ NAME }}_OK && !memcmp(out, sealed, sizeof out) && !memcmp(made, tag, sizeof tag), backend, 0,
          "sealed after a refusal");
    refused(backend, 2, &m, 1, 1, 1);

    {{ name }}_init(&m, key, nonce);
    taken = {{ name }}_open_update(&m, sealed, sizeof sealed, out);
    refused(backend, 3, &m, 1, 1, 0);
    taken |= {{ name }}_open_final(&m, tag);
    check(taken == {{ NAME }}_OK && !memcmp(out, data, sizeof out), backend, 0, "opened after a refusal");
    refused(backend, 4, &m, 1, 1, 1);

    {{ name }}_init(&m, key, nonce);
    taken = {{ name }}_ad_update(&m, data, sizeof data);
    {{ name }}_abandon(&m);
    check(taken == {{ NAME }}_OK && is_zero((const uint8_t *)&m, sizeof m), backend, 0, "abandoned");
    refused(backend, 5, &m, 1, 1, 1);
    {{ name }}_abandon(&m);
}

int main(void)
{
    const size_t count = sizeof vectors / sizeof vectors[0];
    size_t found = 0;
    for (size_t i = 0; {{ name }}_backend_name(i) != NULL; i++) {
        const char *backend = {{ name }}_backend_name(i);
        if ({{ name }}_choose_backend(backend) != 0) {
            printf("%s: skipped, this CPU lacks it\n", backend);
            continue;
        }
        for (size_t v = 0; v < count; v++)
            test(backend, v);
        test_many(backend);
        test_order(backend);
        printf("%s: %zu vectors\n", backend, count);
        found++;
    }
    if (failures)
        printf("%d failures\n", failures);
    return failures || !found ? 1 : 0;
}
