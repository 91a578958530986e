{% set V = {1: "_mm", 2: "_mm256", 4: "_mm512"}[b.lanes] %}
{% set bits = 128 * b.lanes %}
{% set size = 16 * b.lanes %}
{% if b.masks %}
{% set M = "__mmask%d" % size %}
/* Which bytes of register i are among the first ones of a block. */
{{ inlined }}static inline {{ M }} bytes_there_{{ B }}(size_t bytes, int i)
{
    const size_t before = {{ size }} * (size_t)i, here = bytes > before ? bytes - before : 0;
    return ({{ M }})(here < {{ size }} ? (UINT64_C(1) << here) - 1 : ~UINT64_C(0));
}

/* A part of a block, and zeros; masked, so that none of it goes through memory. */
{{ inlined }}static inline void part_{{ B }}({{ T }} *out, const uint8_t *p, size_t bytes)
{
    for (int i = 0; i < {{ b.count.x }}; i++) {
        const {{ M }} there = bytes_there_{{ B }}(bytes, i);
        out[i] = {{ V }}_maskz_loadu_epi8(there, there ? p + {{ size }} * i : p);
    }
}
{% if b.zeros %}

{{ inlined }}static inline void part_bytes_{{ B }}(uint8_t *p, const {{ T }} *words, size_t bytes)
{
    for (int i = 0; i < {{ b.count.x }}; i++) {
        const {{ M }} there = bytes_there_{{ B }}(bytes, i);
        {{ V }}_mask_storeu_epi8(there ? p + {{ size }} * i : p, there, words[i]);
    }
}

/* Zeros behind the first bytes of a block. */
{{ inlined }}static inline void cut_{{ B }}({{ T }} *words, size_t bytes)
{
    for (int i = 0; i < {{ b.count.x }}; i++)
        words[i] = {{ V }}_maskz_mov_epi8(bytes_there_{{ B }}(bytes, i), words[i]);
}
{% endif %}
{% else %}
/* A part of a block, and zeros; none of it goes through other memory, where a load would wait for stores. */
{{ inlined }}static inline void part_{{ B }}({{ T }} *out, const uint8_t *p, size_t bytes)
{
    for (size_t i = 0; i < {{ b.count.x }}; i++) {
        const size_t at = {{ size }} * i;
        if (bytes >= at + {{ size }})
            out[i] = {{ V }}_loadu_si{{ bits }}((const {{ T }} *)(const void *)(p + at));
        else if (bytes > at)
            out[i] = {% if b.lanes == 1 %}first_bytes(p + at, bytes - at){% else %}_mm256_inserti128_si256(_mm256_castsi128_si256(first_bytes(p + at, bytes - at)),
                                             first_bytes(p + at + 16, bytes > at + 16 ? bytes - at - 16 : 0), 1){% endif %};
        else
            out[i] = {{ V }}_setzero_si{{ bits }}();
    }
}
{% if b.zeros %}

{{ inlined }}static inline void part_bytes_{{ B }}(uint8_t *p, const {{ T }} *words, size_t bytes)
{
    for (size_t i = 0; i < {{ b.count.x }}; i++) {
        const size_t at = {{ size }} * i;
        if (bytes >= at + {{ size }})
            {{ V }}_storeu_si{{ bits }}(({{ T }} *)(void *)(p + at), words[i]);
{% if b.lanes == 1 %}
        else if (bytes > at)
            store_first(p + at, words[i], bytes - at);
{% else %}
        else if (bytes > at) {
            store_first(p + at, _mm256_castsi256_si128(words[i]), bytes - at);
            if (bytes > at + 16)
                store_first(p + at + 16, _mm256_extracti128_si256(words[i], 1), bytes - at - 16);
        }
{% endif %}
    }
}

/* Zeros behind the first bytes of a block. */
{{ inlined }}static inline void cut_{{ B }}({{ T }} *words, size_t bytes)
{
    for (size_t i = 0; i < {{ b.count.x }}; i++) {
        const size_t at = {{ size }} * i, here = bytes > at ? bytes - at : 0;
        const {{ T }} all = {{ V }}_set1_epi8((char)(here < {{ size }} ? here : {{ size }}));
{% if b.lanes == 1 %}
        words[i] = _mm_and_si128(words[i], _mm_cmpgt_epi8(all, places()));
{% else %}
        const {{ T }} second = _mm256_set_m128i(_mm_set1_epi8(16), _mm_setzero_si128());
        const {{ T }} place = _mm256_add_epi8(_mm256_broadcastsi128_si256(places()), second);
        words[i] = _mm256_and_si256(words[i], _mm256_cmpgt_epi8(all, place));
{% endif %}
    }
}
{% endif %}
{% endif %}
