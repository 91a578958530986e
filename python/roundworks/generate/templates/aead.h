/* {{ title }}{% if summary %}: {{ summary }}{% endif %}

 *
 * Made by `roundworks generate` from the description of the cipher; make it again rather than edit it.
{% if warning %}
 * {{ warning }}
{% endif %}
 *
 * Sizes are in bytes. A pointer may be NULL where its size is 0. Output may be the input itself, or
 * shares no byte with it. A nonce must never serve twice under one key. What a call left on the stack,
 * and on x86-64 and aarch64 in registers, is cleared at its end, of a message in increments when it is
 * finished.
 */

#ifndef {{ NAME }}_H
#define {{ NAME }}_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define {{ NAME }}_KEYBYTES {{ key }}
#define {{ NAME }}_NPUBBYTES {{ nonce }}
#define {{ NAME }}_ABYTES {{ tag }}
#define {{ NAME }}_RATEBYTES {{ rate }}

/* Results: success, and a tag that does not belong to the message; then the output is all zero. */
#define {{ NAME }}_OK 0
#define {{ NAME }}_ERROR_TAG (-1)

/* One message in one call; `out` takes data_bytes. */
void {{ name }}_encrypt_detached(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_bytes,
                       {{ past }}const uint8_t *data, size_t data_bytes, uint8_t *out, uint8_t *tag);

#if defined(__GNUC__)
__attribute__((warn_unused_result))
#endif
int {{ name }}_decrypt_detached(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_bytes,
                      {{ past }}const uint8_t *data, size_t data_bytes, const uint8_t *tag, uint8_t *out);

/* `count` messages of one size under one key: row i of nonces, associated data, data, output and tags
 * belongs to message i. */
void {{ name }}_encrypt_many(const uint8_t *key, size_t count, const uint8_t *nonces, const uint8_t *ad,
                   {{ past }}size_t ad_bytes, const uint8_t *data, size_t data_bytes, uint8_t *out, uint8_t *tags);

/* A message in increments: init, then all associated data, then all data, then final. What
 * {{ name }}_open_update() writes is not verified until {{ name }}_open_final() has returned {{ NAME }}_OK. */
typedef struct {{ name }}_message {
    uint64_t state[{{ state }}];
    uint64_t ad_bytes, data_bytes;
    uint8_t key[{{ NAME }}_KEYBYTES];
    uint8_t block[{{ NAME }}_RATEBYTES];
    uint8_t stream[{{ NAME }}_RATEBYTES];
    uint32_t fill, in_data, backend;
} {{ name }}_message;

void {{ name }}_init({{ name }}_message *m, const uint8_t *key, const uint8_t *nonce);
void {{ name }}_ad_update({{ name }}_message *m, const uint8_t *ad, size_t ad_bytes);
void {{ name }}_seal_update({{ name }}_message *m, const uint8_t *data, size_t data_bytes, uint8_t *out);
void {{ name }}_seal_final({{ name }}_message *m, uint8_t *tag);
void {{ name }}_open_update({{ name }}_message *m, const uint8_t *data, size_t data_bytes, uint8_t *out);
#if defined(__GNUC__)
__attribute__((warn_unused_result))
#endif
int {{ name }}_open_final({{ name }}_message *m, const uint8_t *tag);

/* Back ends: the fastest that this CPU has is used unless another is chosen, for the whole process.
 * A name is NULL past the last; choosing returns 0, or -1 where this CPU or file lacks it. */
const char *{{ name }}_backend_name(size_t index);
const char *{{ name }}_backend(void);
int {{ name }}_choose_backend(const char *wanted);

#ifdef __cplusplus
}
#endif
#endif
