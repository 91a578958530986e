/* {{ title }}{% if summary %}: {{ summary }}{% endif %}

 *
 * Made by `roundworks generate` from the description of the cipher; make it again rather than edit it.
 * Above a group of operations stands the line of the description that they compute. Nothing is looked
 * up in memory by a secret, and no branch depends on one.
 */

#include "{{ name }}.h"

#include <string.h>

{% include "instructions.c" %}
enum { KEY = {{ key }}, NONCE = {{ nonce }}, TAG = {{ tag }}, RATE = {{ rate }}, WORD = {{ word }} };
/* Messages of one call that are encrypted at a time. */
enum { WAYS = {{ ways }} };
{% if backends | selectattr("apart") | list %}
/* Blocks of 8 KiB. */
enum { NEAR = 8192 / RATE };
{% endif %}

/* -- bytes ------------------------------------------------------------------------------------ */
/* That what was written is read: a compiler would leave out the zeros otherwise. */
#define BARRIER(p) __asm__ volatile("" : : "r"(p) : "memory")

static inline void wipe(void *p, size_t n)
{
    memset(p, 0, n);
    BARRIER(p);
}

/* At most a block. */
static inline void copy(uint8_t *to, const uint8_t *from, size_t n)
{
    if (n)
        memcpy(to, from, n);
}
{% include "registers.c" %}
{% include "values.c" %}

/* -- padding and lengths ---------------------------------------------------------------------- */
{% include "aead_padding.c" %}
{% for b in backends %}
{% set T = b.dialect.type %}
{% set target = b.dialect.target + " " if b.dialect.target else "" %}
{% set inlined = b.dialect.always_inlined + " " if target else "" %}
{% set B = b.name %}
{% set P = b.parts %}

/* -- {{ B }} {{ "-" * (88 - B | length) }} */
{% include "aead_backend.c" %}
{% endfor %}

/* -- back ends -------------------------------------------------------------------------------- */
{% for b in backends if b.dialect.guard == "1" %}
static int has_{{ b.name }}(void)
{
    return 1;
}
{% endfor %}

typedef struct {
    const char *name;
    int (*available)(void);
    void (*start)(uint64_t *state, const uint8_t *key, const uint8_t *nonce);
    void (*absorb)(uint64_t *state, const uint8_t *in, size_t blocks);
    void (*separate)(uint64_t *state);
    void (*seal)(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks);
    void (*seal_ways)(uint64_t *const *states, uint8_t *out, const uint8_t *in, size_t stride, size_t blocks);
    void (*open)(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks);
    void (*stream)(const uint64_t *state, uint8_t *out);
    void (*take)(uint64_t *state, const uint8_t *block);
    void (*last)(uint64_t *state, const uint8_t *block);
    void (*finish)(const uint64_t *state, const uint8_t *key, const uint8_t *lengths, uint8_t *tag);
    void (*message)(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_bytes, const uint8_t *in,
                    size_t bytes, uint8_t *out, uint8_t *tag, int opening);
    void (*clear)(void);
    void (*clear_ways)(void);
} backend;

/* Slowest first. */
static const backend backends[] = {
{% for b in backends %}
{% set B = b.name %}
{% if b.dialect.guard != "1" %}
#ifdef HAS_{{ B | upper }}
{% endif %}
    {"{{ B }}", has_{{ B }}, start_{{ B }}, absorb_{{ B }}, separate_{{ B }}, seal_{{ B }}, seal_ways_{{ B }},
     open_{{ B }}, stream_{{ B }}, take_{{ B }}, {{ "last" if has_last else "take" }}_{{ B }}, finish_{{ B }}, message_{{ B }},
     clear_{{ B }}, clear_ways_{{ B }}},
{% if b.dialect.guard != "1" %}
#endif
{% endif %}
{% endfor %}
};
{% include "choice.c" %}

/* -- a message -------------------------------------------------------------------------------- */
{% include "aead_message.c" %}
