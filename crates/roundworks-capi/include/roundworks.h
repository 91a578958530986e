/* Roundworks: authenticated ciphers built on AES-like rounds.
 *
 * Made by cbindgen from crates/roundworks-capi; do not edit (make header).
 *
 * Arguments stand everywhere in the order key, nonce, associated data, data, tag. Sizes are in
 * bytes. A pointer may be NULL where its size is 0. Output may begin where the input begins, or
 * not touch it. Every function that returns int returns ROUNDWORKS_OK or one of the negative
 * ROUNDWORKS_ERROR codes; roundworks_error_text() says in one line what was wrong in this thread's
 * last call. Of the NULL that a failed ..._new() returns, a function that returns a size says 0, and
 * one that returns a name or memory NULL.
 *
 * A nonce must never serve twice under one key. What a decryption refuses is filled with zeros: no
 * function that opens a whole message leaves unverified plaintext. Of a message that is opened in
 * pieces the output holds unverified plaintext from roundworks_opening_update() on, and must not be
 * read before roundworks_opening_finish() has returned ROUNDWORKS_OK.
 *
 * On a GPU, roundworks_gpu_*: Minalpher, AES-128/256-GCM, AEGIS-128L, Rocca-S and AETHER, with the
 * codes, lines and messages of the CPU. roundworks_gpu_new() opens a device and loads its machine
 * code; NVIDIA's driver is found then, so nothing of it is linked. A roundworks_gpu_cipher is a key
 * there. Messages of host memory are copied for the caller, one or many at once. Messages that are
 * on the device already are work of the caller's stream: sealing returns before it is done, opening
 * one message waits, since its code is the answer, and opening rows leaves a verdict for each. Tags
 * are compared in constant time, and no plaintext is written before, on the device too. Scratch
 * memory is the stream's, from a pool of the library's own, and is wiped there before it goes back;
 * the pool keeps it for the next call unless roundworks_gpu_keep_bytes() says otherwise.
 */

#ifndef ROUNDWORKS_H
#define ROUNDWORKS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ROUNDWORKS_MUST_USE __attribute__((warn_unused_result))
#else
#define ROUNDWORKS_MUST_USE
#endif

/**
 * Bytes of a key.
 */
#define ROUNDWORKS_AETHER_KEY_BYTES 32

/**
 * Bytes of a nonce.
 */
#define ROUNDWORKS_AETHER_NONCE_BYTES 16

/**
 * Bytes of a key.
 */
#define ROUNDWORKS_AETHER_LB_KEY_BYTES 32

/**
 * Bytes of a nonce.
 */
#define ROUNDWORKS_AETHER_LB_NONCE_BYTES 16

/**
 * Bytes of a key.
 */
#define ROUNDWORKS_AEGIS128_KEY_BYTES 16

/**
 * Bytes of a nonce.
 */
#define ROUNDWORKS_AEGIS128_NONCE_BYTES 16

/**
 * Bytes of a key.
 */
#define ROUNDWORKS_AEGIS128L_KEY_BYTES 16

/**
 * Bytes of a nonce.
 */
#define ROUNDWORKS_AEGIS128L_NONCE_BYTES 16

/**
 * Bytes of a key.
 */
#define ROUNDWORKS_AEGIS128X2_KEY_BYTES 16

/**
 * Bytes of a nonce.
 */
#define ROUNDWORKS_AEGIS128X2_NONCE_BYTES 16

/**
 * Bytes of a key.
 */
#define ROUNDWORKS_AEGIS128X4_KEY_BYTES 16

/**
 * Bytes of a nonce.
 */
#define ROUNDWORKS_AEGIS128X4_NONCE_BYTES 16

/**
 * Bytes of a key.
 */
#define ROUNDWORKS_AEGIS256_KEY_BYTES 32

/**
 * Bytes of a nonce.
 */
#define ROUNDWORKS_AEGIS256_NONCE_BYTES 32

/**
 * Bytes of a key.
 */
#define ROUNDWORKS_AEGIS256X2_KEY_BYTES 32

/**
 * Bytes of a nonce.
 */
#define ROUNDWORKS_AEGIS256X2_NONCE_BYTES 32

/**
 * Bytes of a key.
 */
#define ROUNDWORKS_AEGIS256X4_KEY_BYTES 32

/**
 * Bytes of a nonce.
 */
#define ROUNDWORKS_AEGIS256X4_NONCE_BYTES 32

/**
 * Bytes of a key.
 */
#define ROUNDWORKS_AREION256_OPP_KEY_BYTES 16

/**
 * Bytes of a nonce.
 */
#define ROUNDWORKS_AREION256_OPP_NONCE_BYTES 16

/**
 * Bytes of a key.
 */
#define ROUNDWORKS_AREION512_OPP_KEY_BYTES 16

/**
 * Bytes of a nonce.
 */
#define ROUNDWORKS_AREION512_OPP_NONCE_BYTES 16

/**
 * Bytes of a key.
 */
#define ROUNDWORKS_ROCCA_S_KEY_BYTES 32

/**
 * Bytes of a nonce.
 */
#define ROUNDWORKS_ROCCA_S_NONCE_BYTES 16

/**
 * All went well.
 */
#define ROUNDWORKS_OK 0

/**
 * Not authentic; the output is all zero.
 */
#define ROUNDWORKS_ERROR_TAG -1

/**
 * A size is wrong; nothing was written.
 */
#define ROUNDWORKS_ERROR_LENGTH -2

/**
 * NULL where bytes are wanted, buffers that overlap, or text that is not UTF-8; nothing was
 * written.
 */
#define ROUNDWORKS_ERROR_ARGUMENT -3

/**
 * No such cipher, size of tag, back end or GPU here; nothing was written.
 */
#define ROUNDWORKS_ERROR_UNAVAILABLE -4

/**
 * The GPU has too little memory; the output is not to be used, of an opening it is all zero.
 */
#define ROUNDWORKS_ERROR_MEMORY -5

/**
 * The GPU's driver refused a call; the output is not to be used, of an opening it is all zero.
 */
#define ROUNDWORKS_ERROR_DRIVER -6

/**
 * Bytes of a key.
 */
#define ROUNDWORKS_MINALPHER_KEY_BYTES 16

