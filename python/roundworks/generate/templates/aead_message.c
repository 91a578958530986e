/* What a message in increments may be given next. A message that is wiped has ended. */
enum { ENDED, TAKES_AD, SEALS, OPENS };

static void begin({{ name }}_message *m, uint32_t place, const uint8_t *key, const uint8_t *nonce)
{
    memset(m, 0, sizeof *m);
    m->phase = TAKES_AD;
    m->backend = place;
    memcpy(m->key, key, KEY);
    backends[place].start(m->state, key, nonce);
}

static void update_ad({{ name }}_message *m, const uint8_t *ad, size_t ad_bytes)
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

/* The last block of associated data, and what stands between it and the message; then data for `phase`. */
static void end_of_ad({{ name }}_message *m, uint32_t phase)
{
    const backend *b = &backends[m->backend];
    const int padded = m->fill != 0 || (m->ad_bytes ? {{ ad_padding.full | int }} : {{ ad_padding.empty | int }});
    if (padded) {
        pad_ad(m->block, m->fill);
        b->absorb(m->state, m->block, 1);
    }
    b->separate(m->state);
    m->fill = 0;
    m->phase = phase;
}

/* Data of a message that seals or opens. */
static void update({{ name }}_message *m, const uint8_t *in, size_t bytes, uint8_t *out)
{
    const backend *b = &backends[m->backend];
    const int opening = m->phase == OPENS;
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

/* In a frame of its own, which its caller clears: in the caller's there would be places that nobody writes, with what
   earlier calls left there. */
__attribute__((noinline)) static void end({{ name }}_message *m, uint8_t *tag)
{
    const backend *b = &backends[m->backend];
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

/* Whether a message takes data for `phase`, SEALS or OPENS, from now on. */
static int takes({{ name }}_message *m, uint32_t phase)
{
    if (m->phase == TAKES_AD)
        end_of_ad(m, phase);
    return m->phase == phase;
}

/* Zeros if refused: a caller that does not look at the result sends no plaintext, also where it works in place. */
static int update_as({{ name }}_message *m, uint32_t phase, const uint8_t *in, size_t bytes, uint8_t *out)
{
    if (!takes(m, phase)) {
        if (bytes)
            memset(out, 0, bytes);
        return {{ NAME }}_ERROR_STATE;
    }
    update(m, in, bytes, out);
    return {{ NAME }}_OK;
}

void {{ name }}_init({{ name }}_message *m, const uint8_t *key, const uint8_t *nonce)
{
    begin(m, choice(), key, nonce);
}

int {{ name }}_ad_update({{ name }}_message *m, const uint8_t *ad, size_t ad_bytes)
{
    if (m->phase != TAKES_AD)
        return {{ NAME }}_ERROR_STATE;
    update_ad(m, ad, ad_bytes);
    return {{ NAME }}_OK;
}

int {{ name }}_seal_update({{ name }}_message *m, const uint8_t *data, size_t data_bytes, uint8_t *out)
{
    return update_as(m, SEALS, data, data_bytes, out);
}

int {{ name }}_open_update({{ name }}_message *m, const uint8_t *data, size_t data_bytes, uint8_t *out)
{
    return update_as(m, OPENS, data, data_bytes, out);
}

int {{ name }}_seal_final({{ name }}_message *m, uint8_t *tag)
{
    const backend *b = &backends[m->backend];
    if (!takes(m, SEALS)) {
        memset(tag, 0, TAG);
        return {{ NAME }}_ERROR_STATE;
    }
    end(m, tag);
    b->clear_ways();
    return {{ NAME }}_OK;
}

int {{ name }}_open_final({{ name }}_message *m, const uint8_t *tag)
{
    const backend *b = &backends[m->backend];
    uint8_t want[TAG];
    if (!takes(m, OPENS))
        return {{ NAME }}_ERROR_STATE;
    end(m, want);
    const int refused = different(want, tag);
    wipe(want, sizeof want);
    b->clear_ways();
    return refused ? {{ NAME }}_ERROR_TAG : {{ NAME }}_OK;
}

void {{ name }}_abandon({{ name }}_message *m)
{
    const backend *b = &backends[m->backend];
    if (m->phase == ENDED)
        return;
    wipe(m, sizeof *m);
    b->clear_ways();
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
__attribute__((noinline)) static size_t encrypt_ways(uint32_t place, const uint8_t *key, size_t count,
                                                     const uint8_t *nonces, const uint8_t *ad, size_t ad_bytes,
                                                     const uint8_t *data, size_t data_bytes, uint8_t *out,
                                                     uint8_t *tags)
{
    size_t i = 0;
    for (; count - i >= WAYS; i += WAYS) {
        {{ name }}_message m[WAYS];
        uint64_t *states[WAYS];
        const size_t blocks = (data_bytes - KEPT) / RATE, done = blocks * RATE;
        for (size_t j = 0; j < WAYS; j++) {
            begin(&m[j], place, key, nonces + (i + j) * NONCE);
            update_ad(&m[j], ad + (i + j) * ad_bytes, ad_bytes);
            end_of_ad(&m[j], SEALS);
            m[j].data_bytes = done;
            states[j] = m[j].state;
        }
        backends[place].seal_ways(states, out + i * data_bytes, data + i * data_bytes, data_bytes, blocks);
        for (size_t j = 0; j < WAYS; j++) {
            const size_t at = (i + j) * data_bytes + done;
            update(&m[j], data + at, data_bytes - done, out + at);
            end(&m[j], tags + (i + j) * TAG);
        }
    }
    return i;
}

void {{ name }}_encrypt_many(const uint8_t *key, size_t count, const uint8_t *nonces, const uint8_t *ad,
                   {{ past }}size_t ad_bytes, const uint8_t *data, size_t data_bytes, uint8_t *out, uint8_t *tags)
{
    const uint32_t place = choice();
    const backend *b = &backends[place];
    size_t i = 0;
    if (count >= WAYS && data_bytes >= 4 * RATE) {
        i = encrypt_ways(place, key, count, nonces, ad, ad_bytes, data, data_bytes, out, tags);
        b->clear_ways();
    }
    for (; i < count; i++) {
        b->message(key, nonces + i * NONCE, ad + i * ad_bytes, ad_bytes, data + i * data_bytes, data_bytes,
                   out + i * data_bytes, tags + i * TAG, 0);
        b->clear();
    }
}
