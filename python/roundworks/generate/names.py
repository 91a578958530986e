"""Names of ciphers as identifiers of the languages that code is generated in.

A name becomes the name of files, functions, types, a crate or modules. One that means something else there, as
``test`` or ``table``, gets ``cipher_`` in front; so does one that does not begin with a letter.
"""

from __future__ import annotations

import re

# Files next to the cipher's own, headers that its file includes or might hide, functions of C11 and POSIX that end as
# ours do, and files that no system of Microsoft has.
_C = """
test vectors loop
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbool
stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
arm_neon cpuid immintrin
cnd mtx sem
aux con nul prn
"""
# Crates that come with Rust, what a generated one depends on and its own targets, keywords; then what the crate uses
# by names of types.
_RUST = """
alloc core proc_macro std test
aead made speed vectors zeroize
abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if impl in
let loop macro match mod move mut override priv pub ref return self static struct super trait true try type typeof
union unsafe unsized use virtual where while yield
aead_core aead_in_out atomic_usize backend c_str clone copy debug drop eq err error in_out_buf key key_init
key_size_user none nonce ok option ordering partial_eq result some string tag tag_position vec zeroize_on_drop
aux con nul prn
"""
# Of SystemVerilog: IEEE 1800-2017, annex B.
_KEYWORDS = """
accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind bins
binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const
constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist do edge
else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule
endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event eventually expect
export extends extern final first_match for force foreach forever fork forkjoin function generate genvar global highz0
highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input inside
instance int integer interconnect interface intersect join join_any join_none large let liblist library local
localparam logic longint macromodule matches medium modport module nand negedge nettype new nexttime nmos nor
noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive priority program
property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase
randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed small
soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 sync_accept_on
sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand
trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual void
wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor
"""
# Its package, modules that are read together with a core, and the target of a core's Makefile.
_VERILOG = """
std
aead aead_length aead_rav_buffer aead_steps bench circuit clock_gate dom_product gate gold miter test top
aux con nul prn
"""
VERILOG_KEYWORDS = frozenset(_KEYWORDS.split())
# Target of `generate` -> identifiers that no cipher has there.
_TAKEN = {
    "c": frozenset(_C.split()),
    "rust": frozenset(_RUST.split()),
    "verilog": VERILOG_KEYWORDS | frozenset(_VERILOG.split()),
}


def identifier(name: str, target: str) -> str:
    """The name of a cipher in ``target``: small letters, digits and underscores, the first a letter.

    ``AEGIS-128L`` is ``aegis_128l``, ``3way`` is ``cipher_3way``, and ``table`` is ``cipher_table`` in Verilog.
    """
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    if plain[:1].isalpha() and plain not in _TAKEN[target]:
        return plain
    return f"cipher_{plain}".rstrip("_")
