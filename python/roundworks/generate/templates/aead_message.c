void {{ name }}_init({{ name }}_message *m, const uint8_t *key, const uint8_t *nonce)
{
    memset(m, 0, sizeof *m);
    m->backend = choice();
    memcpy(m->key, key, KEY);
    backends[m->backend].start(m->state, key, nonce);
}

void {{ name }}_ad_update({{ name }}_message *m, const uint8_t *ad, size_t ad_bytes)
{
    const backend *b = &backends[m->backend];
    m->ad_bytes += ad_bytes;
    while (ad_bytes) {
        size_t taken;
        if (m->fill == 0 && ad_bytes >= RATE) {
            taken = ad_bytes / RATE * RATE;
            b->absorb(m->state, ad, ad_bytes / RATE);
        } else {
            taken = RATE - m->fill < ad_bytes ? RATE - m->fill : ad_bytes;
            memcpy(m->block + m->fill, ad, taken);
            m->fill += (uint32_t)taken;
            if (m->fill == RATE) {
                b->absorb(m->state, m->block, 1);
                m->fill = 0;
            }
        }
        ad += taken;
        ad_bytes -= taken;
    }
}

/* The last block of associated data, and what stands between it and the message. */
static void end_of_ad({{ name }}_message *m)
{
    const backend *b = &backends[m->backend];
    const int padded = m->fill != 0 || (m->ad_bytes ? {{ ad_padding.full | int }} : {{ ad_padding.empty | int }});
    if (padded) {
        pad_ad(m->block, m->fill);
        b->absorb(m->state, m->block, 1);
    }
    b->separate(m->state);
    m->fill = 0;
    m->in_data = 1;
}

static void update({{ name }}_message *m, const uint8_t *in, size_t bytes, uint8_t *out, int opening)
{
    const backend *b = &backends[m->backend];
    if (!m->in_data)
        end_of_ad(m);
    m->data_bytes += bytes;
    if (bytes && m->fill == RATE) {
        b->take(m->state, m->block);
        m->fill = 0;
    }
    while (bytes) {
        size_t taken = 0;
        if (m->fill == 0) {
            const size_t blocks = (bytes - KEPT) / RATE;
            if (blocks) {
                (opening ? b->open : b->seal)(m->state, out, in, blocks);
                taken = blocks * RATE;
            } else {
                b->stream(m->state, m->stream);
            }
        }
        if (!taken) {
            taken = RATE - m->fill < bytes ? RATE - m->fill : bytes;
            for (size_t i = 0; i < taken; i++) {
                const uint8_t got = in[i], made = (uint8_t)(got ^ m->stream[m->fill + i]);
                m->block[m->fill + i] = opening ? made : got;
                out[i] = made;
            }
            m->fill += (uint32_t)taken;
            if (m->fill == RATE && (!KEPT || bytes > taken)) {
                b->take(m->state, m->block);
                m->fill = 0;
            }
        }
        in += taken;
        out += taken;
        bytes -= taken;
    }
}

static void end({{ name }}_message *m, uint8_t *tag)
{
    const backend *b = &backends[m->backend];
    if (!m->in_data)
        end_of_ad(m);
    if (m->fill != 0 || (m->data_bytes ? {{ padding.full | int }} : {{ padding.empty | int }})) {
        if (m->fill < RATE)
            pad_data(m->block, m->fill);
        b->last(m->state, m->block);
    }
{% if lengths %}
    uint8_t lengths[{{ lengths | length }} * WORD];
    encode(lengths, 8 * m->ad_bytes, 8 * m->data_bytes);
    b->finish(m->state, m->key, lengths, tag);
{% else %}
    b->finish(m->state, m->key, NULL, tag);
{% endif %}
    wipe(m, sizeof *m);
}

/* 0 for equal tags, in a time that does not depend on them. */
static int different(const uint8_t *a, const uint8_t *b)
{
    uint8_t bits = 0;
    for (int i = 0; i < TAG; i++)
        bits = (uint8_t)(bits | (a[i] ^ b[i]));
    int refused = bits != 0;
    /* Or the bits themselves would be kept until the comparison. */
    __asm__ volatile("" : "+r"(refused));
    return refused;
}