/**
 * Bytes of a nonce.
 */
#define ROUNDWORKS_MINALPHER_NONCE_BYTES 13

/**
 * Bytes of a tag.
 */
#define ROUNDWORKS_MINALPHER_TAG_BYTES 16

/**
 * A cipher with its key.
 */
typedef struct roundworks_cipher roundworks_cipher;

/**
 * A GPU of this machine, with the machine code of its ciphers.
 */
typedef struct roundworks_gpu roundworks_gpu;

/**
 * A cipher with its key on a GPU. Threads may share it.
 */
typedef struct roundworks_gpu_cipher roundworks_gpu_cipher;

/**
 * Pinned host memory: a long message in it is copied beside the work, without a buffer in between.
 */
typedef struct roundworks_gpu_pinned roundworks_gpu_pinned;

/**
 * A hash function of one block, of 32 or of 64 bytes, to 32.
 */
typedef struct roundworks_hash roundworks_hash;

/**
 * A message on its way to be opened. It writes unverified plaintext to its output all the time, and
 * the caller must not read there before `roundworks_opening_finish` has returned ROUNDWORKS_OK.
 */
typedef struct roundworks_opening roundworks_opening;

/**
 * A permutation of 32 or of 64 bytes.
 */
typedef struct roundworks_permutation roundworks_permutation;

/**
 * A message on its way to be sealed.
 */
typedef struct roundworks_sealing roundworks_sealing;

/**
 * One of many messages under a key. Its output has the size that `roundworks_sealed_bytes` or
 * `roundworks_opened_bytes` gives for `data_bytes`, and shares no byte with anything.
 */
typedef struct roundworks_message {
  /**
   * Of the cipher's size.
   */
  const uint8_t *nonce;
  /**
   * Associated data.
   */
  const uint8_t *ad;
  /**
   * Its size.
   */
  size_t ad_bytes;
  /**
   * What is sealed or opened.
   */
  const uint8_t *data;
  /**
   * Its size.
   */
  size_t data_bytes;
  /**
   * Where the result goes.
   */
  uint8_t *out;
  /**
   * Its size.
   */
  size_t out_bytes;
  /**
   * Set by `roundworks_open_many`: how many bytes of `out` are the data. Less than `out_bytes`
   * if the cipher pads, 0 if the message was refused.
   */
  size_t opened_bytes;
  /**
   * Set by `roundworks_open_many`: ROUNDWORKS_OK if this message was opened.
   */
  int result;
} roundworks_message;

/**
 * One message in the memory of a GPU. Addresses are each a `CUdeviceptr`, a multiple of 16. Memory
 * is there up to a multiple of 32 bytes of Minalpher, of 16 of the others: what is behind an input's
 * end may be read, and what is behind the output's end is written.
 */
typedef struct roundworks_gpu_message {
  /**
   * Associated data.
   */
  uint64_t ad;
  /**
   * Its size.
   */
  size_t ad_bytes;
  /**
   * What is sealed, or a ciphertext without its tag.
   */
  uint64_t data;
  /**
   * Its size.
   */
  size_t data_bytes;
  /**
   * Where the other goes; it may be `data`, but not of Minalpher, and shares no byte with anything
   * else.
   */
  uint64_t out;
  /**
   * Of the cipher's size, written by sealing.
   */
  uint64_t tag;
} roundworks_gpu_message;

/**
 * Messages of one size in the memory of a GPU, but not of Minalpher. A row begins at the next
 * multiple of 16 bytes; else as in `roundworks_gpu_message`.
 */
typedef struct roundworks_gpu_rows {
  /**
   * How many messages.
   */
  size_t count;
  /**
   * Of the cipher's size each, close together.
   */
  uint64_t nonces;
  /**
   * Rows of associated data.
   */
  uint64_t ad;
  /**
   * Bytes of each.
   */
  size_t ad_bytes;
  /**
   * 1 if one row of associated data is for all messages, else `count`.
   */
  size_t ad_count;
  /**
   * Rows that are sealed, or of ciphertext without tags.
   */
  uint64_t data;
  /**
   * Bytes of each.
   */
  size_t data_bytes;
  /**
   * Where the others go; it shares no byte with anything.
   */
  uint64_t out;
  /**
   * Of the cipher's size each, close together, written by sealing.
   */
  uint64_t tags;
} roundworks_gpu_rows;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Sets a key. `name` is one of "aegis-128l", "aegis-256x2", "rocca-s", ...; `tag_bytes` 0 takes the
 * cipher's usual size; `backend` NULL takes the fastest that this CPU has. NULL if any of it
 * is wrong.
 *
 * # Safety
 *
 * Names end in a NUL; `key` is good for `key_bytes`.
 */
ROUNDWORKS_MUST_USE
struct roundworks_cipher *roundworks_cipher_new(const char *name,
                                                const uint8_t *key,
                                                size_t key_bytes,
                                                size_t tag_bytes,
                                                const char *backend);

/**
 * Wipes the key and frees all. NULL is allowed.
 *
 * # Safety
 *
 * `cipher` is from `roundworks_cipher_new` and not freed yet.
 */
void roundworks_cipher_free(struct roundworks_cipher *cipher);

/**
 * Name of the back end in use, such as "vaes512"; lives as long as the cipher.
 *
 * # Safety
 *
 * `cipher` is NULL or from `roundworks_cipher_new`.
 */
const char *roundworks_cipher_backend(const struct roundworks_cipher *cipher);

/**
 * Bytes of a nonce.
 *
 * # Safety
 *
 * `cipher` is NULL or from `roundworks_cipher_new`.
 */
size_t roundworks_nonce_bytes(const struct roundworks_cipher *cipher);

/**
 * Bytes of a tag.
 *
 * # Safety
 *
 * `cipher` is NULL or from `roundworks_cipher_new`.
 */
size_t roundworks_tag_bytes(const struct roundworks_cipher *cipher);

/**
 * Bytes that so many bytes of data become, tag included.
 *
 * # Safety
 *
 * `cipher` is NULL or from `roundworks_cipher_new`.
 */
size_t roundworks_sealed_bytes(const struct roundworks_cipher *cipher, size_t data_bytes);

