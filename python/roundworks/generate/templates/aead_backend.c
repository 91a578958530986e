{% macro kept(step) %}{{ ", v[" ~ b.count.v ~ "]" if step in b.keeps }}{% endmacro %}
{% macro whole_blocks(b, way) %}
{% if b.apart %}
/* One part of the state goes over the blocks after another: its words stay in registers. The blocks of one pass are
   still in the cache when the last part comes to them. */
for (size_t near; blocks; blocks -= near, in += near * RATE, out += near * RATE) {
    near = blocks < NEAR ? blocks : NEAR;
{% for part in b.apart %}
    for (size_t at = 0; at < near * RATE; at += RATE) {
{% for i in part.registers %}
        words_{{ b.name }}(x + {{ i }}, in + at + {{ 16 * b.lanes * i }}, {{ 16 * b.lanes }});
{% endfor %}
        {{ part[way] }}
{% for i in part.registers %}
        bytes_{{ b.name }}(out + at + {{ 16 * b.lanes * i }}, z + {{ i }}, {{ b.lanes }});
{% endfor %}
    }
{% endfor %}
}
{% else %}
for (; blocks; blocks--, in += RATE, out += RATE) {
    words_{{ b.name }}(x, in, RATE);
    {{ b[way] }}
    bytes_{{ b.name }}(out, z, {{ sizes.x }});
}
{% endif %}
{% endmacro %}
{% if b.dialect.guard != "1" %}
#ifdef HAS_{{ B | upper }}
{% endif %}
{% for f in b.slices %}
{{ f }}

{% endfor %}
{% include "words.c" %}
{% if b.zeros or b.ad_zeros %}
{% include "words_part.c" %}

{% endif %}
{% for f in b.functions %}
{{ f }}

{% endfor %}
{{ target }}static void start_{{ B }}(uint64_t *state, const uint8_t *key, const uint8_t *nonce)
{
    {{ T }} s[{{ b.count.s }}], k[{{ b.count.k }}], n[{{ b.count.n }}], x[{{ b.count.x }}], v[{{ b.count.v }}];
    (void)x, (void)v;
    words_{{ B }}(k, key, KEY);
    words_{{ B }}(n, nonce, NONCE);
    {{ b.load }}
{% if b.init %}
{{ b.init }}
{% endif %}
    _Static_assert(sizeof s <= sizeof(({{ name }}_message *)0)->state, "a state fits a message");
    memcpy(state, s, sizeof s);
    wipe(s, sizeof s);
    wipe(k, sizeof k);
}

/* Blocks of associated data. */
{{ target }}static void absorb_{{ B }}(uint64_t *state, const uint8_t *in, size_t blocks)
{
    {{ T }} s[{{ b.count.s }}], x[{{ b.count.x }}]{{ kept("absorb") }};
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
    {{ T }} s[{{ b.count.s }}], x[{{ b.count.x }}]{{ kept("separate") }};
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
    {{ T }} s[{{ b.count.s }}], x[{{ b.count.x }}], z[{{ b.count.x }}];
    memcpy(s, state, sizeof s);
    {{ whole_blocks(b, "seal") | indent }}    memcpy(state, s, sizeof s);
}

