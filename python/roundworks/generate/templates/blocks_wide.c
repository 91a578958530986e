{% set size = 16 * b.lanes %}
{% set pairs = b.words // 2 %}
{{ inlined }}static inline void constants_{{ B }}({{ T }} *out, const uint64_t *table, int count)
{
    for (int k = 0; k < count; k++)
        out[k] = each{{ size }}(table[2 * k], table[2 * k + 1]);
}

/* Word i of {{ b.lanes }} blocks to the lanes of value i. */
{{ inlined }}static inline void blocks_{{ B }}({{ T }} *out, const uint8_t *p)
{
{% if b.lanes == 2 %}
    for (int i = 0; i < {{ pairs }}; i++, p += 2 * WORD, out += 2) {
        const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
        const __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + BLOCK));
        out[0] = _mm256_permute2x128_si256(a, b, 0x20);
        out[1] = _mm256_permute2x128_si256(a, b, 0x31);
    }
{% if b.words % 2 %}
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)p);
    const __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + BLOCK));
    out[0] = _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
{% endif %}
{% else %}
    /* Two words of two blocks a register. */
    for (int i = 0; i < {{ pairs }}; i++, p += 2 * WORD, out += 2) {
        __m512i pair[2];
        for (int j = 0; j < 2; j++) {
{% if b.words == 2 %}
            pair[j] = _mm512_loadu_si512((const __m512i *)(const void *)(p + 2 * j * BLOCK));
{% else %}
            const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(p + 2 * j * BLOCK));
            const __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + (2 * j + 1) * BLOCK));
            pair[j] = _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1);
{% endif %}
        }
        out[0] = _mm512_shuffle_i64x2(pair[0], pair[1], 0x88);
        out[1] = _mm512_shuffle_i64x2(pair[0], pair[1], 0xdd);
    }
{% if b.words % 2 %}
    out[0] = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)p));
    out[0] = _mm512_inserti32x4(out[0], _mm_loadu_si128((const __m128i *)(const void *)(p + BLOCK)), 1);
    out[0] = _mm512_inserti32x4(out[0], _mm_loadu_si128((const __m128i *)(const void *)(p + 2 * BLOCK)), 2);
    out[0] = _mm512_inserti32x4(out[0], _mm_loadu_si128((const __m128i *)(const void *)(p + 3 * BLOCK)), 3);
{% endif %}
{% endif %}
}

{{ inlined }}static inline void unblocks_{{ B }}(uint8_t *p, const {{ T }} *words)
{
{% if b.lanes == 2 %}
    for (int i = 0; i < {{ pairs }}; i++, p += 2 * WORD, words += 2) {
        _mm256_storeu_si256((__m256i *)(void *)p, _mm256_permute2x128_si256(words[0], words[1], 0x20));
        _mm256_storeu_si256((__m256i *)(void *)(p + BLOCK), _mm256_permute2x128_si256(words[0], words[1], 0x31));
    }
{% if b.words % 2 %}
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(words[0]));
    _mm_storeu_si128((__m128i *)(void *)(p + BLOCK), _mm256_extracti128_si256(words[0], 1));
{% endif %}
{% else %}
    for (int i = 0; i < {{ pairs }}; i++, p += 2 * WORD, words += 2) {
        const __m512i low = _mm512_permutex2var_epi64(words[0], lanes64(0, 4, 1, 5), words[1]);
        const __m512i high = _mm512_permutex2var_epi64(words[0], lanes64(2, 6, 3, 7), words[1]);
{% if b.words == 2 %}
        _mm512_storeu_si512((__m512i *)(void *)p, low);
        _mm512_storeu_si512((__m512i *)(void *)(p + 2 * BLOCK), high);
{% else %}
        _mm256_storeu_si256((__m256i *)(void *)p, _mm512_castsi512_si256(low));
        _mm256_storeu_si256((__m256i *)(void *)(p + BLOCK), _mm512_extracti64x4_epi64(low, 1));
        _mm256_storeu_si256((__m256i *)(void *)(p + 2 * BLOCK), _mm512_castsi512_si256(high));
        _mm256_storeu_si256((__m256i *)(void *)(p + 3 * BLOCK), _mm512_extracti64x4_epi64(high, 1));
{% endif %}
    }
{% if b.words % 2 %}
    _mm_storeu_si128((__m128i *)(void *)p, _mm512_castsi512_si128(words[0]));
    _mm_storeu_si128((__m128i *)(void *)(p + BLOCK), _mm512_extracti32x4_epi32(words[0], 1));
    _mm_storeu_si128((__m128i *)(void *)(p + 2 * BLOCK), _mm512_extracti32x4_epi32(words[0], 2));
    _mm_storeu_si128((__m128i *)(void *)(p + 3 * BLOCK), _mm512_extracti32x4_epi32(words[0], 3));
{% endif %}
{% endif %}
}

