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

/* -- bytes ------------------------------------------------------------------------------------ */
static void wipe(void *p, size_t n)
{
    volatile uint8_t *b = (volatile uint8_t *)p;
    while (n--)
        *b++ = 0;
}
{% include "values.c" %}
{% for b in backends %}
{% set T = b.dialect.type %}
{% set target = b.dialect.target + " " if b.dialect.target else "" %}
{% set B = b.name %}
{% set P = b.parts %}

/* -- {{ B }} {{ "-" * (88 - B | length) }} */
{% if b.dialect.guard != "1" %}
#ifdef HAS_{{ B | upper }}
{% endif %}
{% include "words.c" %}
{% for f in b.functions %}
{{ f }}

{% endfor %}
{{ target }}static void start_{{ B }}(uint64_t *state, const uint8_t *key, const uint8_t *nonce)
{
    {{ T }} s[{{ sizes.s * P }}], k[{{ sizes.k * P }}], n[{{ sizes.n * P }}], x[{{ sizes.x * P }}], v[{{ [1, b.kept * P] | max }}];
    (void)x, (void)v;
    words_{{ B }}(k, key, KEY);
    words_{{ B }}(n, nonce, NONCE);
    {{ b.load }}
{% if b.init %}
{{ b.init }}
{% endif %}
    memcpy(state, s, sizeof s);
    wipe(s, sizeof s);
    wipe(k, sizeof k);
}

/* Blocks of associated data. */
{{ target }}static void absorb_{{ B }}(uint64_t *state, const uint8_t *in, size_t blocks)
{
    {{ T }} s[{{ sizes.s * P }}], x[{{ sizes.x * P }}];
    memcpy(s, state, sizeof s);
    for (; blocks; blocks--, in += RATE) {
        words_{{ B }}(x, in, RATE);
{{ b.absorb }}
    }
    memcpy(state, s, sizeof s);
}

{{ target }}static void separate_{{ B }}(uint64_t *state)
{
{% if b.separate %}
    {{ T }} s[{{ sizes.s * P }}], x[{{ sizes.x * P }}];
    (void)x;
    memcpy(s, state, sizeof s);
{{ b.separate }}
    memcpy(state, s, sizeof s);
{% else %}
    (void)state;
{% endif %}
}

/* Whole blocks of a message, none of them the last one where that is absorbed otherwise. */
{{ target }}static void seal_{{ B }}(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    {{ T }} s[{{ sizes.s * P }}], x[{{ sizes.x * P }}], z[{{ sizes.x * P }}];
    memcpy(s, state, sizeof s);
    for (; blocks; blocks--, in += RATE, out += RATE) {
        words_{{ B }}(x, in, RATE);
        {{ b.keystream }}
        for (int i = 0; i < {{ sizes.x * P }}; i++)
            z[i] = {{ "veorq_u8(z[i], x[i])" if B == "aarch64" else "_mm_xor_si128(z[i], x[i])" if b.bits == 128 else "z[i] ^ x[i]" }};
        bytes_{{ B }}(out, z, {{ sizes.x }});
        {{ b.round }}
    }
    memcpy(state, s, sizeof s);
}

{{ target }}static void open_{{ B }}(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    {{ T }} s[{{ sizes.s * P }}], x[{{ sizes.x * P }}], z[{{ sizes.x * P }}];
    memcpy(s, state, sizeof s);
    for (; blocks; blocks--, in += RATE, out += RATE) {
        words_{{ B }}(x, in, RATE);
        {{ b.keystream }}
        for (int i = 0; i < {{ sizes.x * P }}; i++)
            x[i] = {{ "veorq_u8(z[i], x[i])" if B == "aarch64" else "_mm_xor_si128(z[i], x[i])" if b.bits == 128 else "z[i] ^ x[i]" }};
        bytes_{{ B }}(out, x, {{ sizes.x }});
        {{ b.round }}
    }
    memcpy(state, s, sizeof s);
}

