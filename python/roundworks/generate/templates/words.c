{% if b.lanes > 1 %}
{% include "words_wide.c" %}
{% else %}
{{ inlined }}static inline void words_{{ B }}({{ T }} *out, const uint8_t *p, size_t bytes)
{
    for (; bytes >= WORD; p += WORD, bytes -= WORD, out += {{ P }}) {
{% if b.planes %}
        out[0] = (planes){load(p, 8), load(p + 8, 8)};
        slice_{{ B }}(out);
{% elif b.bits == 64 %}
{% for k in range(P) %}
        out[{{ k }}] = load(p{{ " + " ~ 8 * k if k }}, {{ [8, word - 8 * k] | min }});
{% endfor %}
{% elif word == 16 %}
{% if B == "aarch64" %}
        out[0] = vld1q_u8(p);
{% else %}
        out[0] = _mm_loadu_si128((const __m128i *)(const void *)p);
{% endif %}
{% else %}
        uint8_t whole[16] = {0};
        memcpy(whole, p, WORD);
        out[0] = {{ "vld1q_u8(whole)" if B == "aarch64" else "_mm_loadu_si128((const __m128i *)(const void *)whole)" }};
{% endif %}
    }
{% if b.tails.k or b.tails.n %}
    if (bytes) {
        uint8_t word[WORD] = {0};
        memcpy(word + WORD - bytes, p, bytes);
        words_{{ B }}(out, word, WORD);
    }
{% endif %}
}

{{ inlined }}static inline void bytes_{{ B }}(uint8_t *p, const {{ T }} *words, int count)
{
    for (int i = 0; i < count; i++, p += WORD, words += {{ P }}) {
{% if b.planes %}
        planes whole = words[0];
        unslice_{{ B }}(&whole);
        store(p, whole[0], 8);
        store(p + 8, whole[1], 8);
{% elif b.bits == 64 %}
{% for k in range(P) %}
        store(p{{ " + " ~ 8 * k if k }}, words[{{ k }}], {{ [8, word - 8 * k] | min }});
{% endfor %}
{% elif word == 16 %}
        {{ "vst1q_u8(p, words[0]);" if B == "aarch64" else "_mm_storeu_si128((__m128i *)(void *)p, words[0]);" }}
{% else %}
        uint8_t whole[16];
        {{ "vst1q_u8(whole, words[0]);" if B == "aarch64" else "_mm_storeu_si128((__m128i *)(void *)whole, words[0]);" }}
        memcpy(p, whole, WORD);
{% endif %}
    }
}
{% endif %}
