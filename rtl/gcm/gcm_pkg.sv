// What the modules of AES-GCM share. [GCM, sections 6 and 7]
//
// On every port byte i is bits [8*i+7:8*i]; byte 0 is the first in memory. An element of the field
// is a polynomial, bit k the coefficient of x^k. The standard writes x^0 as the highest bit of byte
// 0, so that a block and its element differ in the order of the bits within every byte.
package gcm_pkg;

  // x^128 + x^7 + x^2 + x + 1 without x^128.
  localparam logic [127:0] Reduction = 128'h87;

  // A block as an element, or an element as a block.
  function automatic logic [127:0] bit_reversed(input logic [127:0] a);
    logic [127:0] b;
    for (int i = 0; i < 128; i++) b[i] = a[i^7];
    return b;
  endfunction

  // The block of a counter. With a nonce of 12 bytes counter 1 masks the tag, and the message is
  // encrypted with 2 and on.
  function automatic logic [127:0] counter_block(
    input logic [95:0] nonce, input logic [31:0] counter
  );
    return {counter[7:0], counter[15:8], counter[23:16], counter[31:24], nonce};
  endfunction

  // The last block of GHASH: both lengths in bits, highest byte first. They count whole bytes.
  function automatic logic [127:0] lengths(
    input logic [60:0] ad_bytes, input logic [35:0] msg_bytes
  );
    logic [127:0] bits, block;
    bits = {ad_bytes, 3'b000, 25'd0, msg_bytes, 3'b000};
    for (int i = 0; i < 16; i++) block[8*i+:8] = bits[8*(15-i)+:8];
    return block;
  endfunction

  // Ones over the first `bytes` bytes of a block.
  function automatic logic [127:0] mask(input logic [4:0] bytes);
    logic [127:0] m;
    for (int i = 0; i < 16; i++) m[8*i+:8] = {8{5'(i) < bytes}};
    return m;
  endfunction

endpackage