/* The keystream of the block that begins. */
{{ target }}static void stream_{{ B }}(const uint64_t *state, uint8_t *out)
{
    {{ T }} s[{{ sizes.s * P }}], z[{{ sizes.x * P }}];
    memcpy(s, state, sizeof s);
    {{ b.keystream }}
    bytes_{{ B }}(out, z, {{ sizes.x }});
}

/* One block of message whose keystream was used. */
{{ target }}static void take_{{ B }}(uint64_t *state, const uint8_t *block)
{
    {{ T }} s[{{ sizes.s * P }}], x[{{ sizes.x * P }}];
    memcpy(s, state, sizeof s);
    words_{{ B }}(x, block, RATE);
    {{ b.round }}
    memcpy(state, s, sizeof s);
}
{% if has_last %}

/* The last block of a message. */
{{ target }}static void last_{{ B }}(uint64_t *state, const uint8_t *block)
{
    {{ T }} s[{{ sizes.s * P }}], x[{{ sizes.x * P }}];
    memcpy(s, state, sizeof s);
    words_{{ B }}(x, block, RATE);
{{ b.last }}
    memcpy(state, s, sizeof s);
}
{% endif %}

{{ target }}static void finish_{{ B }}(const uint64_t *state, const uint8_t *key, const uint8_t *lengths, uint8_t *tag)
{
    {{ T }} s[{{ sizes.s * P }}], k[{{ sizes.k * P }}], x[{{ sizes.x * P }}], v[{{ [1, b.kept * P] | max }}], t[{{ sizes.t * P }}];
{% if sizes.l %}
    {{ T }} l[{{ sizes.l * P }}];
    words_{{ B }}(l, lengths, {{ sizes.l }} * WORD);
{% else %}
    (void)lengths;
{% endif %}
    uint8_t whole[{{ sizes.t }} * WORD];
    (void)x, (void)v, (void)k, (void)key;
    memcpy(s, state, sizeof s);
{% if keyed %}
    words_{{ B }}(k, key, KEY);
{% endif %}
{% if b.finalise %}
{{ b.finalise }}
{% endif %}
    {{ b.tag }}
    bytes_{{ B }}(whole, t, {{ sizes.t }});
    memcpy(tag, whole, TAG);
    wipe(s, sizeof s);
    wipe(k, sizeof k);
}
{% if b.dialect.guard != "1" %}

static int has_{{ B }}(void)
{
    return {{ b.dialect.available }};
}
#endif
{% endif %}
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
    void (*open)(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks);
    void (*stream)(const uint64_t *state, uint8_t *out);
    void (*take)(uint64_t *state, const uint8_t *block);
    void (*last)(uint64_t *state, const uint8_t *block);
    void (*finish)(const uint64_t *state, const uint8_t *key, const uint8_t *lengths, uint8_t *tag);
} backend;

/* Slowest first. */
static const backend backends[] = {
{% for b in backends %}
{% set B = b.name %}
{% if b.dialect.guard != "1" %}
#ifdef HAS_{{ B | upper }}
{% endif %}
    {"{{ B }}", has_{{ B }}, start_{{ B }}, absorb_{{ B }}, separate_{{ B }}, seal_{{ B }}, open_{{ B }},
     stream_{{ B }}, take_{{ B }}, {{ "last" if has_last else "take" }}_{{ B }}, finish_{{ B }}},
{% if b.dialect.guard != "1" %}
#endif
{% endif %}
{% endfor %}
};
{% include "choice.c" %}

/* -- a message -------------------------------------------------------------------------------- */
{% macro pad(name, rule) %}
static void {{ name }}(uint8_t *block, size_t used)
{
{% if rule.table %}
    static const uint8_t padding[RATE][RATE] = {
{% for row in rule.table %}
        { {{ row | hex }} },
{% endfor %}
    };
    memcpy(block + used, padding[used] + used, RATE - used);
{% else %}
    memset(block + used, 0, RATE - used);
{% if rule.first %}
    block[used] = {{ "0x%02x" % rule.first }};
{% endif %}
{% endif %}
}
{% endmacro %}
/* The rest of a last block of which `used` bytes are there. */
{{ pad("pad_ad", ad_padding) }}
{{ pad("pad_data", padding) }}
{% if lengths %}
{% for word in lengths %}
{% for place in word.places %}
{% if place is none %}
{% set ns = namespace(any=true) %}
{% endif %}
{% endfor %}
{% endfor %}
static void xor_number(uint8_t *p, uint64_t number, int big)
{
    for (int i = 0; i < 8; i++)
        p[i] ^= (uint8_t)(number >> 8 * (big ? 7 - i : i));
}

