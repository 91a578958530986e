{% set planes = scalars[0].planes %}
/* Words of 128 bits in bit planes: bit j of every cell stands in unit j. A unit has {{ planes.bits }} bits. */
typedef uint64_t planes __attribute__((vector_size(16)));
typedef uint8_t units8 __attribute__((vector_size(16)));
typedef uint16_t units16 __attribute__((vector_size(16)));
typedef uint32_t units32 __attribute__((vector_size(16)));
typedef uint64_t units64 __attribute__((vector_size(16)));
{% for bits in planes.shifted %}
#define shl{{ bits }}(x, n) ((planes)((units{{ bits }})(x) << (n)))
#define shr{{ bits }}(x, n) ((planes)((units{{ bits }})(x) >> (n)))
{% endfor %}
/* Units of the low or high halves of a and b, one of each after another. */
#if defined(__clang__) || __GNUC__ >= 12
#define units_of(bits, a, b, ...) ((planes)__builtin_shufflevector((units##bits)(a), (units##bits)(b), __VA_ARGS__))
#else
#define units_of(bits, a, b, ...)                                                                                      \
    ((planes)__builtin_shuffle((units##bits)(a), (units##bits)(b), (units##bits){__VA_ARGS__}))
#endif
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
{% for u in planes.units %}
#define {{ u.name }}(a, b) units_of({{ u.bits }}, a, b, {{ u.little | join(", ") }})
{% endfor %}
#else
{% for u in planes.units %}
#define {{ u.name }}(a, b) units_of({{ u.bits }}, a, b, {{ u.big | join(", ") }})
{% endfor %}
#endif

