{% macro clearing(name, size, optimised) %}
{{ target }}__attribute__((noinline)) static void {{ name }}_{{ B }}(void)
{
{% if B == "portable" %}
    uint64_t stack[{{ size }} / sizeof(uint64_t)];
    wipe(stack, sizeof stack);
{% else %}
{% if optimised < size %}
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
    /* Arrays are in registers. */
    {{ b.dialect.widest }} stack[{{ optimised }} / sizeof({{ b.dialect.widest }})];
#else
    {{ b.dialect.widest }} stack[{{ size }} / sizeof({{ b.dialect.widest }})];
#endif
{% else %}
    {{ b.dialect.widest }} stack[{{ size }} / sizeof({{ b.dialect.widest }})];
{% endif %}
    const {{ b.dialect.widest }} zero = {0};
    /* A compiler would call memset, which takes longer than a short message. */
    for (size_t i = 0; i < sizeof stack / sizeof stack[0]; i++)
        *(volatile {{ b.dialect.widest }} *)&stack[i] = zero;
{% endif %}
    CLEAR_{{ b.dialect.registers | upper }};
}
{%- endmacro %}
/* What a message left below its caller: its arrays, and what registers had no place for; then what is in registers. */
{{ clearing("clear", b.stack, b.optimised_stack) }}

/* The same of WAYS messages at a time, and of one in increments, whose functions call others. */
{{ clearing("clear_ways", b.ways_stack, b.ways_stack) }}
