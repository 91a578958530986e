{% macro pad(name, rule) %}
static inline void {{ name }}(uint8_t *block, size_t used)
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
{% if halves %}
#if !defined(__x86_64__)
{% endif %}
/* Whether this CPU stores the highest byte of a number first. */
enum { HIGH_FIRST = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };

static inline void xor_number(uint8_t *p, uint64_t number, int big)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
    x ^= big == HIGH_FIRST ? number : __builtin_bswap64(number);
    memcpy(p, &x, sizeof x);
}
{% if halves %}
#endif
{% endif %}

/* The words that the lengths make, from both in bits. */
static inline void encode(uint8_t *words, uint64_t ad_bits, uint64_t data_bits)
{
{% if halves %}
#if defined(__x86_64__)
    /* A load of 16 bytes would wait for two stores of 8. */
{% for low, high in halves | batch(2) %}
    _mm_storeu_si128((__m128i *)(void *)(words + {{ 16 * loop.index0 }}),
                     _mm_set_epi64x((long long)({{ high }}), (long long)({{ low }})));
{% endfor %}
#else
{% endif %}
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
{% if halves %}
#endif
{% endif %}
}
{% endif %}

/* A last block that is full is absorbed as the last one only once nothing follows it. */
enum { KEPT = {{ (has_last and not padding.full) | int }} };
