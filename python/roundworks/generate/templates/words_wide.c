{% set V = "_mm256" if b.lanes == 2 else "_mm512" %}
{% set bits = 128 * b.lanes %}
{% set size = 16 * b.lanes %}
{{ inlined }}static inline void words_{{ B }}({{ T }} *out, const uint8_t *p, size_t bytes)
{
    for (; bytes >= {{ size }}; p += {{ size }}, bytes -= {{ size }}, out++)
        out[0] = {{ V }}_loadu_si{{ bits }}((const {{ T }} *)(const void *)p);
    if (bytes == 0)
        return;
{% if b.lanes == 2 %}
    if (bytes == WORD) {
        out[0] = _mm256_inserti128_si256(_mm256_setzero_si256(), _mm_loadu_si128((const __m128i *)(const void *)p), 0);
        return;
    }
{% else %}
    /* Not masked: a masked load waits until what was just stored is in the cache. */
    if (bytes == WORD) {
        out[0] = _mm512_zextsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)p));
        return;
    }
    if (bytes == 2 * WORD) {
        out[0] = _mm512_zextsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)p));
        return;
    }
    if (bytes % WORD == 0) {
        out[0] = _mm512_maskz_loadu_epi64((__mmask8)((1u << bytes / 8) - 1), p);
        return;
    }
{% endif %}
    /* A last word that is shorter is a number at the end of its word. */
    uint8_t whole[{{ size }}] = {0};
    const size_t full = bytes / WORD * WORD, rest = bytes - full;
    if (full)
        memcpy(whole, p, full);
    memcpy(whole + full + WORD - rest, p + full, rest);
    out[0] = {{ V }}_loadu_si{{ bits }}((const {{ T }} *)(const void *)whole);
}

{{ inlined }}static inline void bytes_{{ B }}(uint8_t *p, const {{ T }} *words, int count)
{
    for (; count >= {{ b.lanes }}; count -= {{ b.lanes }}, p += {{ size }}, words++)
        {{ V }}_storeu_si{{ bits }}(({{ T }} *)(void *)p, words[0]);
{% if b.lanes == 2 %}
    if (count)
        _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(words[0]));
{% else %}
    if (count == 1)
        _mm_storeu_si128((__m128i *)(void *)p, _mm512_castsi512_si128(words[0]));
    else if (count == 2)
        _mm256_storeu_si256((__m256i *)(void *)p, _mm512_castsi512_si256(words[0]));
    else if (count)
        _mm512_mask_storeu_epi64(p, (__mmask8)((1u << 2 * count) - 1), words[0]);
{% endif %}
}