/**
 * Bytes of the buffer that opening `sealed_bytes` wants; 0 too if nothing sealed has that size.
 *
 * # Safety
 *
 * `cipher` is NULL or from `roundworks_cipher_new`.
 */
size_t roundworks_opened_bytes(const struct roundworks_cipher *cipher, size_t sealed_bytes);

/**
 * Writes ciphertext and tag of `data` to `out`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_seal(const struct roundworks_cipher *cipher,
                    const uint8_t *nonce,
                    size_t nonce_bytes,
                    const uint8_t *ad,
                    size_t ad_bytes,
                    const uint8_t *data,
                    size_t data_bytes,
                    uint8_t *out,
                    size_t out_bytes);

/**
 * Writes the data in `sealed` to `out`, and its size to `data_bytes`, if it is authentic.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it, and `data_bytes` for a size.
 */
ROUNDWORKS_MUST_USE
int roundworks_open(const struct roundworks_cipher *cipher,
                    const uint8_t *nonce,
                    size_t nonce_bytes,
                    const uint8_t *ad,
                    size_t ad_bytes,
                    const uint8_t *sealed,
                    size_t sealed_bytes,
                    uint8_t *out,
                    size_t out_bytes,
                    size_t *data_bytes);

/**
 * Seals independent messages, side by side where the CPU has room for several. The `result` and
 * `opened_bytes` of the messages are left alone.
 *
 * # Safety
 *
 * `messages` is good for `count` of them, and so is every pointer in them.
 */
int roundworks_seal_many(const struct roundworks_cipher *cipher,
                         const struct roundworks_message *messages,
                         size_t count);

/**
 * Opens independent messages; ROUNDWORKS_ERROR_TAG if any was refused. Which, is in the `result` of
 * each message: ROUNDWORKS_OK or ROUNDWORKS_ERROR_TAG, and the output of a refused one is all zero.
 * After any other error nothing was opened, and that error is the `result` of all. `refused` is
 * set to how many were refused; it may be NULL.
 *
 * # Safety
 *
 * `messages` is good for `count` of them, and so is every pointer in them; `refused` for a size,
 * if it is not NULL.
 */
ROUNDWORKS_MUST_USE
int roundworks_open_many(const struct roundworks_cipher *cipher,
                         struct roundworks_message *messages,
                         size_t count,
                         size_t *refused);

