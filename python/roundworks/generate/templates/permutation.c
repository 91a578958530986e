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
{% set inlined = b.dialect.always_inlined + " " if target else "" %}
{% set B = b.name %}
{% set P = b.parts %}

/* -- {{ B }} {{ "-" * (88 - B | length) }} */
{% if b.dialect.guard != "1" %}
#ifdef HAS_{{ B | upper }}
{% endif %}
{% for f in b.slices %}
{{ f }}

{% endfor %}
{% include "blocks_wide.c" if b.lanes > 1 else "words.c" %}
{% for f in b.functions %}
{{ f }}

{% endfor %}
{% for f in b.pairs %}
{{ f }}

{% endfor %}
{% set group = "BLOCK" if b.lanes == 1 else b.lanes ~ " * BLOCK" %}
{% macro permute(name, count, together=1) %}
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
    {{ T }} s[{{ count }}][{{ together * b.words }}];
{% if count > 1 %}
#pragma GCC unroll {{ count }}
{% endif %}
    for (int j = 0; j < {{ count }}; j++)
        {{ "blocks" if b.lanes > 1 else "words" }}_{{ B }}(s[j], in + j * {{ group }}{{ "" if b.lanes > 1 else ", BLOCK" if together == 1 else ", %d * BLOCK" % together }});
{% for r in b.runs %}
{% set indent = "    " if r.times > 1 else "" %}
{% if r.times > 1 %}
    for (int i = 0; i < {{ r.times }}; i++) {
{% endif %}
{% if r.table %}
    {{ indent }}{{ T }} c_{{ loop.index }}[{{ r.constants }}];
    {{ indent }}{{ "constants_" ~ B if b.lanes > 1 else "memcpy" }}(c_{{ loop.index }}, {{ r.name }}_constants[{{ "i" if r.times > 1 else "0" }}], {{ r.constants if b.lanes > 1 else "sizeof c_" ~ loop.index }});
{% endif %}
{% if count > 1 %}
#pragma GCC unroll {{ count }}
{% endif %}
    {{ indent }}for (int j = 0; j < {{ count }}; j++)
        {{ indent }}{{ r.name ~ "_many" if together > 1 else r.alone if count == 1 else r.name }}_{{ B }}(s[j]{% if r.table %}, c_{{ loop.index }}{% endif %});
{% if r.times > 1 %}
    }
{% endif %}
{% endfor %}
{% if count > 1 %}
#pragma GCC unroll {{ count }}
{% endif %}
    for (int j = 0; j < {{ count }}; j++)
        {{ "unblocks" if b.lanes > 1 else "bytes" }}_{{ B }}(out + j * {{ group }}, s[j]{{ "" if b.lanes > 1 else ", " ~ together * cipher.words }});
}
{% endmacro %}
{{ permute("one", 1) }}
{% if b.groups > 1 %}
/* {{ b.blocks }} blocks, interleaved; unrolled at every level of optimisation, so that they stay in registers. */
{{ permute("several", b.groups) }}
{% endif %}
{% if b.together > 1 %}
/* {{ b.together }} blocks, whose words are made planes together. */
{{ permute("several", 1, b.together) }}
{% endif %}
{% if b.pairs %}
/* Two blocks, each value of both. */
static void two_{{ B }}(uint8_t *out, const uint8_t *in)
{
{% for r in b.runs if r.table %}
    static const uint64_t {{ r.name }}_constants[{{ r.times }}][{{ r.row }}] = {
{% for t in range(r.times) %}
        { {{ r.table[t * r.row : (t + 1) * r.row] | join(", ") }} },
{% endfor %}
    };
{% endfor %}
    uint64_t first[{{ b.words }}], second[{{ b.words }}];
    pair s[{{ b.words }}];
    words_{{ B }}(first, in, BLOCK);
    words_{{ B }}(second, in + BLOCK, BLOCK);
    for (int i = 0; i < {{ b.words }}; i++)
        s[i] = (pair){first[i], second[i]};
{% for r in b.runs %}
    for (int i = 0; i < {{ r.times }}; i++) {
{% if r.table %}
        pair c[{{ r.constants }}];
        for (int k = 0; k < {{ r.constants }}; k++)
            c[k] = each({{ r.name }}_constants[i][k]);
{% endif %}
        {{ r.name }}_pair_{{ B }}(s{% if r.table %}, c{% endif %});
    }
{% endfor %}
    for (int i = 0; i < {{ b.words }}; i++) {
        first[i] = s[i][0];
        second[i] = s[i][1];
    }
    bytes_{{ B }}(out, first, {{ cipher.words }});
    bytes_{{ B }}(out + BLOCK, second, {{ cipher.words }});
}
{% endif %}
{{ target }}static void all_{{ B }}(uint8_t *out, const uint8_t *in, size_t count)
{
{% if b.groups > 1 %}
    for (; count >= {{ b.blocks }}; count -= {{ b.blocks }}, in += {{ b.blocks }} * BLOCK, out += {{ b.blocks }} * BLOCK)
        several_{{ B }}(out, in);
{% endif %}
{% if b.together > 1 %}
    for (; count >= {{ b.together }}; count -= {{ b.together }}, in += {{ b.together }} * BLOCK, out += {{ b.together }} * BLOCK)
        several_{{ B }}(out, in);
{% endif %}
{% if b.pairs %}
    for (; count >= 2; count -= 2, in += 2 * BLOCK, out += 2 * BLOCK)
        two_{{ B }}(out, in);
{% endif %}
{% if b.lanes == 1 %}
    for (; count; count--, in += BLOCK, out += BLOCK)
        one_{{ B }}(out, in);
{% else %}
    for (; count >= {{ b.lanes }}; count -= {{ b.lanes }}, in += {{ group }}, out += {{ group }})
        one_{{ B }}(out, in);
{% if b.narrow %}
    all_{{ b.narrow }}(out, in, count);
{% else %}
    if (count) {
        uint8_t whole[{{ group }}] = {0};
        memcpy(whole, in, count * BLOCK);
        one_{{ B }}(whole, whole);
        memcpy(out, whole, count * BLOCK);
    }
{% endif %}
{% endif %}
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