/* The words that the lengths make, from both in bits. */
static void encode(uint8_t *words, uint64_t ad_bits, uint64_t data_bits)
{
    static const uint8_t start[{{ lengths | length }} * WORD] = {
{% for word in lengths %}
        {{ word.start | hex }},
{% endfor %}
    };
    memcpy(words, start, sizeof start);
{% for word in lengths %}
{% set at = loop.index0 * cipher.word_bytes %}
{% for place in word.places %}
{% set number = ("ad_bits", "data_bits")[loop.index0] %}
{% if place is none %}
    {
        /* What each bit adds. */
        static const uint8_t added[64][WORD] = {
{% for row in word.tables[loop.index0] %}
            { {{ row | hex }} },
{% endfor %}
        };
        for (int i = 0; i < 64; i++)
            for (int j = 0; j < WORD; j++)
                words[{{ at }} + j] ^= (uint8_t)(added[i][j] & -(int)({{ number }} >> i & 1));
    }
{% elif place[0] != "none" %}
    xor_number(words + {{ at + place[1] }}, {{ number }}, {{ 1 if place[0] == "big" else 0 }});
{% endif %}
{% endfor %}
{% endfor %}
}
{% endif %}

void {{ name }}_init({{ name }}_message *m, const uint8_t *key, const uint8_t *nonce)
{
    memset(m, 0, sizeof *m);
    m->backend = choice();
    memcpy(m->key, key, KEY);
    backends[m->backend].start(m->state, key, nonce);
}

void {{ name }}_ad_update({{ name }}_message *m, const uint8_t *ad, size_t ad_bytes)
{
    const backend *b = &backends[m->backend];
    m->ad_bytes += ad_bytes;
    while (ad_bytes) {
        size_t taken;
        if (m->fill == 0 && ad_bytes >= RATE) {
            taken = ad_bytes / RATE * RATE;
            b->absorb(m->state, ad, ad_bytes / RATE);
        } else {
            taken = RATE - m->fill < ad_bytes ? RATE - m->fill : ad_bytes;
            memcpy(m->block + m->fill, ad, taken);
            m->fill += (uint32_t)taken;
            if (m->fill == RATE) {
                b->absorb(m->state, m->block, 1);
                m->fill = 0;
            }
        }
        ad += taken;
        ad_bytes -= taken;
    }
}

/* The last block of associated data, and what stands between it and the message. */
static void end_of_ad({{ name }}_message *m)
{
    const backend *b = &backends[m->backend];
    const int padded = m->fill != 0 || (m->ad_bytes ? {{ ad_padding.full | int }} : {{ ad_padding.empty | int }});
    if (padded) {
        pad_ad(m->block, m->fill);
        b->absorb(m->state, m->block, 1);
    }
    b->separate(m->state);
    m->fill = 0;
    m->in_data = 1;
}

/* A last block that is full is absorbed as the last one only once nothing follows it. */
enum { KEPT = {{ (has_last and not padding.full) | int }} };

