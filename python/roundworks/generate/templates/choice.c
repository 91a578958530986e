enum { BACKENDS = sizeof backends / sizeof backends[0] };

/* Its place plus one; 0 until it is known. Two threads that look at once find the same. */
static volatile uint32_t chosen;

static uint32_t choice(void)
{
    uint32_t result = chosen;
    if (result == 0) {
        for (uint32_t i = 0; i < BACKENDS; i++)
            if (backends[i].available())
                result = i + 1;
        chosen = result;
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
            chosen = i + 1;
            return 0;
        }
    return -1;
}
