//! Entry points: where code that any CPU runs calls code that only some can.

use core::mem::MaybeUninit;

use super::native;

/// A part of the stack, of unknown content.
pub(super) type StackBlock = MaybeUninit<[u8; 256]>;

/// Clears the dead stack below its caller, that many times 256 bytes, and the registers. Not by `memset`:
/// with it a message of 64 bytes took 30 cycles longer on an Intel core, probably because its 512-bit
/// stores leave one unit less for AES rounds.
#[inline(never)]
pub(crate) fn clear_stack<const BLOCKS: usize>() {
    native::clear_blocks(&mut [const { StackBlock::uninit() }; BLOCKS]);
    native::clear_registers();
}

/// Runs `run` in a frame of its own, then clears that many times 256 bytes of the stack that it had, and the
/// registers: for what moves a key on its way, and leaves a copy in each frame.
#[doc(hidden)]
#[inline(always)]
pub fn cleared<const BLOCKS: usize, R>(run: impl FnOnce() -> R) -> R {
    let made = out_of_line(run);
    clear_stack::<BLOCKS>();
    made
}

#[inline(never)]
fn out_of_line<R>(run: impl FnOnce() -> R) -> R {
    run()
}

/// Zeros, with the registers that the caller is compiled for.
#[inline(always)]
pub(super) fn clear_blocks(stack: &mut [StackBlock]) {
    for block in stack {
        zeroize::optimization_barrier(block.write([0; 256]));
    }
}

