/* {{ title }}{% if summary %}: {{ summary }}{% endif %}

 *
 * Made by `roundworks generate` from the description of the permutation; make it again rather than edit it.
 */

#ifndef {{ NAME }}_H
#define {{ NAME }}_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define {{ NAME }}_BLOCKBYTES {{ block }}

/* Every one of `count` blocks becomes its image; `in` may be `out`, or shares no byte with it. */
void {{ name }}_permute(uint8_t *out, const uint8_t *in, size_t count);

/* Back ends: the fastest that this CPU has is used unless another is chosen, for the whole process.
 * A name is NULL past the last; choosing returns 0, or -1 where this CPU or file lacks it. Any thread
 * may choose at any time: calls under way keep their back end. */
const char *{{ name }}_backend_name(size_t index);
const char *{{ name }}_backend(void);
int {{ name }}_choose_backend(const char *wanted);

#ifdef __cplusplus
}
#endif
#endif
