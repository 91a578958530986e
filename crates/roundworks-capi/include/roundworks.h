/* Roundworks: authenticated ciphers built on AES-like rounds. See also roundworks(3).
 *
 * Made by cbindgen from crates/roundworks-capi; do not edit (make header).
 *
 * RETURN VALUES. A function that returns int returns ROUNDWORKS_OK, which is 0, or a negative
 * ROUNDWORKS_ERROR code; roundworks_error_text() then says in one line what was wrong in this
 * thread's last call. A roundworks_*_new() that returns a pointer returns NULL instead. Given a NULL
 * handle, a function that returns a size returns 0, one that returns a pointer NULL, and one that
 * returns int ROUNDWORKS_ERROR_ARGUMENT.
 *
 * ARGUMENTS stand in the order key, nonce, associated data (ad), data, tag. Sizes are in bytes.
 *   - A pointer points to as many bytes as the size next to it says, or as the constant of the cipher
 *     says where no size is next to it. It may be NULL where the size is 0.
 *   - Output may begin where the input begins (in place), or shares no byte with any input.
 *   - A char pointer is a string that ends in a NUL.
 *   - A handle is what the function of its kind returned or set, and is not freed yet; one that is
 *     const may be used by several threads at once. Every _free() accepts NULL.
 * Wrong sizes, overlapping buffers and NULL are errors, not undefined behaviour. Of the functions that
 * take the key with the message, key, nonce and a tag to be compared are read before anything is
 * written, and may lie anywhere.
 *
 * SECURITY. A nonce must never serve twice under one key. What a decryption refuses is filled with
 * zeros: no function that opens a whole message leaves unverified plaintext. In a message that is
 * opened incrementally the output holds unverified plaintext from roundworks_opening_update() on, and
 * must not be read before roundworks_opening_finish() has returned ROUNDWORKS_OK.
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

#ifdef __cplusplus
extern "C" {
#endif

/*-----------------------------------------------------------------------------------------------
 * Return values, and the line that explains the last error.
 */

/* Success. */
#define ROUNDWORKS_OK 0
/* Not authentic; the output is all zero. */
#define ROUNDWORKS_ERROR_TAG (-1)
/* A size is wrong; nothing was written. */
#define ROUNDWORKS_ERROR_LENGTH (-2)
/* NULL for bytes, buffers that overlap, or text that is not UTF-8; nothing was written. */
#define ROUNDWORKS_ERROR_ARGUMENT (-3)
/* No such cipher, tag size, back end or GPU here; nothing was written. */
#define ROUNDWORKS_ERROR_UNAVAILABLE (-4)
/* The process or the GPU has too little memory; ignore the output, which holds nothing decrypted. */
#define ROUNDWORKS_ERROR_MEMORY (-5)
/* The GPU's driver refused a call; ignore the output, which is all zero after decryption. */
#define ROUNDWORKS_ERROR_DRIVER (-6)

/*
 * What was wrong in this thread's last failed call, as one line such as
 * "nonce: want 16 bytes, got 12". Valid until the next failed call in this thread.
 */
const char *roundworks_error_text(void);

/* The version of the library, such as "0.1.0". */
const char *roundworks_version(void);

/*-----------------------------------------------------------------------------------------------
 * Ciphers whose ciphertext is as long as their data: one message in one call, the tag apart.
 *
 * The key has KEYBYTES, the nonce NPUBBYTES, the tag ABYTES_MIN or ABYTES_MAX as tag_bytes says, and
 * the output data_bytes. Decryption fills the output with zeros and returns ROUNDWORKS_ERROR_TAG if
 * the tag does not belong to ad and data.
 *
 * AETHER is for study only: a forgery of it is known. AETHER-LB is our variant with lengths bound.
 */

#define roundworks_aegis128l_KEYBYTES 16
#define roundworks_aegis128l_NPUBBYTES 16
#define roundworks_aegis128l_ABYTES_MIN 16
#define roundworks_aegis128l_ABYTES_MAX 32

int roundworks_aegis128l_encrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                          const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                          size_t data_bytes, uint8_t *out, uint8_t *tag,
                                          size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aegis128l_decrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                          const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                          size_t data_bytes, const uint8_t *tag, size_t tag_bytes,
                                          uint8_t *out);

#define roundworks_aegis128x2_KEYBYTES 16
#define roundworks_aegis128x2_NPUBBYTES 16
#define roundworks_aegis128x2_ABYTES_MIN 16
#define roundworks_aegis128x2_ABYTES_MAX 32

