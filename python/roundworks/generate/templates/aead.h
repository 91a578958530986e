/* {{ title }}{% if summary %}: {{ summary }}{% endif %}

 *
 * Made by `roundworks generate` from the description of the cipher; make it again rather than edit it.
{% if warning %}
 * {{ warning }}
{% endif %}
 *
 * Sizes are in bytes. A pointer may be NULL where its size is 0. Output may be the input itself, or
 * shares no byte with it. A nonce must never serve twice under one key.
 *
 * Compiled with optimisation (-O1, -O2, -O3 or -Os), a call clears at its end what it left on the stack,
 * of a message in increments when that is finished or abandoned. Without optimisation more of the
 * stack is used than is cleared. Registers are cleared on x86-64 and aarch64.
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

/* Results: success; a tag that does not belong to the message; a message in increments that is not in a
 * state for the call. */
#define {{ NAME }}_OK 0
#define {{ NAME }}_ERROR_TAG (-1)
#define {{ NAME }}_ERROR_STATE (-2)

/* One message in one call; `out` takes data_bytes. */
void {{ name }}_encrypt_detached(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_bytes,
                       {{ past }}const uint8_t *data, size_t data_bytes, uint8_t *out, uint8_t *tag);

/* Its inverse: {{ NAME }}_OK, or {{ NAME }}_ERROR_TAG, and then `out` is all zero. */
#if defined(__GNUC__)
__attribute__((warn_unused_result))
#endif
int {{ name }}_decrypt_detached(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_bytes,
                      {{ past }}const uint8_t *data, size_t data_bytes, const uint8_t *tag, uint8_t *out);

/* `count` messages of one size under one key: row i of nonces, associated data, data, output and tags
 * belongs to message i. */
void {{ name }}_encrypt_many(const uint8_t *key, size_t count, const uint8_t *nonces, const uint8_t *ad,
                   {{ past }}size_t ad_bytes, const uint8_t *data, size_t data_bytes, uint8_t *out, uint8_t *tags);

/* A message in increments: init, then all associated data, then all data, all of it sealed or all of it
 * opened, then final. What {{ name }}_open_update() writes is not verified until {{ name }}_open_final() has
 * returned {{ NAME }}_OK. If that returns {{ NAME }}_ERROR_TAG, everything that was written stays in the
 * caller's buffers, which no function here clears: discard all of it.
 *
 * Any other order of calls returns {{ NAME }}_ERROR_STATE, and the message stays as it was; where the call
 * has an output, this is all zero, so that it is never plaintext. A message that is finished or abandoned
 * takes no further call but init, nor does one whose bytes are all zero. One whose bytes were never set has
 * no defined state: begin with init. Both final functions wipe the message; one that is given up has its
 * key and state in memory until {{ name }}_abandon() wipes it. */
typedef struct {{ name }}_message {
    uint64_t state[{{ state }}];
    uint64_t ad_bytes, data_bytes;
    uint8_t key[{{ NAME }}_KEYBYTES];
    uint8_t block[{{ NAME }}_RATEBYTES];
    uint8_t stream[{{ NAME }}_RATEBYTES];
    uint32_t fill, phase, backend;
} {{ name }}_message;

void {{ name }}_init({{ name }}_message *m, const uint8_t *key, const uint8_t *nonce);
int {{ name }}_ad_update({{ name }}_message *m, const uint8_t *ad, size_t ad_bytes);
int {{ name }}_seal_update({{ name }}_message *m, const uint8_t *data, size_t data_bytes, uint8_t *out);
int {{ name }}_seal_final({{ name }}_message *m, uint8_t *tag);
int {{ name }}_open_update({{ name }}_message *m, const uint8_t *data, size_t data_bytes, uint8_t *out);
#if defined(__GNUC__)
__attribute__((warn_unused_result))
#endif
int {{ name }}_open_final({{ name }}_message *m, const uint8_t *tag);
/* Wipe a message that will not be finished; nothing where it already was. */
void {{ name }}_abandon({{ name }}_message *m);

/* Back ends: the fastest that this CPU has is used unless another is chosen, for the whole process.
 * A name is NULL past the last; choosing returns 0, or -1 where this CPU or file lacks it. Any thread
 * may choose at any time: calls under way, and messages in increments that have begun, keep their back
 * end. One message in increments is used by one thread at a time. On a CPU that has none of the back ends
 * of a file that was made without `portable`, the program ends. */
const char *{{ name }}_backend_name(size_t index);
const char *{{ name }}_backend(void);
int {{ name }}_choose_backend(const char *wanted);

#ifdef __cplusplus
}
#endif
#endif