/**
 * Encrypts `data` to `out`, which has room for as many bytes, and authenticates it
 * together with `ad`; the size of the tag is chosen by `tag_bytes`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_aether_encrypt_detached(const uint8_t *key,
                                       const uint8_t *nonce,
                                       const uint8_t *ad,
                                       size_t ad_bytes,
                                       const uint8_t *data,
                                       size_t data_bytes,
                                       uint8_t *out,
                                       uint8_t *tag,
                                       size_t tag_bytes);

/**
 * Decrypts `data` to `out`, which has room for as many bytes, if `tag` belongs to it and
 * to `ad`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
ROUNDWORKS_MUST_USE
int roundworks_aether_decrypt_detached(const uint8_t *key,
                                       const uint8_t *nonce,
                                       const uint8_t *ad,
                                       size_t ad_bytes,
                                       const uint8_t *data,
                                       size_t data_bytes,
                                       const uint8_t *tag,
                                       size_t tag_bytes,
                                       uint8_t *out);

/**
 * Encrypts `data` to `out`, which has room for as many bytes, and authenticates it
 * together with `ad`; the size of the tag is chosen by `tag_bytes`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_aether_lb_encrypt_detached(const uint8_t *key,
                                          const uint8_t *nonce,
                                          const uint8_t *ad,
                                          size_t ad_bytes,
                                          const uint8_t *data,
                                          size_t data_bytes,
                                          uint8_t *out,
                                          uint8_t *tag,
                                          size_t tag_bytes);

/**
 * Decrypts `data` to `out`, which has room for as many bytes, if `tag` belongs to it and
 * to `ad`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
ROUNDWORKS_MUST_USE
int roundworks_aether_lb_decrypt_detached(const uint8_t *key,
                                          const uint8_t *nonce,
                                          const uint8_t *ad,
                                          size_t ad_bytes,
                                          const uint8_t *data,
                                          size_t data_bytes,
                                          const uint8_t *tag,
                                          size_t tag_bytes,
                                          uint8_t *out);

/**
 * Encrypts `data` to `out`, which has room for as many bytes, and authenticates it
 * together with `ad`; the size of the tag is chosen by `tag_bytes`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_aegis128_encrypt_detached(const uint8_t *key,
                                         const uint8_t *nonce,
                                         const uint8_t *ad,
                                         size_t ad_bytes,
                                         const uint8_t *data,
                                         size_t data_bytes,
                                         uint8_t *out,
                                         uint8_t *tag,
                                         size_t tag_bytes);

/**
 * Decrypts `data` to `out`, which has room for as many bytes, if `tag` belongs to it and
 * to `ad`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
ROUNDWORKS_MUST_USE
int roundworks_aegis128_decrypt_detached(const uint8_t *key,
                                         const uint8_t *nonce,
                                         const uint8_t *ad,
                                         size_t ad_bytes,
                                         const uint8_t *data,
                                         size_t data_bytes,
                                         const uint8_t *tag,
                                         size_t tag_bytes,
                                         uint8_t *out);

/**
 * Encrypts `data` to `out`, which has room for as many bytes, and authenticates it
 * together with `ad`; the size of the tag is chosen by `tag_bytes`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_aegis128l_encrypt_detached(const uint8_t *key,
                                          const uint8_t *nonce,
                                          const uint8_t *ad,
                                          size_t ad_bytes,
                                          const uint8_t *data,
                                          size_t data_bytes,
                                          uint8_t *out,
                                          uint8_t *tag,
                                          size_t tag_bytes);

/**
 * Decrypts `data` to `out`, which has room for as many bytes, if `tag` belongs to it and
 * to `ad`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
ROUNDWORKS_MUST_USE
int roundworks_aegis128l_decrypt_detached(const uint8_t *key,
                                          const uint8_t *nonce,
                                          const uint8_t *ad,
                                          size_t ad_bytes,
                                          const uint8_t *data,
                                          size_t data_bytes,
                                          const uint8_t *tag,
                                          size_t tag_bytes,
                                          uint8_t *out);

/**
 * Encrypts `data` to `out`, which has room for as many bytes, and authenticates it
 * together with `ad`; the size of the tag is chosen by `tag_bytes`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_aegis128x2_encrypt_detached(const uint8_t *key,
                                           const uint8_t *nonce,
                                           const uint8_t *ad,
                                           size_t ad_bytes,
                                           const uint8_t *data,
                                           size_t data_bytes,
                                           uint8_t *out,
                                           uint8_t *tag,
                                           size_t tag_bytes);

/**
 * Decrypts `data` to `out`, which has room for as many bytes, if `tag` belongs to it and
 * to `ad`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
ROUNDWORKS_MUST_USE
int roundworks_aegis128x2_decrypt_detached(const uint8_t *key,
                                           const uint8_t *nonce,
                                           const uint8_t *ad,
                                           size_t ad_bytes,
                                           const uint8_t *data,
                                           size_t data_bytes,
                                           const uint8_t *tag,
                                           size_t tag_bytes,
                                           uint8_t *out);

/**
 * Encrypts `data` to `out`, which has room for as many bytes, and authenticates it
 * together with `ad`; the size of the tag is chosen by `tag_bytes`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_aegis128x4_encrypt_detached(const uint8_t *key,
                                           const uint8_t *nonce,
                                           const uint8_t *ad,
                                           size_t ad_bytes,
                                           const uint8_t *data,
                                           size_t data_bytes,
                                           uint8_t *out,
                                           uint8_t *tag,
                                           size_t tag_bytes);

/**
 * Decrypts `data` to `out`, which has room for as many bytes, if `tag` belongs to it and
 * to `ad`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
ROUNDWORKS_MUST_USE
int roundworks_aegis128x4_decrypt_detached(const uint8_t *key,
                                           const uint8_t *nonce,
                                           const uint8_t *ad,
                                           size_t ad_bytes,
                                           const uint8_t *data,
                                           size_t data_bytes,
                                           const uint8_t *tag,
                                           size_t tag_bytes,
                                           uint8_t *out);

/**
 * Encrypts `data` to `out`, which has room for as many bytes, and authenticates it
 * together with `ad`; the size of the tag is chosen by `tag_bytes`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_aegis256_encrypt_detached(const uint8_t *key,
                                         const uint8_t *nonce,
                                         const uint8_t *ad,
                                         size_t ad_bytes,
                                         const uint8_t *data,
                                         size_t data_bytes,
                                         uint8_t *out,
                                         uint8_t *tag,
                                         size_t tag_bytes);

/**
 * Decrypts `data` to `out`, which has room for as many bytes, if `tag` belongs to it and
 * to `ad`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
ROUNDWORKS_MUST_USE
int roundworks_aegis256_decrypt_detached(const uint8_t *key,
                                         const uint8_t *nonce,
                                         const uint8_t *ad,
                                         size_t ad_bytes,
                                         const uint8_t *data,
                                         size_t data_bytes,
                                         const uint8_t *tag,
                                         size_t tag_bytes,
                                         uint8_t *out);

/**
 * Encrypts `data` to `out`, which has room for as many bytes, and authenticates it
 * together with `ad`; the size of the tag is chosen by `tag_bytes`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_aegis256x2_encrypt_detached(const uint8_t *key,
                                           const uint8_t *nonce,
                                           const uint8_t *ad,
                                           size_t ad_bytes,
                                           const uint8_t *data,
                                           size_t data_bytes,
                                           uint8_t *out,
                                           uint8_t *tag,
                                           size_t tag_bytes);

/**
 * Decrypts `data` to `out`, which has room for as many bytes, if `tag` belongs to it and
 * to `ad`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
ROUNDWORKS_MUST_USE
int roundworks_aegis256x2_decrypt_detached(const uint8_t *key,
                                           const uint8_t *nonce,
                                           const uint8_t *ad,
                                           size_t ad_bytes,
                                           const uint8_t *data,
                                           size_t data_bytes,
                                           const uint8_t *tag,
                                           size_t tag_bytes,
                                           uint8_t *out);

/**
 * Encrypts `data` to `out`, which has room for as many bytes, and authenticates it
 * together with `ad`; the size of the tag is chosen by `tag_bytes`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_aegis256x4_encrypt_detached(const uint8_t *key,
                                           const uint8_t *nonce,
                                           const uint8_t *ad,
                                           size_t ad_bytes,
                                           const uint8_t *data,
                                           size_t data_bytes,
                                           uint8_t *out,
                                           uint8_t *tag,
                                           size_t tag_bytes);

/**
 * Decrypts `data` to `out`, which has room for as many bytes, if `tag` belongs to it and
 * to `ad`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
ROUNDWORKS_MUST_USE
int roundworks_aegis256x4_decrypt_detached(const uint8_t *key,
                                           const uint8_t *nonce,
                                           const uint8_t *ad,
                                           size_t ad_bytes,
                                           const uint8_t *data,
                                           size_t data_bytes,
                                           const uint8_t *tag,
                                           size_t tag_bytes,
                                           uint8_t *out);

/**
 * Encrypts `data` to `out`, which has room for as many bytes, and authenticates it
 * together with `ad`; the size of the tag is chosen by `tag_bytes`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_areion256_opp_encrypt_detached(const uint8_t *key,
                                              const uint8_t *nonce,
                                              const uint8_t *ad,
                                              size_t ad_bytes,
                                              const uint8_t *data,
                                              size_t data_bytes,
                                              uint8_t *out,
                                              uint8_t *tag,
                                              size_t tag_bytes);

/**
 * Decrypts `data` to `out`, which has room for as many bytes, if `tag` belongs to it and
 * to `ad`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
ROUNDWORKS_MUST_USE
int roundworks_areion256_opp_decrypt_detached(const uint8_t *key,
                                              const uint8_t *nonce,
                                              const uint8_t *ad,
                                              size_t ad_bytes,
                                              const uint8_t *data,
                                              size_t data_bytes,
                                              const uint8_t *tag,
                                              size_t tag_bytes,
                                              uint8_t *out);

/**
 * Encrypts `data` to `out`, which has room for as many bytes, and authenticates it
 * together with `ad`; the size of the tag is chosen by `tag_bytes`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_areion512_opp_encrypt_detached(const uint8_t *key,
                                              const uint8_t *nonce,
                                              const uint8_t *ad,
                                              size_t ad_bytes,
                                              const uint8_t *data,
                                              size_t data_bytes,
                                              uint8_t *out,
                                              uint8_t *tag,
                                              size_t tag_bytes);

/**
 * Decrypts `data` to `out`, which has room for as many bytes, if `tag` belongs to it and
 * to `ad`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
ROUNDWORKS_MUST_USE
int roundworks_areion512_opp_decrypt_detached(const uint8_t *key,
                                              const uint8_t *nonce,
                                              const uint8_t *ad,
                                              size_t ad_bytes,
                                              const uint8_t *data,
                                              size_t data_bytes,
                                              const uint8_t *tag,
                                              size_t tag_bytes,
                                              uint8_t *out);

/**
 * Encrypts `data` to `out`, which has room for as many bytes, and authenticates it
 * together with `ad`; the size of the tag is chosen by `tag_bytes`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_rocca_s_encrypt_detached(const uint8_t *key,
                                        const uint8_t *nonce,
                                        const uint8_t *ad,
                                        size_t ad_bytes,
                                        const uint8_t *data,
                                        size_t data_bytes,
                                        uint8_t *out,
                                        uint8_t *tag,
                                        size_t tag_bytes);

/**
 * Decrypts `data` to `out`, which has room for as many bytes, if `tag` belongs to it and
 * to `ad`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
ROUNDWORKS_MUST_USE
int roundworks_rocca_s_decrypt_detached(const uint8_t *key,
                                        const uint8_t *nonce,
                                        const uint8_t *ad,
                                        size_t ad_bytes,
                                        const uint8_t *data,
                                        size_t data_bytes,
                                        const uint8_t *tag,
                                        size_t tag_bytes,
                                        uint8_t *out);

/**
 * What was wrong in this thread's last failed call, as one line such as
 * "nonce: want 16 bytes, got 12". Valid until the next failed call in this thread.
 */