void {{ name }}_seal_update({{ name }}_message *m, const uint8_t *data, size_t data_bytes, uint8_t *out)
{
    update(m, data, data_bytes, out, 0);
}

void {{ name }}_open_update({{ name }}_message *m, const uint8_t *data, size_t data_bytes, uint8_t *out)
{
    update(m, data, data_bytes, out, 1);
}

void {{ name }}_seal_final({{ name }}_message *m, uint8_t *tag)
{
    const backend *b = &backends[m->backend];
    end(m, tag);
    b->clear();
}

int {{ name }}_open_final({{ name }}_message *m, const uint8_t *tag)
{
    const backend *b = &backends[m->backend];
    uint8_t want[TAG];
    end(m, want);
    const int refused = different(want, tag);
    wipe(want, sizeof want);
    b->clear();
    return refused ? {{ NAME }}_ERROR_TAG : {{ NAME }}_OK;
}

void {{ name }}_encrypt_detached(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_bytes,
                       {{ past }}const uint8_t *data, size_t data_bytes, uint8_t *out, uint8_t *tag)
{
    const backend *b = &backends[choice()];
    b->message(key, nonce, ad, ad_bytes, data, data_bytes, out, tag, 0);
    b->clear();
}

int {{ name }}_decrypt_detached(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_bytes,
                      {{ past }}const uint8_t *data, size_t data_bytes, const uint8_t *tag, uint8_t *out)
{
    uint8_t want[TAG];
    const backend *b = &backends[choice()];
    b->message(key, nonce, ad, ad_bytes, data, data_bytes, out, want, 1);
    const int refused = different(want, tag);
    wipe(want, sizeof want);
    if (refused && data_bytes)
        memset(out, 0, data_bytes);
    b->clear();
    return refused ? {{ NAME }}_ERROR_TAG : {{ NAME }}_OK;
}

/* Messages WAYS at a time; how many are done. What this leaves on the stack its caller clears. */
__attribute__((noinline)) static size_t encrypt_ways(const uint8_t *key, size_t count, const uint8_t *nonces, const uint8_t *ad,
                                                     size_t ad_bytes, const uint8_t *data, size_t data_bytes, uint8_t *out, uint8_t *tags)
{
    size_t i = 0;
    for (; count - i >= WAYS; i += WAYS) {
        {{ name }}_message m[WAYS];
        uint64_t *states[WAYS];
        const size_t blocks = (data_bytes - KEPT) / RATE, done = blocks * RATE;
        for (size_t j = 0; j < WAYS; j++) {
            {{ name }}_init(&m[j], key, nonces + (i + j) * NONCE);
            {{ name }}_ad_update(&m[j], ad + (i + j) * ad_bytes, ad_bytes);
            end_of_ad(&m[j]);
            m[j].data_bytes = done;
            states[j] = m[j].state;
        }
        backends[m[0].backend].seal_ways(states, out + i * data_bytes, data + i * data_bytes, data_bytes, blocks);
        for (size_t j = 0; j < WAYS; j++) {
            const size_t at = (i + j) * data_bytes + done;
            update(&m[j], data + at, data_bytes - done, out + at, 0);
            end(&m[j], tags + (i + j) * TAG);
        }
    }
    return i;
}

void {{ name }}_encrypt_many(const uint8_t *key, size_t count, const uint8_t *nonces, const uint8_t *ad,
                   {{ past }}size_t ad_bytes, const uint8_t *data, size_t data_bytes, uint8_t *out, uint8_t *tags)
{
    size_t i = 0;
    if (count >= WAYS && data_bytes >= 4 * RATE) {
        i = encrypt_ways(key, count, nonces, ad, ad_bytes, data, data_bytes, out, tags);
        backends[choice()].clear_ways();
    }
    for (; i < count; i++)
        {{ name }}_encrypt_detached(key, nonces + i * NONCE, ad + i * ad_bytes, ad_bytes, data + i * data_bytes,
                          {{ past }}data_bytes, out + i * data_bytes, tags + i * TAG);
}