int roundworks_aegis128x2_encrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                           const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                           size_t data_bytes, uint8_t *out, uint8_t *tag,
                                           size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aegis128x2_decrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                           const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                           size_t data_bytes, const uint8_t *tag, size_t tag_bytes,
                                           uint8_t *out);

#define roundworks_aegis128x4_KEYBYTES 16
#define roundworks_aegis128x4_NPUBBYTES 16
#define roundworks_aegis128x4_ABYTES_MIN 16
#define roundworks_aegis128x4_ABYTES_MAX 32

int roundworks_aegis128x4_encrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                           const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                           size_t data_bytes, uint8_t *out, uint8_t *tag,
                                           size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aegis128x4_decrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                           const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                           size_t data_bytes, const uint8_t *tag, size_t tag_bytes,
                                           uint8_t *out);

#define roundworks_aegis256_KEYBYTES 32
#define roundworks_aegis256_NPUBBYTES 32
#define roundworks_aegis256_ABYTES_MIN 16
#define roundworks_aegis256_ABYTES_MAX 32

int roundworks_aegis256_encrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                         const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                         size_t data_bytes, uint8_t *out, uint8_t *tag,
                                         size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aegis256_decrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                         const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                         size_t data_bytes, const uint8_t *tag, size_t tag_bytes,
                                         uint8_t *out);

#define roundworks_aegis256x2_KEYBYTES 32
#define roundworks_aegis256x2_NPUBBYTES 32
#define roundworks_aegis256x2_ABYTES_MIN 16
#define roundworks_aegis256x2_ABYTES_MAX 32

int roundworks_aegis256x2_encrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                           const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                           size_t data_bytes, uint8_t *out, uint8_t *tag,
                                           size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aegis256x2_decrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                           const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                           size_t data_bytes, const uint8_t *tag, size_t tag_bytes,
                                           uint8_t *out);

#define roundworks_aegis256x4_KEYBYTES 32
#define roundworks_aegis256x4_NPUBBYTES 32
#define roundworks_aegis256x4_ABYTES_MIN 16
#define roundworks_aegis256x4_ABYTES_MAX 32

int roundworks_aegis256x4_encrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                           const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                           size_t data_bytes, uint8_t *out, uint8_t *tag,
                                           size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aegis256x4_decrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                           const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                           size_t data_bytes, const uint8_t *tag, size_t tag_bytes,
                                           uint8_t *out);

#define roundworks_aegis128_KEYBYTES 16
#define roundworks_aegis128_NPUBBYTES 16
#define roundworks_aegis128_ABYTES_MIN 16
#define roundworks_aegis128_ABYTES_MAX 16

int roundworks_aegis128_encrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                         const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                         size_t data_bytes, uint8_t *out, uint8_t *tag,
                                         size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aegis128_decrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                         const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                         size_t data_bytes, const uint8_t *tag, size_t tag_bytes,
                                         uint8_t *out);

#define roundworks_rocca_s_KEYBYTES 32
#define roundworks_rocca_s_NPUBBYTES 16
#define roundworks_rocca_s_ABYTES_MIN 32
#define roundworks_rocca_s_ABYTES_MAX 32

int roundworks_rocca_s_encrypt_detached(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad,
                                        size_t ad_bytes, const uint8_t *data, size_t data_bytes,
                                        uint8_t *out, uint8_t *tag, size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_rocca_s_decrypt_detached(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad,
                                        size_t ad_bytes, const uint8_t *data, size_t data_bytes,
                                        const uint8_t *tag, size_t tag_bytes, uint8_t *out);

#define roundworks_areion256_opp_KEYBYTES 16
#define roundworks_areion256_opp_NPUBBYTES 16
#define roundworks_areion256_opp_ABYTES_MIN 16
#define roundworks_areion256_opp_ABYTES_MAX 16

int roundworks_areion256_opp_encrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                              const uint8_t *ad, size_t ad_bytes,
                                              const uint8_t *data, size_t data_bytes, uint8_t *out,
                                              uint8_t *tag, size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_areion256_opp_decrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                              const uint8_t *ad, size_t ad_bytes,
                                              const uint8_t *data, size_t data_bytes,
                                              const uint8_t *tag, size_t tag_bytes, uint8_t *out);