{% if b.bits == 64 %}
/* The same of WAYS messages, `stride` bytes apart, two of them in a value. */
static void seal_ways_{{ B }}(uint64_t *const *states, uint8_t *out, const uint8_t *in, size_t stride, size_t blocks)
{
    pair every[WAYS / 2][{{ b.count.s }}];
    for (size_t m = 0; m < WAYS; m++)
        for (size_t i = 0; i < {{ b.count.s }}; i++)
            every[m / 2][i][m % 2] = states[m][i];
    for (; blocks; blocks--, in += RATE, out += RATE) {
        for (size_t m = 0; m < WAYS; m += 2) {
            {{ T }} first[{{ b.count.x }}], second[{{ b.count.x }}];
            pair *s = every[m / 2], x[{{ b.count.x }}], z[{{ b.count.x }}];
            words_{{ B }}(first, in + m * stride, RATE);
            words_{{ B }}(second, in + (m + 1) * stride, RATE);
            for (int i = 0; i < {{ b.count.x }}; i++)
                x[i] = (pair){first[i], second[i]};
            {{ b.seal_pair }}
            for (int i = 0; i < {{ b.count.x }}; i++) {
                first[i] = z[i][0];
                second[i] = z[i][1];
            }
            bytes_{{ B }}(out + m * stride, first, {{ sizes.x }});
            bytes_{{ B }}(out + (m + 1) * stride, second, {{ sizes.x }});
        }
    }
    for (size_t m = 0; m < WAYS; m++)
        for (size_t i = 0; i < {{ b.count.s }}; i++)
            states[m][i] = every[m / 2][i][m % 2];
    wipe(every, sizeof every);
}
{% else %}
/* The same of WAYS messages, `stride` bytes apart: while one waits for its round, the others compute theirs. */
{{ target }}static void seal_ways_{{ B }}(uint64_t *const *states, uint8_t *out, const uint8_t *in, size_t stride, size_t blocks)
{
    {{ T }} every[WAYS][{{ b.count.s }}];
    for (size_t m = 0; m < WAYS; m++)
        memcpy(every[m], states[m], sizeof every[m]);
    for (; blocks; blocks--, in += RATE, out += RATE) {
        for (size_t m = 0; m < WAYS; m++) {
            {{ T }} *s = every[m], x[{{ b.count.x }}], z[{{ b.count.x }}];
            words_{{ B }}(x, in + m * stride, RATE);
            {{ b.seal }}
            bytes_{{ B }}(out + m * stride, z, {{ sizes.x }});
        }
    }
    for (size_t m = 0; m < WAYS; m++)
        memcpy(states[m], every[m], sizeof every[m]);
    wipe(every, sizeof every);
}
{% endif %}

{{ target }}static void open_{{ B }}(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    {{ T }} s[{{ b.count.s }}], x[{{ b.count.x }}], z[{{ b.count.x }}];
    memcpy(s, state, sizeof s);
    {{ whole_blocks(b, "open") | indent }}    memcpy(state, s, sizeof s);
}

/* The keystream of the block that begins. */
{{ target }}static void stream_{{ B }}(const uint64_t *state, uint8_t *out)
{
    {{ T }} s[{{ b.count.s }}], z[{{ b.count.x }}];
    memcpy(s, state, sizeof s);
    {{ b.keystream }}
    bytes_{{ B }}(out, z, {{ sizes.x }});
}

/* One block of message whose keystream was used. */
{{ target }}static void take_{{ B }}(uint64_t *state, const uint8_t *block)
{
    {{ T }} s[{{ b.count.s }}], x[{{ b.count.x }}];
    memcpy(s, state, sizeof s);
    words_{{ B }}(x, block, RATE);
    {{ b.round }}
    memcpy(state, s, sizeof s);
}
{% if has_last %}

/* The last block of a message. */
{{ target }}static void last_{{ B }}(uint64_t *state, const uint8_t *block)
{
    {{ T }} s[{{ b.count.s }}], x[{{ b.count.x }}]{{ kept("last") }};
    memcpy(s, state, sizeof s);
    words_{{ B }}(x, block, RATE);
{{ b.last }}
    memcpy(state, s, sizeof s);
}
{% endif %}