static void update({{ name }}_message *m, const uint8_t *in, size_t bytes, uint8_t *out, int opening)
{
    const backend *b = &backends[m->backend];
    if (!m->in_data)
        end_of_ad(m);
    m->data_bytes += bytes;
    if (bytes && m->fill == RATE) {
        b->take(m->state, m->block);
        m->fill = 0;
    }
    while (bytes) {
        size_t taken = 0;
        if (m->fill == 0) {
            const size_t blocks = (bytes - KEPT) / RATE;
            if (blocks) {
                (opening ? b->open : b->seal)(m->state, out, in, blocks);
                taken = blocks * RATE;
            } else {
                b->stream(m->state, m->stream);
            }
        }
        if (!taken) {
            taken = RATE - m->fill < bytes ? RATE - m->fill : bytes;
            for (size_t i = 0; i < taken; i++) {
                const uint8_t got = in[i], made = (uint8_t)(got ^ m->stream[m->fill + i]);
                m->block[m->fill + i] = opening ? made : got;
                out[i] = made;
            }
            m->fill += (uint32_t)taken;
            if (m->fill == RATE && (!KEPT || bytes > taken)) {
                b->take(m->state, m->block);
                m->fill = 0;
            }
        }
        in += taken;
        out += taken;
        bytes -= taken;
    }
}

static void end({{ name }}_message *m, uint8_t *tag)
{
    const backend *b = &backends[m->backend];
    if (!m->in_data)
        end_of_ad(m);
    if (m->fill != 0 || (m->data_bytes ? {{ padding.full | int }} : {{ padding.empty | int }})) {
        if (m->fill < RATE)
            pad_data(m->block, m->fill);
        b->last(m->state, m->block);
    }
{% if lengths %}
    uint8_t lengths[{{ lengths | length }} * WORD];
    encode(lengths, 8 * m->ad_bytes, 8 * m->data_bytes);
    b->finish(m->state, m->key, lengths, tag);
{% else %}
    b->finish(m->state, m->key, NULL, tag);
{% endif %}
    wipe(m, sizeof *m);
}

/* 0 for equal tags, in a time that does not depend on them. */
static int different(const uint8_t *a, const uint8_t *b)
{
    uint8_t bits = 0;
    for (int i = 0; i < TAG; i++)
        bits = (uint8_t)(bits | (a[i] ^ b[i]));
    return bits != 0;
}

void {{ name }}_seal_update({{ name }}_message *m, const uint8_t *data, size_t data_bytes, uint8_t *out)
{
    update(m, data, data_bytes, out, 0);
}

void {{ name }}_open_update({{ name }}_message *m, const uint8_t *data, size_t data_bytes, uint8_t *out)
{
    update(m, data, data_bytes, out, 1);
}

void {{ name }}_seal_final({{ name }}_message *m, uint8_t *tag)
{
    end(m, tag);
}

int {{ name }}_open_final({{ name }}_message *m, const uint8_t *tag)
{
    uint8_t want[TAG];
    end(m, want);
    const int refused = different(want, tag);
    wipe(want, sizeof want);
    return refused ? {{ NAME }}_ERROR_TAG : {{ NAME }}_OK;
}

void {{ name }}_encrypt_detached(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_bytes,
                                 const uint8_t *data, size_t data_bytes, uint8_t *out, uint8_t *tag)
{
    {{ name }}_message m;
    {{ name }}_init(&m, key, nonce);
    {{ name }}_ad_update(&m, ad, ad_bytes);
    update(&m, data, data_bytes, out, 0);
    end(&m, tag);
}

int {{ name }}_decrypt_detached(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_bytes,
                                const uint8_t *data, size_t data_bytes, const uint8_t *tag, uint8_t *out)
{
    {{ name }}_message m;
    {{ name }}_init(&m, key, nonce);
    {{ name }}_ad_update(&m, ad, ad_bytes);
    update(&m, data, data_bytes, out, 1);
    if ({{ name }}_open_final(&m, tag) == {{ NAME }}_OK)
        return {{ NAME }}_OK;
    if (data_bytes)
        memset(out, 0, data_bytes);
    return {{ NAME }}_ERROR_TAG;
}

void {{ name }}_encrypt_many(const uint8_t *key, size_t count, const uint8_t *nonces, const uint8_t *ad,
                             size_t ad_bytes, const uint8_t *data, size_t data_bytes, uint8_t *out, uint8_t *tags)
{
    for (size_t i = 0; i < count; i++)
        {{ name }}_encrypt_detached(key, nonces + i * NONCE, ad + i * ad_bytes, ad_bytes, data + i * data_bytes,
                                    data_bytes, out + i * data_bytes, tags + i * TAG);
}
