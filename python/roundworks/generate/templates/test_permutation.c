/* {{ title }}: the vectors of its description on every back end that this CPU has, one by one and
 * together, and in place. */

#include "{{ name }}.h"
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = sizeof vectors / sizeof vectors[0], BYTES = COUNT * {{ NAME }}_BLOCKBYTES };

static void unhex(const char *text, uint8_t *out)
{
    for (size_t i = 0; i < {{ NAME }}_BLOCKBYTES; i++) {
        unsigned byte = 0;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1)
            abort();
        out[i] = (uint8_t)byte;
    }
}

int main(void)
{
    static uint8_t in[BYTES], want[BYTES], out[BYTES];
    int failures = 0, found = 0;
    for (size_t v = 0; v < COUNT; v++) {
        unhex(vectors[v][0], in + v * {{ NAME }}_BLOCKBYTES);
        unhex(vectors[v][1], want + v * {{ NAME }}_BLOCKBYTES);
    }
    for (size_t i = 0; {{ name }}_backend_name(i) != NULL; i++) {
        const char *backend = {{ name }}_backend_name(i);
        if ({{ name }}_choose_backend(backend) != 0) {
            printf("%s: skipped, this CPU lacks it\n", backend);
            continue;
        }
        for (size_t count = 1; count <= COUNT; count++) {
            memset(out, 0, sizeof out);
            {{ name }}_permute(out, in, count);
            int wrong = memcmp(out, want, count * {{ NAME }}_BLOCKBYTES) != 0;
            memcpy(out, in, sizeof out);
            {{ name }}_permute(out, out, count);
            wrong |= memcmp(out, want, count * {{ NAME }}_BLOCKBYTES) != 0;
            if (wrong)
                printf("%s: %zu blocks: other bytes\n", backend, count);
            failures += wrong;
        }
        printf("%s: %d vectors\n", backend, COUNT);
        found++;
    }
    return failures || !found ? 1 : 0;
}
