enum { BACKENDS = sizeof backends / sizeof backends[0] };

/* Places plus one: of the back end that was chosen, and of the fastest that this CPU has; 0 until there is one. Atomic,
   since any thread may choose while others compute; two that look for the fastest at once find the same. Two numbers,
   so that the search never overwrites a choice. A call reads them once, so that it has one back end throughout. */
static uint32_t chosen, fastest;

static uint32_t choice(void)
{
    uint32_t result = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
    if (result == 0)
        result = __atomic_load_n(&fastest, __ATOMIC_RELAXED);
    if (result == 0) {
        for (uint32_t i = 0; i < BACKENDS; i++)
            if (backends[i].available())
                result = i + 1;
        if (result == 0)
            __builtin_trap(); /* made without `portable`, for other CPUs */
        __atomic_store_n(&fastest, result, __ATOMIC_RELAXED);
    }
    return result - 1;
}

const char *{{ name }}_backend_name(size_t index)
{
    return index < BACKENDS ? backends[index].name : NULL;
}

const char *{{ name }}_backend(void)
{
    return backends[choice()].name;
}

int {{ name }}_choose_backend(const char *wanted)
{
    for (uint32_t i = 0; i < BACKENDS; i++)
        if (strcmp(backends[i].name, wanted) == 0 && backends[i].available()) {
            __atomic_store_n(&chosen, i + 1, __ATOMIC_RELAXED);
            return 0;
        }
    return -1;
}
