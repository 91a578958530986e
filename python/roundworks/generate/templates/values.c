{% macro kept(function, statement, text) %}
#if defined(__clang__)
#define {{ function | upper }}(x, registers)
#else
#define {{ function | upper }}(x, registers) {{ statement }}("" : "+" registers(x))
#endif
{% for lanes, target in [(1, "sse2"), (2, "avx2"), (4, "avx512f")] if "%s%d(" % (function, 16 * lanes) in text %}
{% set word = "__m%di" % (128 * lanes) %}

__attribute__((target("{{ target }}"))) static inline {{ word }} {{ function }}{{ 16 * lanes }}({{ word }} x)
{
    {{ function | upper }}(x, "v");
    return x;
}
{% endfor %}
{% endmacro %}
{% set scalars = backends | selectattr("name", "equalto", "portable") | list %}
{% if scalars %}
{% if "rotl(" in (backends | map(attribute="functions") | sum(start=[]) | join) %}

#define rotl(x, n) ((x) << (n) | (x) >> (64 - (n)))
{% endif %}

{% if backends | selectattr("pairs") | list %}
/* A value of each of two messages or blocks. */
typedef uint64_t pair __attribute__((vector_size(16)));
#define each(c) ((pair){c, c})

{% endif %}
{% if scalars[0].planes %}
{% include "planes.c" %}
{% endif %}
/* `n` bytes, at most 8, as a number{{ "" if scalars[0].order == "big" else ", the lowest first" }}. */
static inline uint64_t load(const uint8_t *p, int n)
{
    uint64_t x = 0;
    for (int i = 0; i < n; i++)
{% if scalars[0].order == "big" %}
        x = x << 8 | p[i];
{% else %}
        x |= (uint64_t)p[i] << 8 * i;
{% endif %}
    return x;
}

static inline void store(uint8_t *p, uint64_t x, int n)
{
{% if scalars[0].order == "big" %}
    for (int i = 0; i < n; i++)
        p[i] = (uint8_t)(x >> 8 * (n - 1 - i));
{% else %}
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    /* Of the loop gcc 12 makes some 45 instructions. */
    memcpy(p, &x, (size_t)n);
#else
    for (int i = 0; i < n; i++)
        p[i] = (uint8_t)(x >> 8 * i);
#endif
{% endif %}
}
{% endif %}
{% for b in backends if b.bits == 128 and b.name != "aarch64" %}
{% if loop.first %}

#if defined(__x86_64__)
static inline __m128i bytes16(uint64_t low, uint64_t high)
{
    return _mm_set_epi64x((long long)high, (long long)low);
}

/* At most 16 bytes, and zeros: of a load and one that ends with them. */
static inline __m128i first_bytes(const uint8_t *p, size_t n)
{
    uint64_t low = 0, high = 0;
    if (n >= 16)
        return _mm_loadu_si128((const __m128i *)(const void *)p);
    if (n >= 8) {
        memcpy(&low, p, 8);
        if (n > 8) {
            memcpy(&high, p + n - 8, 8);
            high >>= 8 * (16 - n);
        }
    } else if (n >= 4) {
        uint32_t first, last;
        memcpy(&first, p, 4);
        memcpy(&last, p + n - 4, 4);
        low = first | (uint64_t)last << 8 * (n - 4);
    } else if (n) {
        low = p[0] | (uint64_t)p[n / 2] << 8 * (n / 2) | (uint64_t)p[n - 1] << 8 * (n - 1);
    }
    return bytes16(low, high);
}

static inline void store_first(uint8_t *p, __m128i x, size_t n)
{
    if (n >= 16) {
        _mm_storeu_si128((__m128i *)(void *)p, x);
        return;
    }
    uint64_t rest = (uint64_t)_mm_cvtsi128_si64(x);
    if (n & 8) {
        memcpy(p, &rest, 8);
        rest = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(x, x));
        p += 8;
    }
    if (n & 4) {
        memcpy(p, &rest, 4);
        rest >>= 32;
        p += 4;
    }
    if (n & 2) {
        memcpy(p, &rest, 2);
        rest >>= 16;
        p += 2;
    }
    if (n & 1)
        *p = (uint8_t)rest;
}

static inline __m128i places(void)
{
    return bytes16(0x0706050403020100, 0x0f0e0d0c0b0a0908);
}
{% set text = backends | map(attribute="functions") | sum(start=[]) | join %}
{% if "in_order" in text %}

/* AES rounds of several words stay in the order they are written in. gcc's own order differs between its levels, and
   Zen 4 takes longer for that of level 3. */
{{ kept("in_order", "__asm__ volatile", text) }}
{%- endif %}
{% if "in_place" in text %}

/* gcc has the results of some instructions as bytes or other short numbers, and a word of the state as numbers of 64
   bits. What follows a loop would read the former, so each word had two registers in the loop and was copied. */
{{ kept("in_place", "__asm__", text) }}
{%- endif %}
#endif
{% endif %}
{% endfor %}
{% for b in backends if "cpu_has_vaes" in b.dialect.available %}
{% if loop.first %}

#if defined(__x86_64__)
/* Older compilers do not know the feature's name. */
static inline int cpu_has_vaes(void)
{
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c >> 9 & 1) != 0;
}
#endif
{% endif %}
{% endfor %}
{% for b in backends if b.lanes == 2 %}
{% if loop.first %}
#define each32(low, high) _mm256_broadcastsi128_si256(bytes16(low, high))
#define bytes32(a, b, c, d) _mm256_set_epi64x((long long)(d), (long long)(c), (long long)(b), (long long)(a))
{% endif %}
{% endfor %}
{% for b in backends if b.lanes == 4 %}
{% if loop.first %}
#define each64(low, high) _mm512_broadcast_i32x4(bytes16(low, high))
#define bytes64(a, b, c, d, e, f, g, h)                                                                                \
    _mm512_set_epi64((long long)(h), (long long)(g), (long long)(f), (long long)(e), (long long)(d), (long long)(c),   \
                     (long long)(b), (long long)(a))
/* Of two values: 0 to 3 are lanes of the first. */
#define lanes64(a, b, c, d)                                                                                            \
    _mm512_set_epi64(2 * (d) + 1, 2 * (d), 2 * (c) + 1, 2 * (c), 2 * (b) + 1, 2 * (b), 2 * (a) + 1, 2 * (a))
{% endif %}
{% endfor %}
{% for b in backends if b.name == "aarch64" %}

#ifdef HAS_AARCH64
{% if "bytes16(" in b.functions | join %}
static inline uint8x16_t bytes16(uint64_t low, uint64_t high)
{
    return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
}

{% endif %}
static int aarch64_has_aes(void)
{
#if defined(__linux__) && defined(HWCAP_AES)
    return (getauxval(AT_HWCAP) & HWCAP_AES) != 0;
#elif defined(__APPLE__)
    return 1;
#else
    return 0;
#endif
}
#endif
{% endfor %}