const char *roundworks_error_text(void);

/**
 * The version of the library, such as "0.1.0".
 */
const char *roundworks_version(void);

/**
 * Opens the GPU of that number, as the driver counts them from 0 on, and sets `gpu`.
 *
 * `kernels` is the folder of its machine code, as `make install-gpu` makes it; NULL takes the
 * folder "roundworks" beside this library. `driver` is the path of NVIDIA's library; NULL takes
 * "libcuda.so.1". ROUNDWORKS_ERROR_UNAVAILABLE if any of it is missing, is too old, or not for that
 * GPU: then roundworks_cipher_new() has the same ciphers on the CPU, but for AES-GCM.
 *
 * # Safety
 *
 * Names end in a NUL; `driver` is NVIDIA's; `gpu` is good for a pointer.
 */
ROUNDWORKS_MUST_USE
int roundworks_gpu_new(unsigned int number,
                       const char *kernels,
                       const char *driver,
                       struct roundworks_gpu **gpu);

/**
 * Frees a GPU and all of its memory, once its last cipher and pinned memory are freed too. NULL is
 * allowed.
 *
 * # Safety
 *
 * `gpu` is from `roundworks_gpu_new` and not freed yet.
 */
void roundworks_gpu_free(struct roundworks_gpu *gpu);

/**
 * Such as "NVIDIA H200"; lives as long as the GPU.
 *
 * # Safety
 *
 * `gpu` is NULL or from `roundworks_gpu_new`.
 */
const char *roundworks_gpu_name(const struct roundworks_gpu *gpu);

/**
 * Such as "sm_90"; lives as long as the GPU.
 *
 * # Safety
 *
 * `gpu` is NULL or from `roundworks_gpu_new`.
 */
const char *roundworks_gpu_architecture(const struct roundworks_gpu *gpu);

/**
 * Sets `free_bytes` to how much of its memory a call may take: what nobody has, and what is kept.
 *
 * # Safety
 *
 * `gpu` is NULL or from `roundworks_gpu_new`; `free_bytes` is good for a size.
 */
int roundworks_gpu_free_bytes(const struct roundworks_gpu *gpu, size_t *free_bytes);

/**
 * Sets a key, and `cipher`. `name` is "minalpher", "aes-128-gcm", "aes-256-gcm", "aegis-128l",
 * "rocca-s", or for study "aether", which is forgeable as published, and "aether-lb"; `tag_bytes` 0
 * takes the cipher's usual size.
 *
 * # Safety
 *
 * `name` ends in a NUL; `key` is good for `key_bytes`, `cipher` for a pointer.
 */
ROUNDWORKS_MUST_USE
int roundworks_gpu_cipher_new(const struct roundworks_gpu *gpu,
                              const char *name,
                              const uint8_t *key,
                              size_t key_bytes,
                              size_t tag_bytes,
                              struct roundworks_gpu_cipher **cipher);

/**
 * Wipes the key and frees all, once the work of every stream with it is done. NULL is allowed.
 *
 * # Safety
 *
 * `cipher` is from `roundworks_gpu_cipher_new` and not freed yet.
 */
void roundworks_gpu_cipher_free(struct roundworks_gpu_cipher *cipher);

/**
 * Bytes of a nonce.
 *
 * # Safety
 *
 * `cipher` is NULL or from `roundworks_gpu_cipher_new`.
 */
size_t roundworks_gpu_nonce_bytes(const struct roundworks_gpu_cipher *cipher);

/**
 * Bytes of a tag.
 *
 * # Safety
 *
 * `cipher` is NULL or from `roundworks_gpu_cipher_new`.
 */
size_t roundworks_gpu_tag_bytes(const struct roundworks_gpu_cipher *cipher);

/**
 * Bytes that so many bytes of data become, tag included.
 *
 * # Safety
 *
 * `cipher` is NULL or from `roundworks_gpu_cipher_new`.
 */
size_t roundworks_gpu_sealed_bytes(const struct roundworks_gpu_cipher *cipher, size_t data_bytes);

