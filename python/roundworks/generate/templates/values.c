{% if backends | selectattr("bits", "equalto", 64) | list %}

static inline uint64_t rotl(uint64_t x, int n)
{
    return x << n | x >> (64 - n);
}

/* `n` bytes, at most 8, as a number{{ "" if (backends | selectattr("bits", "equalto", 64) | first).order == "big" else ", the lowest first" }}. */
static inline uint64_t load(const uint8_t *p, int n)
{
    uint64_t x = 0;
    for (int i = 0; i < n; i++)
{% if (backends | selectattr("bits", "equalto", 64) | first).order == "big" %}
        x = x << 8 | p[i];
{% else %}
        x |= (uint64_t)p[i] << 8 * i;
{% endif %}
    return x;
}

static inline void store(uint8_t *p, uint64_t x, int n)
{
    for (int i = 0; i < n; i++)
{% if (backends | selectattr("bits", "equalto", 64) | first).order == "big" %}
        p[i] = (uint8_t)(x >> 8 * (n - 1 - i));
{% else %}
        p[i] = (uint8_t)(x >> 8 * i);
{% endif %}
}
{% endif %}
{% for b in backends if b.name in ("aesni", "gfni") %}
{% if loop.first %}

#if defined(__x86_64__)
static inline __m128i bytes16(uint64_t low, uint64_t high)
{
    return _mm_set_epi64x((long long)high, (long long)low);
}
#endif
{% endif %}
{% endfor %}
{% for b in backends if b.name == "aarch64" %}

#if defined(__aarch64__)
static inline uint8x16_t bytes16(uint64_t low, uint64_t high)
{
    return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
}

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
