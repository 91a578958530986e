/* -- registers after use ---------------------------------------------------------------------- */
/* A call leaves there what it computed with, until another needs them. None of those that a function has to keep
   is cleared: it restored what its caller had there. */
#define CLEAR(each, names) ".irp r, " names "\n" each "\n.endr\n"
#if defined(__x86_64__)
#define FIRST_16 "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15"
#define LAST_16 "16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31"
#define GENERAL CLEAR("xorl %%\\r, %%\\r", "eax, ecx, edx, esi, edi, r8d, r9d, r10d, r11d")
#define CHANGED                                                                                                     \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",      \
        "xmm13", "xmm14", "xmm15", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc"
#define CHANGED_512                                                                                                 \
    CHANGED, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26",     \
        "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#define CLEAR_SSE __asm__ volatile(CLEAR("pxor %%xmm\\r, %%xmm\\r", FIRST_16) GENERAL : : : CHANGED)
#if !defined(__AVX512F__)
#define CLEAR_AVX __asm__ volatile(CLEAR("vpxor %%xmm\\r, %%xmm\\r, %%xmm\\r", FIRST_16) GENERAL : : : CHANGED)
#else
#define CLEAR_AVX CLEAR_AVX512
#endif
#define CLEAR_AVX512                                                                                                \
    __asm__ volatile(CLEAR("vpxor %%xmm\\r, %%xmm\\r, %%xmm\\r", FIRST_16)                                         \
                     CLEAR("vpxord %%zmm\\r, %%zmm\\r, %%zmm\\r", LAST_16)                                         \
                     CLEAR("kxorw %%k\\r, %%k\\r, %%k\\r", "0, 1, 2, 3, 4, 5, 6, 7") GENERAL                       \
                     : : : CHANGED_512)
#elif defined(__aarch64__)
#define CLEAR_NEON                                                                                                  \
    __asm__ volatile(CLEAR("movi v\\r\\().2d, #0", "0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, "    \
                           "25, 26, 27, 28, 29, 30, 31")                                                            \
                     CLEAR("mov x\\r, xzr", "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17")         \
                     : : : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", \
                     "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "x0", "x1", "x2", "x3",  \
                     "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17")
#endif
/* By what the whole file is compiled for. */
#if defined(__AVX512F__)
#define CLEAR_ANY CLEAR_AVX512
#elif defined(__AVX__)
#define CLEAR_ANY CLEAR_AVX
#elif defined(__x86_64__) && defined(__SSE2__)
#define CLEAR_ANY CLEAR_SSE
#elif defined(__aarch64__)
#define CLEAR_ANY CLEAR_NEON
#else
#define CLEAR_ANY (void)0
#endif