/**
 * Bytes of the buffer that opening `sealed_bytes` wants; 0 too if nothing sealed has that size.
 *
 * # Safety
 *
 * `cipher` is NULL or from `roundworks_gpu_cipher_new`.
 */
size_t roundworks_gpu_opened_bytes(const struct roundworks_gpu_cipher *cipher, size_t sealed_bytes);

/**
 * Writes ciphertext and tag of `data` to `out`, which has `roundworks_gpu_sealed_bytes`. Of Minalpher
 * and AES-GCM what is longer than a piece goes in pieces: while one is worked on, the next comes in
 * and the last goes out.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_gpu_seal(const struct roundworks_gpu_cipher *cipher,
                        const uint8_t *nonce,
                        size_t nonce_bytes,
                        const uint8_t *ad,
                        size_t ad_bytes,
                        const uint8_t *data,
                        size_t data_bytes,
                        uint8_t *out,
                        size_t out_bytes);

/**
 * Writes the data in `sealed` to `out`, which has `roundworks_gpu_opened_bytes`, and its size to
 * `data_bytes`, if it is authentic. Behind the data are zeros. What is longer than a piece comes in
 * twice, for its tag and then for its text, and nobody may write to it meanwhile.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it, and `data_bytes` for a size.
 */
ROUNDWORKS_MUST_USE
int roundworks_gpu_open(const struct roundworks_gpu_cipher *cipher,
                        const uint8_t *nonce,
                        size_t nonce_bytes,
                        const uint8_t *ad,
                        size_t ad_bytes,
                        const uint8_t *sealed,
                        size_t sealed_bytes,
                        uint8_t *out,
                        size_t out_bytes,
                        size_t *data_bytes);

/**
 * Seals independent messages of any sizes in a few launches, else as roundworks_seal_many() does.
 *
 * # Safety
 *
 * `messages` is good for `count` of them, and so is every pointer in them.
 */
int roundworks_gpu_seal_many(const struct roundworks_gpu_cipher *cipher,
                             const struct roundworks_message *messages,
                             size_t count);

/**
 * Opens independent messages; answers are as those of roundworks_open_many().
 *
 * # Safety
 *
 * `messages` is good for `count` of them, and so is every pointer in them; `refused` for a size,
 * if it is not NULL.
 */
ROUNDWORKS_MUST_USE
int roundworks_gpu_open_many(const struct roundworks_gpu_cipher *cipher,
                             struct roundworks_message *messages,
                             size_t count,
                             size_t *refused);

/**
 * Seals a message on the GPU as work of `stream`, a `CUstream` or NULL, and returns before it is
 * done. Of Minalpher `out` has 32 bytes for each 32 of `data` that are full, and 32 more.
 *
 * # Safety
 *
 * Memory is of the device's primary context, which the CUDA runtime uses too, and is there until
 * the work is done, like the cipher.
 */
int roundworks_gpu_seal_on_device(const struct roundworks_gpu_cipher *cipher,
                                  const uint8_t *nonce,
                                  size_t nonce_bytes,
                                  const struct roundworks_gpu_message *message,
                                  void *stream);

/**
 * Opens a message on the GPU once `stream` has done its work, waits for it, and sets `data_bytes` to
 * how many bytes of `out` are the data. Of what is not authentic `out` is zeros; plaintext is
 * written after its tag was found right.
 *
 * # Safety
 *
 * As of `roundworks_gpu_seal_on_device`; `data_bytes` is good for a size.
 */
ROUNDWORKS_MUST_USE
int roundworks_gpu_open_on_device(const struct roundworks_gpu_cipher *cipher,
                                  const uint8_t *nonce,
                                  size_t nonce_bytes,
                                  const struct roundworks_gpu_message *message,
                                  size_t *data_bytes,
                                  void *stream);

/**
 * Seals rows on the GPU as work of `stream`, and returns before it is done.
 *
 * # Safety
 *
 * As of `roundworks_gpu_seal_on_device`.
 */
int roundworks_gpu_seal_rows(const struct roundworks_gpu_cipher *cipher,
                             const struct roundworks_gpu_rows *rows,
                             void *stream);

/**
 * Opens rows on the GPU as work of `stream`, and returns before it is done. In the memory of the GPU
 * at `verdicts` a uint32_t for each row becomes 1 where it is authentic; else 0, and the row zeros.
 *
 * # Safety
 *
 * As of `roundworks_gpu_seal_on_device`.
 */
int roundworks_gpu_open_rows(const struct roundworks_gpu_cipher *cipher,
                             const struct roundworks_gpu_rows *rows,
                             uint64_t verdicts,
                             void *stream);

/**
 * Pins so many bytes of host memory, zeros at first, and sets `pinned`.
 *
 * # Safety
 *
 * `gpu` is NULL or from `roundworks_gpu_new`; `pinned` is good for a pointer.
 */
ROUNDWORKS_MUST_USE
int roundworks_gpu_pinned_new(const struct roundworks_gpu *gpu,
                              size_t bytes,
                              struct roundworks_gpu_pinned **pinned);

/**
 * The first byte; lives as long as `pinned`.
 *
 * # Safety
 *
 * `pinned` is NULL or from `roundworks_gpu_pinned_new`.
 */
uint8_t *roundworks_gpu_pinned_memory(struct roundworks_gpu_pinned *pinned);

/**
 * Wipes the memory and lets it go. NULL is allowed.
 *
 * # Safety
 *
 * `pinned` is from `roundworks_gpu_pinned_new` and not freed yet, and no call uses its memory.
 */
void roundworks_gpu_pinned_free(struct roundworks_gpu_pinned *pinned);

/**
 * From now on a message of Minalpher or AES-GCM that is longer goes in pieces of so many bytes: a
 * multiple of 1024, 16 MiB unless set. Four of them are on the GPU at a time, and four in pinned
 * memory unless all of the message lies in some.
 *
 * # Safety
 *
 * `gpu` is NULL or from `roundworks_gpu_new`.
 */
int roundworks_gpu_set_piece_bytes(const struct roundworks_gpu *gpu, size_t bytes);

/**
 * From now on memory of the GPU that no message and no cipher has any more is kept for the next call
 * while the library has no more than so many bytes of it: all is kept unless set, with 0 none. What is
 * more goes back when a call waits for the GPU; it was wiped before.
 *
 * # Safety
 *
 * `gpu` is NULL or from `roundworks_gpu_new`.
 */
