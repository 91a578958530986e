//! Entry points: where code that any CPU runs calls code that only some can.

use core::mem::MaybeUninit;

/// One function that detects the token anew, which costs a relaxed load, and so needs no promise
/// of its caller. What is inside is compiled for the token's instructions.
macro_rules! entry {
    (
        $Token:ident [$($features:literal)?]
        $name:ident($($arg:ident: $type:ty),*) = |$cpu:ident| $body:expr
    ) => {
        fn $name<C: Stream<$Token>>($($arg: $type),*) {
            $(#[target_feature(enable = $features)])?
            fn inside<C: Stream<$Token>>($cpu: $Token, $($arg: $type),*) {
                $body
            }
            let cpu = $Token::detect().expect("handed out only after its back end was detected");
            // SAFETY: `cpu` proves that the CPU has the features.
            #[allow(unused_unsafe)]
            unsafe {
                inside::<C>(cpu, $($arg),*);
            }
        }
    };
}
pub(super) use entry;

/// Clears the dead stack below its caller, so many times 256 bytes. Not by `memset`: with it a
/// message of 64 bytes took 30 cycles longer on an Intel core, probably because its 512-bit stores
/// leave one unit less for AES rounds.
#[inline(never)]
pub(crate) fn clear_stack<const BLOCKS: usize>() {
    clear_here::<BLOCKS>();
}

/// The same in the stack frame of its caller, with the registers that it is compiled for.
#[inline(always)]
pub(super) fn clear_here<const BLOCKS: usize>() {
    let mut stack = [const { MaybeUninit::<[u8; 256]>::uninit() }; BLOCKS];
    for block in &mut stack {
        zeroize::optimization_barrier(block.write([0; 256]));
    }
}

/// Gives the token type of a back end the kernels of all ciphers written for it. After an entry
/// point so many times 256 bytes of stack are cleared: `$one`, `$wide` for a state of more than
/// 128 bytes, `$many` for messages side by side, four times that for a mode that works in batches.
macro_rules! kernel {
    (
        $Token:ident: $backend:ident, [$($features:literal)?],
        $one:literal, $wide:literal or $many:literal blocks of stack
    ) => {
        impl $crate::arch::Kernels for $Token {
            fn kernel<C>() -> Option<&'static $crate::stream::Kernel<C>>
            where
                C: $crate::stream::Stream<Self>,
            {
                use inout::InOutBuf;
                use $crate::arch::Saved;
                use $crate::arch::entry::{clear_stack, entry};
                use $crate::stream::{self, Block, Direction, Kernel, Lane, Stream};

                entry! {
                    $Token [$($features)?]
                    encrypt(
                        key: &C::Key, nonce: &C::Nonce, ad: &[u8], buf: InOutBuf<'_, '_, u8>,
                        tag: &mut [u8]
                    ) = |cpu| {
                        stream::crypt::<C, _>(cpu, key, nonce, ad, buf, tag, Direction::Encrypt)
                    }
                }
                entry! {
                    $Token [$($features)?]
                    decrypt(
                        key: &C::Key, nonce: &C::Nonce, ad: &[u8], buf: InOutBuf<'_, '_, u8>,
                        tag: &mut [u8]
                    ) = |cpu| {
                        stream::crypt::<C, _>(cpu, key, nonce, ad, buf, tag, Direction::Decrypt)
                    }
                }
                entry! {
                    $Token [$($features)?]
                    start(key: &C::Key, nonce: &C::Nonce, state: &mut Saved) =
                        |cpu| state.put(C::start(cpu, key, nonce))
                }
                entry! {
                    $Token [$($features)?]
                    absorb(state: &mut Saved, ad: &[u8]) = |cpu| {
                        // SAFETY: every state of this kernel is put by `start` or by its like.
                        let s = unsafe { state.get() };
                        state.put(stream::absorb::<C, _>(cpu, s, ad));
                    }
                }
                entry! {
                    $Token [$($features)?]
                    encrypt_blocks(state: &mut Saved, buf: InOutBuf<'_, '_, u8>) = |cpu| {
                        // SAFETY: as in `absorb`.
                        let s = unsafe { state.get() };
                        state.put(stream::crypt_blocks::<C, _>(cpu, s, buf, Direction::Encrypt));
                    }
                }
                entry! {
                    $Token [$($features)?]
                    decrypt_blocks(state: &mut Saved, buf: InOutBuf<'_, '_, u8>) = |cpu| {
                        // SAFETY: as in `absorb`.
                        let s = unsafe { state.get() };
                        state.put(stream::crypt_blocks::<C, _>(cpu, s, buf, Direction::Decrypt));
                    }
                }
                entry! {
                    $Token [$($features)?]
                    keystream(state: &Saved, block: &mut Block<C>) = |cpu| {
                        // SAFETY: as in `absorb`.
                        *block = C::keystream(cpu, unsafe { state.get() });
                    }
                }
                entry! {
                    $Token [$($features)?]
                    finish(state: &Saved, key: &C::Key, lengths: [u64; 2], tag: &mut [u8]) =
                        // SAFETY: as in `absorb`.
                        |cpu| C::finish(cpu, unsafe { state.get() }, key, lengths, tag)
                }
                entry! {
                    $Token [$($features)?]
                    finish_lanes(state: &mut Saved, counts: [u64; 2], tags: &mut [u8]) = |cpu| {
                        // SAFETY: as in `absorb`.
                        let s = unsafe { state.get() };
                        state.put(C::finish_lanes(cpu, s, counts, tags));
                    }
                }
                entry! {
                    $Token [$($features)?]
                    many(
                        key: &C::Key, lanes: &mut [Lane<'_, C::Nonce>], direction: Direction
                    ) = |cpu| C::many(cpu, key, lanes, direction)
                }
                Self::detect()?;
                Some(const {
                    &Kernel {
                        backend: $crate::Backend::$backend,
                        encrypt: encrypt::<C>,
                        decrypt: decrypt::<C>,
                        start: start::<C>,
                        absorb: absorb::<C>,
                        encrypt_blocks: encrypt_blocks::<C>,
                        decrypt_blocks: decrypt_blocks::<C>,
                        keystream: keystream::<C>,
                        finish: finish::<C>,
                        finish_lanes: finish_lanes::<C>,
                        width: C::WIDTH,
                        pays: C::pays,
                        many: many::<C>,
                        wipe_stack: const {
                            if C::BATCHES {
                                // A batch lies in the frames of the mode and of the permutation.
                                clear_stack::<{ 4 * $many }>
                            } else if size_of::<C::State>() <= 128 {
                                clear_stack::<$one>
                            } else {
                                clear_stack::<$wide>
                            }
                        },
                        wipe_many: clear_stack::<$many>,
                    }
                })
            }
        }
    };
}
pub(super) use kernel;

/// Gives the token type of a back end the kernels of all permutations: many blocks in words of
/// `$lanes` lanes, of two words `$two` groups in turns, of four `$four`, or `$sooner` of a family that
/// says so. What is left goes one by one, or by `$rest_two` and `$rest_four` first.
macro_rules! permuting {
    (
        $Token:ident: $backend:ident, [$($features:literal)?],
        $lanes:literal lanes, $two:literal or $four:literal groups in turns
        $(, $sooner:literal sooner)?
        $(, then $rest_two:literal or $rest_four:literal)?
    ) => {
        impl $crate::permutation::kernel::Permuting for $Token {
            const LANES: usize = $lanes;

            #[inline(always)]
            fn batch(words: usize) -> usize {
                $lanes * if words == 2 { $two } else { $four }
            }

            #[inline(always)]
            fn permutation<F, P: 'static, const W: usize>(
                self,
            ) -> &'static $crate::permutation::kernel::Kernel<W, P>
            where
                F: $crate::permutation::kernel::Family<W, P>,
            {
                Self::permuting::<F, P, W>().expect("a token is proof that it was detected")
            }
        }

        impl $Token {
            /// The kernel of a permutation, if this CPU has the instructions.
            pub(in crate::arch) fn permuting<F, P: 'static, const W: usize>()
            -> Option<&'static $crate::permutation::kernel::Kernel<W, P>>
            where
                F: $crate::permutation::kernel::Family<W, P>,
            {
                use $crate::arch::entry::permuting;
                use $crate::aes::Lane;
                use $crate::permutation::kernel::{Family, Kernel, Way, many, one};

                permuting! {
                    entry $Token [$($features)?]
                    forward(x: &mut [Lane; W], times: usize) =
                        |cpu, p| one::<F, _, P, W>(cpu, Way::Forward, p, x, times)
                }
                permuting! {
                    entry $Token [$($features)?]
                    backward(x: &mut [Lane; W], times: usize) =
                        |cpu, p| one::<F, _, P, W>(cpu, Way::Backward, p, x, times)
                }
                permuting! {
                    entry $Token [$($features)?]
                    forward_many(x: &mut [[Lane; W]]) = |cpu, p| if W == 2 {
                        many::<F, _, P, W, $lanes, $two, { 1 $(* $rest_two)? }>(
                            cpu, Way::Forward, p, x,
                        )
                    } $(else if F::SOONER {
                        many::<F, _, P, W, $lanes, $sooner, 1>(cpu, Way::Forward, p, x)
                    })? else {
                        many::<F, _, P, W, $lanes, $four, { 1 $(* $rest_four)? }>(
                            cpu, Way::Forward, p, x,
                        )
                    }
                }
                permuting! {
                    entry $Token [$($features)?]
                    backward_many(x: &mut [[Lane; W]]) = |cpu, p| if W == 2 {
                        many::<F, _, P, W, $lanes, $two, { 1 $(* $rest_two)? }>(
                            cpu, Way::Backward, p, x,
                        )
                    } $(else if F::SOONER {
                        many::<F, _, P, W, $lanes, $sooner, 1>(cpu, Way::Backward, p, x)
                    })? else {
                        many::<F, _, P, W, $lanes, $four, { 1 $(* $rest_four)? }>(
                            cpu, Way::Backward, p, x,
                        )
                    }
                }
                Self::detect()?;
                Some(const {
                    &Kernel {
                        backend: $crate::Backend::$backend,
                        forward: forward::<F, P, W>,
                        backward: backward::<F, P, W>,
                        forward_many: forward_many::<F, P, W>,
                        backward_many: backward_many::<F, P, W>,
                    }
                })
            }
        }
    };
    (
        entry $Token:ident [$($features:literal)?]
        $name:ident($($x:ident: $type:ty),+) = |$cpu:ident, $p:ident| $body:expr
    ) => {
        fn $name<F: Family<W, P>, P, const W: usize>($p: &P, $($x: $type),+) {
            $(#[target_feature(enable = $features)])?
            fn inside<F: Family<W, P>, P, const W: usize>(
                $cpu: $Token,
                $p: &P,
                $($x: $type),+
            ) {
                $body
            }
            let cpu = $Token::detect().expect("handed out only after its back end was detected");
            // SAFETY: `cpu` proves that the CPU has the features.
            #[allow(unused_unsafe)]
            unsafe {
                inside::<F, P, W>(cpu, $p, $($x),+);
            }
        }
    };
}
pub(super) use permuting;