#define roundworks_areion512_opp_KEYBYTES 16
#define roundworks_areion512_opp_NPUBBYTES 16
#define roundworks_areion512_opp_ABYTES_MIN 16
#define roundworks_areion512_opp_ABYTES_MAX 16

int roundworks_areion512_opp_encrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                              const uint8_t *ad, size_t ad_bytes,
                                              const uint8_t *data, size_t data_bytes, uint8_t *out,
                                              uint8_t *tag, size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_areion512_opp_decrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                              const uint8_t *ad, size_t ad_bytes,
                                              const uint8_t *data, size_t data_bytes,
                                              const uint8_t *tag, size_t tag_bytes, uint8_t *out);

#define roundworks_aether_KEYBYTES 32
#define roundworks_aether_NPUBBYTES 16
#define roundworks_aether_ABYTES_MIN 16
#define roundworks_aether_ABYTES_MAX 16

int roundworks_aether_encrypt_detached(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad,
                                       size_t ad_bytes, const uint8_t *data, size_t data_bytes,
                                       uint8_t *out, uint8_t *tag, size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aether_decrypt_detached(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad,
                                       size_t ad_bytes, const uint8_t *data, size_t data_bytes,
                                       const uint8_t *tag, size_t tag_bytes, uint8_t *out);

#define roundworks_aether_lb_KEYBYTES 32
#define roundworks_aether_lb_NPUBBYTES 16
#define roundworks_aether_lb_ABYTES_MIN 16
#define roundworks_aether_lb_ABYTES_MAX 16

int roundworks_aether_lb_encrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                          const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                          size_t data_bytes, uint8_t *out, uint8_t *tag,
                                          size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aether_lb_decrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                          const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                          size_t data_bytes, const uint8_t *tag, size_t tag_bytes,
                                          uint8_t *out);

/*-----------------------------------------------------------------------------------------------
 * AEGIS as a MAC in one call.
 *
 * The key has KEYBYTES, the nonce NPUBBYTES, the tag ABYTES_MIN or ABYTES_MAX as tag_bytes says.
 * A key that makes MACs must not encrypt, too. mac_verify returns ROUNDWORKS_OK if tag is that of
 * data, ROUNDWORKS_ERROR_TAG if not, in constant time.
 */