int roundworks_gpu_keep_bytes(const struct roundworks_gpu *gpu,
                              size_t bytes);

/**
 * Gives back, now, what is kept of the GPU's memory until the library has no more than so many bytes,
 * and the pinned buffers that long messages went through.
 *
 * # Safety
 *
 * `gpu` is NULL or from `roundworks_gpu_new`.
 */
int roundworks_gpu_trim(const struct roundworks_gpu *gpu,
                        size_t bytes);

/**
 * Sets `held_bytes` to how much of the GPU's memory the library has, in use or kept.
 *
 * # Safety
 *
 * `gpu` is NULL or from `roundworks_gpu_new`; `held_bytes` is good for a size.
 */
int roundworks_gpu_held_bytes(const struct roundworks_gpu *gpu, size_t *held_bytes);

/**
 * Bytes of the ciphertext of so many of data, without the tag: the next multiple of 32 that is
 * larger.
 */
size_t roundworks_minalpher_ciphertext_bytes(size_t data_bytes);

/**
 * Encrypts `data` to `out`, which has room for `roundworks_minalpher_ciphertext_bytes`, and
 * authenticates it together with `ad`.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_minalpher_encrypt_detached(const uint8_t *key,
                                          const uint8_t *nonce,
                                          const uint8_t *ad,
                                          size_t ad_bytes,
                                          const uint8_t *data,
                                          size_t data_bytes,
                                          uint8_t *out,
                                          size_t out_bytes,
                                          uint8_t *tag,
                                          size_t tag_bytes);

/**
 * Decrypts `data` to `out`, which has room for as many bytes, if `tag` belongs to it and to `ad`;
 * `written` is set to how many of them are the data.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it, and `written` for a size.
 */
ROUNDWORKS_MUST_USE
int roundworks_minalpher_decrypt_detached(const uint8_t *key,
                                          const uint8_t *nonce,
                                          const uint8_t *ad,
                                          size_t ad_bytes,
                                          const uint8_t *data,
                                          size_t data_bytes,
                                          const uint8_t *tag,
                                          size_t tag_bytes,
                                          uint8_t *out,
                                          size_t *written);

/**
 * The tag of `data` in the MAC mode, which wants no nonce.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
int roundworks_minalpher_mac(const uint8_t *key,
                             const uint8_t *data,
                             size_t data_bytes,
                             uint8_t *tag,
                             size_t tag_bytes);

/**
 * Whether `tag` is that of `data` in the MAC mode: ROUNDWORKS_OK or ROUNDWORKS_ERROR_TAG, in a
 * time that does not tell where they differ.
 *
 * # Safety
 *
 * Every pointer is good for as many bytes as belong to it.
 */
ROUNDWORKS_MUST_USE
int roundworks_minalpher_mac_verify(const uint8_t *key,
                                    const uint8_t *data,
                                    size_t data_bytes,
                                    const uint8_t *tag,
                                    size_t tag_bytes);

/**
 * `name` is one of "simpira-2", "haraka-512", "areion-256", "feistel256:2-0,1-1", ..., or any other
 * configuration of the Feistel family, such as "feistel512:1-1,2-3,2-1,1-0/2,3,1,0"; a number of
 * rounds may follow, as in "haraka-256:3.5". `backend` NULL takes the fastest that this CPU has.
 * NULL if there is none such.
 *
 * # Safety
 *
 * Names end in a NUL.
 */
ROUNDWORKS_MUST_USE
struct roundworks_permutation *roundworks_permutation_new(const char *name,
                                                          const char *backend);

/**
 * Frees it. NULL is allowed.
 *
 * # Safety
 *
 * `permutation` is from `roundworks_permutation_new` and not freed yet.
 */
void roundworks_permutation_free(struct roundworks_permutation *permutation);

/**
 * Name of the back end in use, such as "vaes512"; lives as long as the permutation.
 *
 * # Safety
 *
 * `permutation` is NULL or from `roundworks_permutation_new`.
 */
const char *roundworks_permutation_backend(const struct roundworks_permutation *permutation);

/**
 * Bytes of a block.
 *
 * # Safety
 *
 * `permutation` is NULL or from `roundworks_permutation_new`.
 */
size_t roundworks_block_bytes(const struct roundworks_permutation *permutation);

/**
 * Replaces each block by what it is mapped to. The blocks follow each other, `blocks_bytes` in all,
 * and are permuted side by side where the CPU has room for several.
 *
 * # Safety
 *
 * `permutation` is NULL or from `roundworks_permutation_new`; `blocks` is good for `blocks_bytes`.
 */
int roundworks_permute(const struct roundworks_permutation *permutation,
                       uint8_t *blocks,
                       size_t blocks_bytes);

/**
 * Replaces each block by what is mapped to it; else as `roundworks_permute`.
 *
 * # Safety
 *
 * As for `roundworks_permute`.
 */
int roundworks_inverse(const struct roundworks_permutation *permutation,
                       uint8_t *blocks,
                       size_t blocks_bytes);

/**
 * `name` is one of "haraka-256", "haraka-512", "areion-256-dm", "areion-512-dm". `backend` NULL
 * takes the fastest that this CPU has. NULL if there is none such.
 *
 * # Safety
 *
 * Names end in a NUL.
 */
ROUNDWORKS_MUST_USE
struct roundworks_hash *roundworks_hash_new(const char *name,
                                            const char *backend);

/**
 * Frees it. NULL is allowed.
 *
 * # Safety
 *
 * `hash` is from `roundworks_hash_new` and not freed yet.
 */
void roundworks_hash_free(struct roundworks_hash *hash);

/**
 * Bytes of an input.
 *
 * # Safety
 *
 * `hash` is NULL or from `roundworks_hash_new`.
 */
size_t roundworks_input_bytes(const struct roundworks_hash *hash);

/**
 * Writes 32 bytes to `outputs` for each of the inputs, which follow each other, `inputs_bytes` in
 * all, and are hashed side by side where the CPU has room for several. The outputs share no byte
 * with the inputs.
 *
 * # Safety
 *
 * `hash` is NULL or from `roundworks_hash_new`; `inputs` is good for `inputs_bytes`, `outputs` for
 * 32 bytes for each input.
 */