{{ target }}static void finish_{{ B }}(const uint64_t *state, const uint8_t *key, const uint8_t *lengths, uint8_t *tag)
{
    {{ T }} s[{{ b.count.s }}], k[{{ b.count.k }}], x[{{ b.count.x }}], v[{{ b.count.v }}], t[{{ b.count.t }}];
{% if sizes.l %}
    {{ T }} l[{{ b.count.l }}];
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

/* A whole message, whose state stays in registers where there are enough. */
{{ target }}static void message_{{ B }}(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_bytes,
{{ " " * (target ~ "static void message_(" ~ B) | length }}const uint8_t *in, size_t bytes, uint8_t *out, uint8_t *tag, int opening)
{
    {{ T }} s[{{ b.count.s }}], k[{{ b.count.k }}], n[{{ b.count.n }}], x[{{ b.count.x }}], z[{{ b.count.x }}], v[{{ b.count.v }}], t[{{ b.count.t }}];
    uint8_t {{ "" if b.zeros and b.ad_zeros else "block[RATE], " }}{{ "" if b.zeros else "stream[RATE], " }}whole[{{ sizes.t }} * WORD];
    (void)v;
    words_{{ B }}(k, key, KEY);
    words_{{ B }}(n, nonce, NONCE);
    {{ b.load }}
{% if b.init %}
{{ b.init }}
{% endif %}
    size_t left = ad_bytes;
    for (; left >= RATE; left -= RATE, ad += RATE) {
        words_{{ B }}(x, ad, RATE);
{{ b.absorb }}
    }
{% if b.ad_zeros %}
    if (left) {
        part_{{ B }}(x, ad, left);
{{ b.absorb }}
    }
{% else %}
    if (left || (ad_bytes ? {{ ad_padding.full | int }} : {{ ad_padding.empty | int }})) {
        copy(block, ad, left);
        pad_ad(block, left);
        words_{{ B }}(x, block, RATE);
{{ b.absorb }}
    }
{% endif %}
{% if b.separate %}
{{ b.separate }}
{% endif %}
    size_t blocks = bytes ? (bytes - KEPT) / RATE : 0;
    left = bytes - blocks * RATE;
    if (opening) {
        {{ whole_blocks(b, "open") | indent(8) }}    } else {
        {{ whole_blocks(b, "seal") | indent(8) }}    }
{% if b.zeros %}
    if (left) {
        {{ b.keystream }}
        part_{{ B }}(x, in, left);
        for (int i = 0; i < {{ b.count.x }}; i++) {
            z[i] = {{ {1: "_mm", 2: "_mm256", 4: "_mm512"}[b.lanes] }}_xor_si{{ 128 * b.lanes }}(z[i], x[i]);
            if (opening)
                x[i] = z[i];
        }
        if (opening)
            cut_{{ B }}(x, left);
        part_bytes_{{ B }}(out, z, left);
{{ b.last if has_last else "        " ~ b.round }}
    }
{% else %}
    if (left) {
        {{ b.keystream }}
        bytes_{{ B }}(stream, z, {{ sizes.x }});
        memset(block, 0, RATE);
        copy(block, in, left);
        for (int i = 0; i < RATE; i++)
            stream[i] ^= block[i];
        copy(out, stream, left);
        if (opening)
            memcpy(block, stream, RATE);
    }
    if (left || (bytes ? {{ padding.full | int }} : {{ padding.empty | int }})) {
        if (left < RATE)
            pad_data(block, left);
        words_{{ B }}(x, block, RATE);
{{ b.last if has_last else "        " ~ b.round }}
    }
{% endif %}
{% if sizes.l %}
    {{ T }} l[{{ b.count.l }}];
    uint8_t lengths[{{ sizes.l }} * WORD];
    encode(lengths, 8 * (uint64_t)ad_bytes, 8 * (uint64_t)bytes);
    words_{{ B }}(l, lengths, sizeof lengths);
{% endif %}
{% if b.finalise %}
{{ b.finalise }}
{% endif %}
    {{ b.tag }}
    bytes_{{ B }}(whole, t, {{ sizes.t }});
    memcpy(tag, whole, TAG);
}

{% include "aead_clear.c" %}
{% if b.dialect.guard != "1" %}

static int has_{{ B }}(void)
{
    return {{ b.dialect.available }};
}
#endif
{% endif %}
