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