int roundworks_hash_many(const struct roundworks_hash *hash,
                         const uint8_t *inputs,
                         size_t inputs_bytes,
                         uint8_t *outputs);

/**
 * Writes Areion512-MD of a message to `hash`, 32 bytes. A message has at most 2^29 - 1.
 *
 * # Safety
 *
 * `message` is good for `message_bytes`, `hash` for 32.
 */
int roundworks_areion512_md(const uint8_t *message, size_t message_bytes, uint8_t *hash);

/**
 * Encrypts each block under one key and one tweak of 16 bytes with Pholkos. A key of 32 bytes is
 * for blocks of 32, one of 64 for blocks of 64. For study: no test vectors of its designers are
 * known.
 *
 * # Safety
 *
 * `key` is good for `key_bytes`, `tweak` for 16, `blocks` for `blocks_bytes`.
 */
int roundworks_pholkos_encrypt(const uint8_t *key,
                               size_t key_bytes,
                               const uint8_t *tweak,
                               uint8_t *blocks,
                               size_t blocks_bytes);

/**
 * Decrypts each block; else as `roundworks_pholkos_encrypt`.
 *
 * # Safety
 *
 * As for `roundworks_pholkos_encrypt`.
 */
int roundworks_pholkos_decrypt(const uint8_t *key,
                               size_t key_bytes,
                               const uint8_t *tweak,
                               uint8_t *blocks,
                               size_t blocks_bytes);

/**
 * Begins to seal a message; NULL if the nonce has a wrong size. The cipher may be freed before.
 *
 * # Safety
 *
 * `cipher` is from `roundworks_cipher_new`; `nonce` is good for `nonce_bytes`.
 */
ROUNDWORKS_MUST_USE
struct roundworks_sealing *roundworks_sealing_new(const struct roundworks_cipher *cipher,
                                                  const uint8_t *nonce,
                                                  size_t nonce_bytes);

/**
 * Takes in more associated data; before the first data.
 *
 * # Safety
 *
 * `sealing` is from `roundworks_sealing_new`; `ad` is good for `ad_bytes`.
 */
int roundworks_sealing_ad(struct roundworks_sealing *sealing, const uint8_t *ad, size_t ad_bytes);

/**
 * Bytes that `roundworks_sealing_update` will write for so many more of data.
 *
 * # Safety
 *
 * `sealing` is NULL or from `roundworks_sealing_new`.
 */
size_t roundworks_sealing_update_bytes(const struct roundworks_sealing *sealing, size_t data_bytes);

/**
 * Encrypts the next bytes of data. `out` has exactly `roundworks_sealing_update_bytes`, whatever the
 * cipher, and shares no byte with `data`.
 *
 * # Safety
 *
 * `sealing` is from `roundworks_sealing_new`; every pointer is good for its bytes.
 */
int roundworks_sealing_update(struct roundworks_sealing *sealing,
                              const uint8_t *data,
                              size_t data_bytes,
                              uint8_t *out,
                              size_t out_bytes);

/**
 * Bytes that `roundworks_sealing_finish` will write.
 *
 * # Safety
 *
 * `sealing` is NULL or from `roundworks_sealing_new`.
 */
size_t roundworks_sealing_finish_bytes(const struct roundworks_sealing *sealing);

/**
 * Writes what is left of the ciphertext, and the tag, to `out`, which has exactly
 * `roundworks_sealing_finish_bytes`. Frees `sealing`, whatever it returns.
 *
 * # Safety
 *
 * `sealing` is from `roundworks_sealing_new` and not freed; `out` is good for `out_bytes`.
 */
int roundworks_sealing_finish(struct roundworks_sealing *sealing, uint8_t *out, size_t out_bytes);

/**
 * Gives up a message. NULL is allowed.
 *
 * # Safety
 *
 * `sealing` is from `roundworks_sealing_new` and not freed.
 */
void roundworks_sealing_free(struct roundworks_sealing *sealing);

/**
 * Begins to open a message into `out`, which must live until the message is finished or given
 * up; NULL if the nonce has a wrong size.
 *
 * # Safety
 *
 * `cipher` is from `roundworks_cipher_new`; every pointer is good for its bytes.
 */
ROUNDWORKS_MUST_USE
struct roundworks_opening *roundworks_opening_new(const struct roundworks_cipher *cipher,
                                                  const uint8_t *nonce,
                                                  size_t nonce_bytes,
                                                  uint8_t *out,
                                                  size_t out_bytes);

/**
 * Takes in more associated data; before the first ciphertext.
 *
 * # Safety
 *
 * `opening` is from `roundworks_opening_new`; `ad` is good for `ad_bytes`.
 */
int roundworks_opening_ad(struct roundworks_opening *opening, const uint8_t *ad, size_t ad_bytes);

/**
 * Takes in the next bytes of ciphertext, which share no byte with the output. ROUNDWORKS_OK says
 * nothing about the output: that is verified by `roundworks_opening_finish` alone.
 *
 * # Safety
 *
 * `opening` is from `roundworks_opening_new`; `data` is good for `data_bytes`.
 */
int roundworks_opening_update(struct roundworks_opening *opening,
                              const uint8_t *data,
                              size_t data_bytes);

/**
 * Checks the tag; `data_bytes` is set to how many bytes of the output are the data. If the tag is
 * wrong, all that was written is zero. Frees `opening`, whatever it returns.
 *
 * # Safety
 *
 * `opening` is from `roundworks_opening_new` and not freed; `tag` is good for `tag_bytes`,
 * `data_bytes` for a size.
 */
ROUNDWORKS_MUST_USE
int roundworks_opening_finish(struct roundworks_opening *opening,
                              const uint8_t *tag,
                              size_t tag_bytes,
                              size_t *data_bytes);

/**
 * Gives up a message; all that was written is zero. NULL is allowed.
 *
 * # Safety
 *
 * `opening` is from `roundworks_opening_new` and not freed; its output still lives.
 */
void roundworks_opening_free(struct roundworks_opening *opening);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ROUNDWORKS_H */
