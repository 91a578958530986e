//! The crate as functions of C, named as those of generated C{{ "" if permutes else "; a key is a handle" }}.

use core::ffi::{CStr, c_char, c_int};
{% if permutes %}
use core::slice::from_raw_parts_mut;
{% else %}
use core::slice::{from_raw_parts, from_raw_parts_mut};
{% endif %}
use core::sync::atomic::{AtomicUsize, Ordering};

{% if permutes %}
use made::{BLOCK, Backend, permute_with};
{% else %}
use made::{Backend, NONCE, TAG, {{ type }}};
{% endif %}

const NAMES: &[&CStr] = &[{% for name in backends %}c"{{ name }}"{{ ", " if not loop.last }}{% endfor %}];
static CHOSEN: AtomicUsize = AtomicUsize::new(0);

#[unsafe(no_mangle)]
pub extern "C" fn {{ name }}_backend_name(index: usize) -> *const c_char {
    NAMES.get(index).map_or(core::ptr::null(), |name| name.as_ptr())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn {{ name }}_choose_backend(wanted: *const c_char) -> c_int {
    let wanted = unsafe { CStr::from_ptr(wanted) };
    match NAMES.iter().position(|name| *name == wanted) {
        Some(i) if Backend::ALL[i].is_available() => {
            CHOSEN.store(i, Ordering::Relaxed);
            0
        }
        _ => -1,
    }
}

{% if permutes %}
/// In place: `out` is `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn {{ name }}_permute(out: *mut [u8; BLOCK], data: *const [u8; BLOCK], count: usize) {
    assert!(core::ptr::eq(out, data));
    let blocks = unsafe { from_raw_parts_mut(out, count) };
    permute_with(Backend::ALL[CHOSEN.load(Ordering::Relaxed)], blocks).expect("it was chosen");
}
{% else %}
unsafe fn bytes<'a>(p: *const u8, size: usize) -> &'a [u8] {
    if size == 0 { &[] } else { unsafe { from_raw_parts(p, size) } }
}

unsafe fn out_of<'a>(out: *mut u8, data: *const u8, size: usize) -> &'a mut [u8] {
    if size == 0 {
        return &mut [];
    }
    let out = unsafe { from_raw_parts_mut(out, size) };
    out.copy_from_slice(unsafe { bytes(data, size) });
    out
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn {{ name }}_new(key: *const u8) -> *mut {{ type }} {
    let made = unsafe { boxed(key) };
    clear_below();
    made
}

#[inline(never)]
unsafe fn boxed(key: *const u8) -> *mut {{ type }} {
    let backend = Backend::ALL[CHOSEN.load(Ordering::Relaxed)];
    Box::into_raw(Box::new({{ type }}::with_backend(unsafe { &*key.cast() }, backend).expect("it was chosen")))
}

/// Where the key moved on its way to the box.
#[inline(never)]
fn clear_below() {
    let mut stack = [0_u64; 128];
    for word in &mut stack {
        unsafe { core::ptr::write_volatile(word, 0) };
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn {{ name }}_free(cipher: *mut {{ type }}) {
    drop(unsafe { Box::from_raw(cipher) });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn {{ name }}_encrypt_detached(
    cipher: *const {{ type }},
    nonce: *const [u8; NONCE],
    ad: *const u8,
    ad_bytes: usize,
    data: *const u8,
    data_bytes: usize,
    out: *mut u8,
    tag: *mut [u8; TAG],
) {
    unsafe {
        let out = out_of(out, data, data_bytes);
        *tag = (*cipher).encrypt_in_place(&*nonce, bytes(ad, ad_bytes), out);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn {{ name }}_decrypt_detached(
    cipher: *const {{ type }},
    nonce: *const [u8; NONCE],
    ad: *const u8,
    ad_bytes: usize,
    data: *const u8,
    data_bytes: usize,
    tag: *const [u8; TAG],
    out: *mut u8,
) -> c_int {
    unsafe {
        let out = out_of(out, data, data_bytes);
        (*cipher).decrypt_in_place(&*nonce, bytes(ad, ad_bytes), out, &*tag).map_or(-1, |()| 0)
    }
}
{% endif %}
