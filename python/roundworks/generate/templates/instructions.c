{% for b in backends if b.dialect.guard != "1" %}
#if {{ b.dialect.guard }}
#define HAS_{{ b.name | upper }}
#endif
{% endfor %}
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif
#if defined(__clang__)
#define AARCH64_AES __attribute__((target("aes")))
#else
#define AARCH64_AES __attribute__((target("+crypto")))
#endif
#endif