/// A token: its type, and what its instructions serve.
///
/// `token! { Type of Backend, compiled for ["features"], on CPUs that pass `detect`; ... }` with
///
/// - `ciphers: [ONE, WIDE or MANY blocks of stack, WHOLE]`: the kernels of all streaming ciphers written
///   for it. After an entry point that many times 256 bytes of stack are cleared: `ONE`, `WIDE` for a state
///   of more than 128 bytes, eight of a mode that works in batches, `MANY` for batched messages. `WHOLE` is how
///   a whole message goes: `inlined` unless a cipher says otherwise, or `stepwise` by the incremental entry
///   points, where no state has registers to stay in.
/// - `permutations: [LANES lanes, TWO or FOUR groups interleaved, ...]`: the kernels of all permutations: many
///   blocks in words of that many lanes, of two words `TWO` groups interleaved, of four `FOUR`, or `SOONER` of a
///   family that says so. What is left goes one by one, or by `then` that many first; `padded` to a batch on
///   the back end whose passes take as long for one.
///
/// An entry point has the instructions enabled, and `here` with them, which only such a function may call:
/// so the token proves in it what it proves everywhere. That the CPU has them is checked once, before
/// the pointers to entry points are handed out.
macro_rules! token {
    (
        $(#[$doc:meta])*
        $Token:ident of $backend:ident, compiled for $features:tt, on CPUs that pass $detect:expr;
        $($what:ident: $parameters:tt;)+
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $Token(());

        impl $Token {
            #[inline(always)]
            pub(crate) fn detect() -> Option<Self> {
                $detect.then_some(Self(()))
            }
        }

        $crate::arch::entry::token! { here $Token $features }
        $($crate::arch::entry::token! { $what $Token $backend $features $parameters })+
    };
    (here $Token:ident [$($features:literal)?]) => {
        impl $Token {
            $(#[target_feature(enable = $features)])?
            #[inline]
            pub(crate) fn here() -> Self {
                Self(())
            }
        }
    };
    (
        ciphers $Token:ident $backend:ident [$($features:literal)?]
        [$one:literal, $wide:literal or $many:literal blocks of stack, $whole:ident]
    ) => {
        #[allow(clippy::missing_transmute_annotations)] // said by the types on both sides
        impl $crate::arch::Kernels for $Token {
            const STEPWISE: bool = $crate::arch::entry::token! { is $whole };

            #[inline(always)]
            fn apart<T: $crate::arch::Apart<Self>>(self, what: &mut T) {
                $(#[target_feature(enable = $features)])?
                fn run<T: $crate::arch::Apart<$Token>>(what: &mut T) {
                    what.run($Token::here());
                }
                // By a pointer that the compiler does not see through: it would inline again.
                let run = core::hint::black_box(run::<T> as unsafe fn(_));
                // SAFETY: the token is proof that the CPU has the instructions.
                unsafe { run(what) }
            }

            fn kernel<C>() -> Option<&'static $crate::stream::Kernel<C>>
            where
                C: $crate::stream::Stream<Self>,
            {
                use core::mem::transmute;

                use inout::InOutBuf;
                use $crate::arch::Saved;
                use $crate::arch::entry::clear_stack;
                use $crate::stream::{self, Batch, Block, Kernel, Stream};

                $(#[target_feature(enable = $features)])?
                #[inline(never)]
                fn start<C: Stream<$Token>>(key: &C::Key, nonce: &C::Nonce, state: &mut Saved) {
                    state.put(C::start($Token::here(), key, nonce));
                }

                $(#[target_feature(enable = $features)])?
                #[inline(never)]
                fn absorb<C: Stream<$Token>>(state: &mut Saved, ad: &[u8]) {
                    // SAFETY: every state of this kernel is put by `start` or by its like.
                    let s = unsafe { state.get() };
                    state.put(stream::absorb::<C, _>($Token::here(), s, ad));
                }

                $(#[target_feature(enable = $features)])?
                #[inline(never)]
                fn crypt_blocks<C: Stream<$Token>, const ENCRYPT: bool>(
                    state: &mut Saved,
                    buf: InOutBuf<'_, '_, u8>,
                ) {
                    // SAFETY: as in `absorb`.
                    let s = unsafe { state.get() };
                    state.put(stream::crypt_blocks::<C, _, ENCRYPT>($Token::here(), s, buf));
                }

                $(#[target_feature(enable = $features)])?
                fn keystream<C: Stream<$Token>>(state: &Saved, block: &mut Block<C>) {
                    // SAFETY: as in `absorb`.
                    *block = C::keystream($Token::here(), unsafe { state.get() });
                }

                $(#[target_feature(enable = $features)])?
                #[inline(never)]
                fn finish<C: Stream<$Token>>(
                    state: &Saved,
                    key: &C::Key,
                    lengths: [u64; 2],
                    tag: &mut [u8],
                ) {
                    // SAFETY: as in `absorb`.
                    C::finish($Token::here(), unsafe { state.get() }, key, lengths, tag);
                }

                $(#[target_feature(enable = $features)])?
                fn finish_lanes<C: Stream<$Token>>(
                    state: &mut Saved,
                    counts: [u64; 2],
                    tags: &mut [u8],
                ) {
                    // SAFETY: as in `absorb`.
                    let s = unsafe { state.get() };
                    state.put(C::finish_lanes($Token::here(), s, counts, tags));
                }

                $(#[target_feature(enable = $features)])?
                fn many<C: Stream<$Token>>(key: &C::Key, batch: Batch<'_, '_>) {
                    C::many($Token::here(), key, batch);
                }

                $(#[target_feature(enable = $features)])?
                fn crypt<C: Stream<$Token>, const ENCRYPT: bool>(
                    key: &C::Key,
                    nonce: &C::Nonce,
                    ad: &[u8],
                    buf: InOutBuf<'_, '_, u8>,
                    tag: &mut [u8],
                ) {
                    if const { <$Token as $crate::arch::Kernels>::STEPWISE || C::STEPWISE } {
                        stepwise::<C, ENCRYPT>(key, nonce, ad, buf, tag);
                    } else {
                        stream::crypt::<C, _, ENCRYPT>($Token::here(), key, nonce, ad, buf, tag);
                    }
                }

                $(#[target_feature(enable = $features)])?
                fn stepwise<C: Stream<$Token>, const ENCRYPT: bool>(
                    key: &C::Key,
                    nonce: &C::Nonce,
                    ad: &[u8],
                    buf: InOutBuf<'_, '_, u8>,
                    tag: &mut [u8],
                ) {
                    let lengths = [ad.len() as u64, buf.len() as u64];
                    let mut state = Saved::uninit();
                    start::<C>(key, nonce, &mut state);
                    if !ad.is_empty() {
                        absorb::<C>(&mut state, ad);
                    }
                    if !buf.is_empty() {
                        crypt_blocks::<C, ENCRYPT>(&mut state, buf);
                    }
                    finish::<C>(&state, key, lengths, tag);
                }

                Self::detect()?;
                Some(const {
                    // SAFETY: the pointers are handed out behind `detect`, and that an entry point must
                    // not be called without the instructions is all that makes its type an unsafe one.
                    unsafe {
                        &Kernel {
                            backend: $crate::Backend::$backend,
                            encrypt: transmute(crypt::<C, true> as unsafe fn(_, _, _, _, _)),
                            decrypt: transmute(crypt::<C, false> as unsafe fn(_, _, _, _, _)),
                            start: transmute(start::<C> as unsafe fn(_, _, _)),
                            absorb: transmute(absorb::<C> as unsafe fn(_, _)),
                            encrypt_blocks: transmute(crypt_blocks::<C, true> as unsafe fn(_, _)),
                            decrypt_blocks: transmute(crypt_blocks::<C, false> as unsafe fn(_, _)),
                            keystream: transmute(keystream::<C> as unsafe fn(_, _)),
                            finish: transmute(finish::<C> as unsafe fn(_, _, _, _)),
                            finish_lanes: transmute(finish_lanes::<C> as unsafe fn(_, _, _)),
                            width: C::WIDTH,
                            pays: C::pays,
                            many: transmute(many::<C> as unsafe fn(_, _)),
                            wipe_stack: const {
                                if C::BATCHES {
                                    // A batch lies in the frames of the mode and of the permutation, and where
                                    // it goes by steps, of what they call.
                                    clear_stack::<
                                        {
                                            if <$Token as $crate::arch::Kernels>::STEPWISE {
                                                2 * $many
                                            } else {
                                                8
                                            }
                                        },
                                    >
                                } else if C::STEPWISE {
                                    // The state between two steps, too.
                                    clear_stack::<$many>
                                } else if size_of::<C::State>() <= 128 {
                                    clear_stack::<$one>
                                } else {
                                    clear_stack::<$wide>
                                }
                            },
                            // And in the frames of `many` between the calls of the two.
                            wipe_many: clear_stack::<{ 32 + $many }>,
                            wipe_alike: clear_stack::<{ 4 + $many }>,
                        }
                    }
                })
            }
        }
    };
    (is inlined) => {
        false
    };
    (is stepwise) => {
        true
    };
    (
        permutations $Token:ident $backend:ident [$($features:literal)?]
        [
            $lanes:literal lanes, $two:literal or $four:literal groups interleaved
            $(, $sooner:literal sooner)? $(, then $rest_two:literal or $rest_four:literal)?
            $(; $padded:ident)?
        ]
    ) => {
        #[allow(clippy::missing_transmute_annotations)] // as of ciphers
        impl $crate::permutation::kernel::Permuting for $Token {
            const LANES: usize = $lanes;

            #[inline(always)]
            fn batch(words: usize) -> usize {
                $lanes * if words == 2 { $two } else { $four }
            }

            fn permuting<F, P: 'static, const W: usize>()
            -> Option<&'static $crate::permutation::kernel::Kernel<W, P>>
            where
                F: $crate::permutation::kernel::Family<W, P>,
            {
                Self::detect().map(|l| l.permutation::<F, P, W>())
            }

            #[inline(always)]
            fn permutation<F, P: 'static, const W: usize>(
                self,
            ) -> &'static $crate::permutation::kernel::Kernel<W, P>
            where
                F: $crate::permutation::kernel::Family<W, P>,
            {
                use core::mem::transmute;

                use $crate::aes::Lane;
                #[allow(unused_imports)] // `padded` or `many`
                use $crate::permutation::kernel::{Family, Kernel, many, one, padded};

                $(#[target_feature(enable = $features)])?
                #[inline(never)]
                fn forward<F: Family<W, P>, P, const W: usize>(
                    p: &P,
                    x: &mut [Lane; W],
                    times: usize,
                ) {
                    one::<F, _, P, W, true>($Token::here(), p, x, times);
                }

                $(#[target_feature(enable = $features)])?
                #[inline(never)]
                fn backward<F: Family<W, P>, P, const W: usize>(
                    p: &P,
                    x: &mut [Lane; W],
                    times: usize,
                ) {
                    one::<F, _, P, W, false>($Token::here(), p, x, times);
                }

                $(#[target_feature(enable = $features)])?
                #[inline(never)]
                fn forward_many<F: Family<W, P>, P: 'static, const W: usize>(p: &P, x: &mut [[Lane; W]]) {
                    batches::<F, P, W, true>($Token::here(), p, x);
                }

                $(#[target_feature(enable = $features)])?
                #[inline(never)]
                fn backward_many<F: Family<W, P>, P: 'static, const W: usize>(p: &P, x: &mut [[Lane; W]]) {
                    batches::<F, P, W, false>($Token::here(), p, x);
                }

                $crate::arch::entry::token! {
                    batches $Token $lanes [$two $four $($sooner)?] $([then $rest_two $rest_four])? $($padded)?
                }

                const {
                    // SAFETY: as of ciphers; the token is proof that the CPU has the instructions.
                    unsafe {
                        &Kernel {
                            backend: $crate::Backend::$backend,
                            forward: transmute(forward::<F, P, W> as unsafe fn(_, _, _)),
                            backward: transmute(backward::<F::Inverse, P, W> as unsafe fn(_, _, _)),
                            forward_many: transmute(forward_many::<F, P, W> as unsafe fn(_, _)),
                            backward_many: transmute(
                                backward_many::<F::Inverse, P, W> as unsafe fn(_, _),
                            ),
                        }
                    }
                }
            }
        }
    };
    (
        batches $Token:ident $lanes:literal [$two:literal $four:literal $($sooner:literal)?]
        $([then $rest_two:literal $rest_four:literal])?
    ) => {
        #[inline(always)]
        fn batches<F: Family<W, P>, P: 'static, const W: usize, const FORWARD: bool>(
            l: $Token,
            p: &P,
            x: &mut [[Lane; W]],
        ) {
            if const { W == 2 } {
                many::<F, _, P, W, $lanes, $two, { 1 $(* $rest_two)? }, FORWARD>(l, p, x);
            } $(else if const { F::SOONER } {
                many::<F, _, P, W, $lanes, $sooner, 1, FORWARD>(l, p, x);
            })? else {
                many::<F, _, P, W, $lanes, $four, { 1 $(* $rest_four)? }, FORWARD>(l, p, x);
            }
        }
    };
    (batches $Token:ident $lanes:literal [$two:literal $_four:literal] padded) => {
        #[inline(always)]
        fn batches<F: Family<W, P>, P: 'static, const W: usize, const FORWARD: bool>(
            l: $Token,
            p: &P,
            x: &mut [[Lane; W]],
        ) {
            padded::<F, _, P, W, $lanes, $two, FORWARD>(l, p, x);
        }
    };
}
pub(super) use token;