int roundworks_aegis128l_mac(const uint8_t *key, const uint8_t *nonce, const uint8_t *data,
                             size_t data_bytes, uint8_t *tag, size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aegis128l_mac_verify(const uint8_t *key, const uint8_t *nonce, const uint8_t *data,
                                    size_t data_bytes, const uint8_t *tag, size_t tag_bytes);

int roundworks_aegis128x2_mac(const uint8_t *key, const uint8_t *nonce, const uint8_t *data,
                              size_t data_bytes, uint8_t *tag, size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aegis128x2_mac_verify(const uint8_t *key, const uint8_t *nonce, const uint8_t *data,
                                     size_t data_bytes, const uint8_t *tag, size_t tag_bytes);

int roundworks_aegis128x4_mac(const uint8_t *key, const uint8_t *nonce, const uint8_t *data,
                              size_t data_bytes, uint8_t *tag, size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aegis128x4_mac_verify(const uint8_t *key, const uint8_t *nonce, const uint8_t *data,
                                     size_t data_bytes, const uint8_t *tag, size_t tag_bytes);

int roundworks_aegis256_mac(const uint8_t *key, const uint8_t *nonce, const uint8_t *data,
                            size_t data_bytes, uint8_t *tag, size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aegis256_mac_verify(const uint8_t *key, const uint8_t *nonce, const uint8_t *data,
                                   size_t data_bytes, const uint8_t *tag, size_t tag_bytes);

int roundworks_aegis256x2_mac(const uint8_t *key, const uint8_t *nonce, const uint8_t *data,
                              size_t data_bytes, uint8_t *tag, size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aegis256x2_mac_verify(const uint8_t *key, const uint8_t *nonce, const uint8_t *data,
                                     size_t data_bytes, const uint8_t *tag, size_t tag_bytes);

int roundworks_aegis256x4_mac(const uint8_t *key, const uint8_t *nonce, const uint8_t *data,
                              size_t data_bytes, uint8_t *tag, size_t tag_bytes);

ROUNDWORKS_MUST_USE
int roundworks_aegis256x4_mac_verify(const uint8_t *key, const uint8_t *nonce, const uint8_t *data,
                                     size_t data_bytes, const uint8_t *tag, size_t tag_bytes);

/*-----------------------------------------------------------------------------------------------
 * Minalpher, whose ciphertext is longer than its data, and its MAC mode.
 */

/* Size of the key. */
#define roundworks_minalpher_KEYBYTES 16
/* Size of the nonce. */
#define roundworks_minalpher_NPUBBYTES 13
/* Size of the tag. */
#define roundworks_minalpher_ABYTES 16

/* Size of the ciphertext without its tag: the next multiple of 32 above data_bytes. */
size_t roundworks_minalpher_ciphertext_bytes(size_t data_bytes);

/* out_bytes is roundworks_minalpher_ciphertext_bytes(data_bytes). */
int roundworks_minalpher_encrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                          const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                          size_t data_bytes, uint8_t *out, size_t out_bytes,
                                          uint8_t *tag, size_t tag_bytes);

/*
 * The output has data_bytes, the size of the ciphertext; *written is set to how many of them are
 * the plaintext.
 */
ROUNDWORKS_MUST_USE
int roundworks_minalpher_decrypt_detached(const uint8_t *key, const uint8_t *nonce,
                                          const uint8_t *ad, size_t ad_bytes, const uint8_t *data,
                                          size_t data_bytes, const uint8_t *tag, size_t tag_bytes,
                                          uint8_t *out, size_t *written);

/* Writes the tag of data in the MAC mode, which takes no nonce. */
int roundworks_minalpher_mac(const uint8_t *key, const uint8_t *data, size_t data_bytes,
                             uint8_t *tag, size_t tag_bytes);

/*
 * ROUNDWORKS_OK if tag is that of data in the MAC mode, ROUNDWORKS_ERROR_TAG if not, in constant
 * time.
 */
ROUNDWORKS_MUST_USE
int roundworks_minalpher_mac_verify(const uint8_t *key, const uint8_t *data, size_t data_bytes,
                                    const uint8_t *tag, size_t tag_bytes);

/*-----------------------------------------------------------------------------------------------
 * Any cipher by name, with its key set once, on the CPU or on a GPU. Here the tag follows the
 * ciphertext.
 *
 * On a GPU these functions copy messages from host memory and back. A long one goes in parts: while
 * one part is computed, the next is copied in and the last out. To be opened it is read twice, for
 * its tag and then for its text; nobody may write to it meanwhile.
 */

/* A cipher with its key. */
typedef struct roundworks_cipher roundworks_cipher;

/*
 * One of several messages under a key. Its output has the size that roundworks_sealed_bytes() or
 * roundworks_opened_bytes() gives for data_bytes, and shares no byte with anything.
 */
typedef struct roundworks_message {
  /* Of roundworks_nonce_bytes(). */
  const uint8_t *nonce;
  /* Associated data. */
  const uint8_t *ad;
  /* Its size. */
  size_t ad_bytes;
  /* Plaintext, or ciphertext and tag. */
  const uint8_t *data;
  /* Its size. */
  size_t data_bytes;
  /* The output. */
  uint8_t *out;
  /* Its size. */
  size_t out_bytes;
  /*
   * Set by roundworks_open_many(): how many bytes of out are the data. Less than out_bytes if the
   * cipher pads, 0 if the message was refused.
   */
  size_t opened_bytes;
  /* Set by roundworks_open_many(): ROUNDWORKS_OK if this message was opened. */
  int result;
} roundworks_message;

/*
 * Sets a key. name is such as "aegis-128l", "aegis-256x2" or "rocca-s"; tag_bytes 0 is the cipher's
 * usual size; backend NULL is the fastest on this CPU.
 */
ROUNDWORKS_MUST_USE
roundworks_cipher *roundworks_cipher_new(const char *name, const uint8_t *key, size_t key_bytes,
                                         size_t tag_bytes, const char *backend);

/* Wipes the key and frees the cipher; on a GPU once the work of every stream with it is done. */
void roundworks_cipher_free(roundworks_cipher *cipher);

/*
 * Name of the back end in use, such as "vaes512", or on a GPU its architecture, such as "sm_90"; valid
 * as long as the cipher.
 */
const char *roundworks_cipher_backend(const roundworks_cipher *cipher);

/* Size of a nonce. */
size_t roundworks_nonce_bytes(const roundworks_cipher *cipher);

/* Size of a tag. */
size_t roundworks_tag_bytes(const roundworks_cipher *cipher);

/* Size of the ciphertext of data_bytes, tag included. */
size_t roundworks_sealed_bytes(const roundworks_cipher *cipher, size_t data_bytes);

/* Size of the output for sealed_bytes of ciphertext and tag; 0 too if none has that size. */
size_t roundworks_opened_bytes(const roundworks_cipher *cipher, size_t sealed_bytes);

/* Writes ciphertext and tag to out, which has roundworks_sealed_bytes(). */
int roundworks_seal(const roundworks_cipher *cipher, const uint8_t *nonce, size_t nonce_bytes,
                    const uint8_t *ad, size_t ad_bytes, const uint8_t *data, size_t data_bytes,
                    uint8_t *out, size_t out_bytes);

/*
 * Writes the data to out, which has roundworks_opened_bytes(), if they are authentic, and sets
 * *data_bytes to their size. On a GPU zeros follow them.
 */
ROUNDWORKS_MUST_USE
int roundworks_open(const roundworks_cipher *cipher, const uint8_t *nonce, size_t nonce_bytes,
                    const uint8_t *ad, size_t ad_bytes, const uint8_t *sealed, size_t sealed_bytes,
                    uint8_t *out, size_t out_bytes, size_t *data_bytes);

/*
 * Seals independent messages, interleaved where the CPU gains by it, on a GPU in a few
 * launches whatever the sizes are. Their result and opened_bytes
 * are not written.
 */
int roundworks_seal_many(const roundworks_cipher *cipher, const roundworks_message *messages,
                         size_t count);

/*
 * Opens independent messages; ROUNDWORKS_ERROR_TAG if any was refused. The result of each message is
 * ROUNDWORKS_OK or ROUNDWORKS_ERROR_TAG, and the output of a refused one is all zero. After any other
 * error nothing was opened, and that error is the result of all. *refused is set to the number of
 * refused messages; refused may be NULL.
 */
ROUNDWORKS_MUST_USE
int roundworks_open_many(const roundworks_cipher *cipher, roundworks_message *messages,
                         size_t count, size_t *refused);

/*-----------------------------------------------------------------------------------------------
 * Messages incrementally, under a cipher by name. The cipher may be freed before its messages.
 */

/*
 * A message that is being opened. Its output holds unverified plaintext, which must not be read before
 * roundworks_opening_finish() has returned ROUNDWORKS_OK.
 */
typedef struct roundworks_opening roundworks_opening;

/* A message that is being sealed. */
typedef struct roundworks_sealing roundworks_sealing;

/* Begins to seal a message. */
ROUNDWORKS_MUST_USE
roundworks_sealing *roundworks_sealing_new(const roundworks_cipher *cipher, const uint8_t *nonce,
                                           size_t nonce_bytes);

/* Adds associated data; before the first data. */
int roundworks_sealing_ad(roundworks_sealing *sealing, const uint8_t *ad, size_t ad_bytes);

/* Size that roundworks_sealing_update() will write for data_bytes more. */
size_t roundworks_sealing_update_bytes(const roundworks_sealing *sealing, size_t data_bytes);

/*
 * Encrypts the next data. out has exactly roundworks_sealing_update_bytes(), and shares no byte with
 * data.
 */
int roundworks_sealing_update(roundworks_sealing *sealing, const uint8_t *data, size_t data_bytes,
                              uint8_t *out, size_t out_bytes);

/* Size that roundworks_sealing_finish() will write. */
size_t roundworks_sealing_finish_bytes(const roundworks_sealing *sealing);

/*
 * Writes the rest of the ciphertext and the tag to out, which has exactly
 * roundworks_sealing_finish_bytes(). Frees sealing, whatever it returns.
 */
int roundworks_sealing_finish(roundworks_sealing *sealing, uint8_t *out, size_t out_bytes);

/* Abandons a message. */
void roundworks_sealing_free(roundworks_sealing *sealing);

/* Begins to open a message into out, which must stay until the message is finished or abandoned. */
ROUNDWORKS_MUST_USE
roundworks_opening *roundworks_opening_new(const roundworks_cipher *cipher, const uint8_t *nonce,
                                           size_t nonce_bytes, uint8_t *out, size_t out_bytes);

/* Adds associated data; before the first ciphertext. */
int roundworks_opening_ad(roundworks_opening *opening, const uint8_t *ad, size_t ad_bytes);

/*
 * Decrypts the next ciphertext, which shares no byte with the output. ROUNDWORKS_OK says nothing of
 * the output: roundworks_opening_finish() alone verifies it.
 */
int roundworks_opening_update(roundworks_opening *opening, const uint8_t *data, size_t data_bytes);

/*
 * Verifies the tag and sets *data_bytes to how many bytes of the output are the data. If the tag is
 * wrong, all that was written becomes zero. Frees opening, whatever it returns.
 */
ROUNDWORKS_MUST_USE
int roundworks_opening_finish(roundworks_opening *opening, const uint8_t *tag, size_t tag_bytes,
                              size_t *data_bytes);

/* Abandons a message; all that was written becomes zero, so its output must still be there. */
void roundworks_opening_free(roundworks_opening *opening);

/*-----------------------------------------------------------------------------------------------
 * A MAC by name, incrementally: AEGIS, or Minalpher, which takes no nonce.
 */

/* A MAC that is being computed. */
typedef struct roundworks_mac roundworks_mac;

/*
 * Begins a MAC. name is such as "aegis-128l", "aegis-256x2" or "minalpher"; tag_bytes 0 is the usual
 * size; backend NULL is the fastest on this CPU.
 */
ROUNDWORKS_MUST_USE
roundworks_mac *roundworks_mac_new(const char *name, const uint8_t *key, size_t key_bytes,
                                   const uint8_t *nonce, size_t nonce_bytes, size_t tag_bytes,
                                   const char *backend);

/* Size of the tag. */
size_t roundworks_mac_tag_bytes(const roundworks_mac *mac);

/* Adds data. */
int roundworks_mac_update(roundworks_mac *mac, const uint8_t *data, size_t data_bytes);

/* Writes the tag, which has exactly roundworks_mac_tag_bytes(). Frees mac, whatever it returns. */
int roundworks_mac_finish(roundworks_mac *mac, uint8_t *tag, size_t tag_bytes);

/*
 * ROUNDWORKS_OK if tag is that of all data, ROUNDWORKS_ERROR_TAG if not, in constant time. Frees mac,
 * whatever it returns.
 */
ROUNDWORKS_MUST_USE
int roundworks_mac_verify(roundworks_mac *mac, const uint8_t *tag, size_t tag_bytes);

/* Abandons a MAC. */
void roundworks_mac_free(roundworks_mac *mac);

/*-----------------------------------------------------------------------------------------------
 * Permutations of 32 and 64 bytes and the hash functions made of them, by name.
 */

/* A hash function of one block, of 32 or of 64 bytes, to 32. */
typedef struct roundworks_hash roundworks_hash;

/* A permutation of 32 or of 64 bytes. */
typedef struct roundworks_permutation roundworks_permutation;

/*
 * name is such as "simpira-2", "haraka-512", "areion-256", "feistel256:2-0,1-1", ..., or any other
 * configuration of the Feistel family, such as "feistel512:1-1,2-3,2-1,1-0/2,3,1,0"; a number of
 * rounds may follow, as in "haraka-256:3.5". backend NULL is the fastest on this CPU.
 */
ROUNDWORKS_MUST_USE
roundworks_permutation *roundworks_permutation_new(const char *name, const char *backend);

/* Frees it. */
void roundworks_permutation_free(roundworks_permutation *permutation);

/* Name of the back end in use, such as "vaes512"; valid as long as the permutation. */
const char *roundworks_permutation_backend(const roundworks_permutation *permutation);

/* Size of a block. */
size_t roundworks_block_bytes(const roundworks_permutation *permutation);

/*
 * Permutes each of the blocks, which follow each other, blocks_bytes in all; interleaved where the CPU
 * gains by it.
 */
int roundworks_permute(const roundworks_permutation *permutation, uint8_t *blocks,
                       size_t blocks_bytes);

/* The inverse of roundworks_permute(). */
int roundworks_inverse(const roundworks_permutation *permutation, uint8_t *blocks,
                       size_t blocks_bytes);

/*
 * name is "haraka-256", "haraka-512", "areion-256-dm" or "areion-512-dm". backend NULL is the fastest
 * on this CPU.
 */
ROUNDWORKS_MUST_USE
roundworks_hash *roundworks_hash_new(const char *name, const char *backend);

/* Frees it. */
void roundworks_hash_free(roundworks_hash *hash);

/* Size of an input. */
size_t roundworks_input_bytes(const roundworks_hash *hash);

/*
 * Writes 32 bytes to outputs for each of the inputs, which follow each other, inputs_bytes in all;
 * interleaved where the CPU gains by it. The outputs share no byte with the inputs.
 */
int roundworks_hash_many(const roundworks_hash *hash, const uint8_t *inputs, size_t inputs_bytes,
                         uint8_t *outputs);

/* Writes Areion512-MD of a message of at most 2^29 - 1 bytes to hash, 32 bytes. */
int roundworks_areion512_md(const uint8_t *message, size_t message_bytes, uint8_t *hash);

/*
 * Encrypts each block with Pholkos under one key and one tweak of 16 bytes. A key of 32 bytes is for
 * blocks of 32, one of 64 for blocks of 64. For study: no test vectors of its designers are known.
 */
int roundworks_pholkos_encrypt(const uint8_t *key, size_t key_bytes, const uint8_t *tweak,
                               uint8_t *blocks, size_t blocks_bytes);

/* The inverse of roundworks_pholkos_encrypt(). */
int roundworks_pholkos_decrypt(const uint8_t *key, size_t key_bytes, const uint8_t *tweak,
                               uint8_t *blocks, size_t blocks_bytes);

/*-----------------------------------------------------------------------------------------------
 * GPUs: Minalpher, AES-128-GCM, AES-256-GCM, AEGIS-128L, Rocca-S and AETHER, with the return values
 * and messages of the CPU.
 *
 * NVIDIA's driver is loaded by roundworks_gpu_new(), so nothing of it is linked. Tags are compared in
 * constant time, and plaintext is written only after its tag was verified, on the device too. Scratch
 * memory comes from a pool of the library, and is wiped there before it goes back; the pool keeps it
 * for the next call unless roundworks_gpu_keep_bytes() says otherwise.
 */

/* A GPU of this machine, with the machine code of its ciphers. */
typedef struct roundworks_gpu roundworks_gpu;

/*
 * Opens a GPU, which the driver numbers from 0, and sets *gpu.
 *
 * kernels is the folder of the machine code that "make install-gpu" makes; NULL is the folder
 * "roundworks" next to this library. driver is the path of NVIDIA's library; NULL is "libcuda.so.1".
 * ROUNDWORKS_ERROR_UNAVAILABLE if any of it is missing, is too old, or not for that GPU:
 * roundworks_cipher_new() has the same ciphers on the CPU, except AES-GCM.
 */
ROUNDWORKS_MUST_USE
int roundworks_gpu_new(unsigned int number, const char *kernels, const char *driver,
                       roundworks_gpu **gpu);

/* Frees a GPU and all of its memory, once its last cipher and pinned memory are freed too. */
void roundworks_gpu_free(roundworks_gpu *gpu);

/* Such as "NVIDIA H200"; valid as long as the GPU. */
const char *roundworks_gpu_name(const roundworks_gpu *gpu);

/* Such as "sm_90"; valid as long as the GPU. */
const char *roundworks_gpu_architecture(const roundworks_gpu *gpu);

/* Sets *free_bytes to how much memory a call may take: what is free, and what the pool keeps. */
int roundworks_gpu_free_bytes(const roundworks_gpu *gpu, size_t *free_bytes);

/*
 * Sets *cipher to one on a GPU, for the functions of any cipher and for memory of the device. name is "minalpher", "aes-128-gcm", "aes-256-gcm", "aegis-128l", "rocca-s", or for
 * study "aether", which is forgeable as published, and "aether-lb". tag_bytes 0 is the cipher's usual
 * size.
 */
ROUNDWORKS_MUST_USE
int roundworks_gpu_cipher_new(const roundworks_gpu *gpu, const char *name, const uint8_t *key,
                              size_t key_bytes, size_t tag_bytes, roundworks_cipher **cipher);

/*-----------------------------------------------------------------------------------------------
 * Messages in the memory of a GPU, as work of the caller's stream.
 *
 * stream is a CUstream or NULL. Memory is of the device's primary context, which the CUDA runtime uses
 * too. Memory and cipher must stay until the work is done. Addresses are each a CUdeviceptr, a multiple
 * of 16. Buffers extend to a multiple of 32 bytes for Minalpher, of 16 for the others: what is after an
 * input's end may be read, and what is after the output's end is written.
 */

/* One message in the memory of a GPU. */
typedef struct roundworks_gpu_message {
  /* Associated data. */
  uint64_t ad;
  /* Its size. */
  size_t ad_bytes;
  /* Plaintext, or ciphertext without its tag. */
  uint64_t data;
  /* Its size. */
  size_t data_bytes;
  /* The output. It may be data, except for Minalpher, and shares no byte with anything else. */
  uint64_t out;
  /* Its tag, written by sealing. */
  uint64_t tag;
} roundworks_gpu_message;

/*
 * Messages of one size in the memory of a GPU, except for Minalpher: rows that each begin at a
 * multiple of 16 bytes.
 */
typedef struct roundworks_gpu_rows {
  /* Number of messages. */
  size_t count;
  /* Nonces, without gaps. */
  uint64_t nonces;
  /* Rows of associated data. */
  uint64_t ad;
  /* Size of each. */
  size_t ad_bytes;
  /* 1 if one row of associated data is for all messages, else count. */
  size_t ad_count;
  /* Rows of plaintext, or of ciphertext without tags. */
  uint64_t data;
  /* Size of each. */
  size_t data_bytes;
  /* Rows of output, which share no byte with anything. */
  uint64_t out;
  /* Tags, without gaps, written by sealing. */
  uint64_t tags;
} roundworks_gpu_rows;

/*
 * Enqueues the encryption of a message and returns. For Minalpher out has 32 bytes for each full 32
 * of data, and 32 more.
 */
int roundworks_gpu_seal_on_device(const roundworks_cipher *cipher, const uint8_t *nonce,
                                  size_t nonce_bytes, const roundworks_gpu_message *message,
                                  void *stream);

/*
 * Opens a message once stream has done its work, waits for the result, and sets *data_bytes to how
 * many bytes of out are the data.
 */
ROUNDWORKS_MUST_USE
int roundworks_gpu_open_on_device(const roundworks_cipher *cipher, const uint8_t *nonce,
                                  size_t nonce_bytes, const roundworks_gpu_message *message,
                                  size_t *data_bytes, void *stream);

/* Enqueues the encryption of rows and returns. */
int roundworks_gpu_seal_rows(const roundworks_cipher *cipher, const roundworks_gpu_rows *rows,
                             void *stream);

/*
 * Enqueues the decryption of rows and returns. At verdicts, in the memory of the GPU, a uint32_t for
 * each row becomes 1 if the row is authentic; else 0, and the row becomes zeros.
 */
int roundworks_gpu_open_rows(const roundworks_cipher *cipher, const roundworks_gpu_rows *rows,
                             uint64_t verdicts, void *stream);

/*-----------------------------------------------------------------------------------------------
 * Memory of a GPU and of its host.
 */

/* Pinned host memory: long messages in it are copied while others are computed, without a buffer. */
typedef struct roundworks_gpu_pinned roundworks_gpu_pinned;

/* Allocates pinned host memory, all zeros, and sets *pinned. */
ROUNDWORKS_MUST_USE
int roundworks_gpu_pinned_new(const roundworks_gpu *gpu, size_t bytes,
                              roundworks_gpu_pinned **pinned);

/* Its first byte; valid as long as pinned. */
uint8_t *roundworks_gpu_pinned_memory(roundworks_gpu_pinned *pinned);

/* Wipes and frees the memory, which no call may use any more. */
void roundworks_gpu_pinned_free(roundworks_gpu_pinned *pinned);

/*
 * Sets the size of the parts that longer messages of Minalpher and AES-GCM go in: a multiple of 1024,
 * 16 MiB by default. Four parts are on the GPU at a time, and four in pinned memory unless all of the
 * message is in pinned memory.
 */
int roundworks_gpu_set_increment_bytes(const roundworks_gpu *gpu, size_t bytes);

/*
 * Sets up to how many bytes of the GPU's memory the library keeps for the next call, after no message
 * and no cipher uses them: all by default, with 0 none. What is more goes back when a call waits for
 * the GPU; it was wiped before.
 */
int roundworks_gpu_keep_bytes(const roundworks_gpu *gpu, size_t bytes);

/*
 * Gives back now what is kept of the GPU's memory until the library has at most this many bytes, and
 * the pinned buffers that messages went through.
 */
int roundworks_gpu_trim(const roundworks_gpu *gpu, size_t bytes);

/* Sets *owned_bytes to how much of the GPU's memory the library has, in use or kept. */
int roundworks_gpu_owned_bytes(const roundworks_gpu *gpu, size_t *owned_bytes);

#ifdef __cplusplus
}
#endif

#endif /* ROUNDWORKS_H */
