/* {{ title }}{% if summary %}: {{ summary }}{% endif %}

 *
 * Made by `roundworks generate` from the description of the permutation; make it again rather than edit it.
 * Above a group of operations stands the line of the description that they compute. Nothing is looked
 * up in memory by a secret, and no branch depends on one.
 */

#include "{{ name }}.h"

#include <string.h>

{% include "instructions.c" %}

enum { BLOCK = {{ block }}, WORD = {{ word }} };
{% include "values.c" %}
{% for b in backends %}
{% set T = b.dialect.type %}
{% set target = b.dialect.target + " " if b.dialect.target else "" %}
{% set B = b.name %}
{% set P = b.parts %}

/* -- {{ B }} {{ "-" * (88 - B | length) }} */
{% if b.dialect.guard != "1" %}
#ifdef HAS_{{ B | upper }}
{% endif %}
{% include "words.c" %}
{% for f in b.functions %}
{{ f }}

{% endfor %}
{% macro permute(name, count) %}
{{ target }}static void {{ name }}_{{ B }}(uint8_t *out, const uint8_t *in)
{
{% for r in b.runs if r.table %}
    /* Constants of the {{ r.times }} rounds. */
    static const uint64_t {{ r.name }}_constants[{{ r.times }}][{{ r.row }}] = {
{% for t in range(r.times) %}
        { {{ r.table[t * r.row : (t + 1) * r.row] | join(", ") }} },
{% endfor %}
    };
{% endfor %}
    {{ T }} s[{{ count }}][{{ b.words }}];
    for (int j = 0; j < {{ count }}; j++)
        words_{{ B }}(s[j], in + j * BLOCK, BLOCK);
{% for r in b.runs %}
{% set indent = "    " if r.times > 1 else "" %}
{% if r.times > 1 %}
    for (int i = 0; i < {{ r.times }}; i++) {
{% endif %}
{% if r.table %}
    {{ indent }}{{ T }} c_{{ loop.index }}[{{ r.constants }}];
    {{ indent }}memcpy(c_{{ loop.index }}, {{ r.name }}_constants[{{ "i" if r.times > 1 else "0" }}], sizeof c_{{ loop.index }});
{% endif %}
    {{ indent }}for (int j = 0; j < {{ count }}; j++)
        {{ indent }}{{ r.name }}_{{ B }}(s[j]{% if r.table %}, c_{{ loop.index }}{% endif %});
{% if r.times > 1 %}
    }
{% endif %}
{% endfor %}
    for (int j = 0; j < {{ count }}; j++)
        bytes_{{ B }}(out + j * BLOCK, s[j], {{ cipher.words }});
}
{% endmacro %}
{{ permute("one", 1) }}
{% if b.blocks > 1 %}
/* {{ b.blocks }} blocks, interleaved. */
{{ permute("several", b.blocks) }}
{% endif %}
{{ target }}static void all_{{ B }}(uint8_t *out, const uint8_t *in, size_t count)
{
{% if b.blocks > 1 %}
    for (; count >= {{ b.blocks }}; count -= {{ b.blocks }}, in += {{ b.blocks }} * BLOCK, out += {{ b.blocks }} * BLOCK)
        several_{{ B }}(out, in);
{% endif %}
    for (; count; count--, in += BLOCK, out += BLOCK)
        one_{{ B }}(out, in);
}
{% if b.dialect.guard != "1" %}

static int has_{{ B }}(void)
{
    return {{ b.dialect.available }};
}
#endif
{% else %}

static int has_{{ B }}(void)
{
    return 1;
}
{% endif %}
{% endfor %}

/* -- back ends -------------------------------------------------------------------------------- */
typedef struct {
    const char *name;
    int (*available)(void);
    void (*all)(uint8_t *out, const uint8_t *in, size_t count);
} backend;

/* Slowest first. */
static const backend backends[] = {
{% for b in backends %}
{% if b.dialect.guard != "1" %}
#ifdef HAS_{{ b.name | upper }}
{% endif %}
    {"{{ b.name }}", has_{{ b.name }}, all_{{ b.name }}},
{% if b.dialect.guard != "1" %}
#endif
{% endif %}
{% endfor %}
};
{% include "choice.c" %}

void {{ name }}_permute(uint8_t *out, const uint8_t *in, size_t count)
{
    backends[choice()].all(out, in, count);
}
