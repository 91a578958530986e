// What the modules of Rocca-S share. [ROCCA-S-DRAFT]
//
// Byte i of a word is bits [8*i+7:8*i]; byte 0 is the first in memory. A state is seven words, word
// S_i is state[128*i+:128].
package rocca_pkg;

  // Z_0, Z_1: cd65ef23.. and bcdb8981.., byte 0 in the lowest bits.
  localparam logic [127:0] Z0 = 128'h428a2f98_d728ae22_71374491_23ef65cd;
  localparam logic [127:0] Z1 = 128'hb5c0fbcf_ec4d3b2f_e9b5dba5_8189dbbc;

  // The state before the initialisation.
  function automatic logic [895:0] start(
    input logic [127:0] k0, input logic [127:0] k1, input logic [127:0] nonce
  );
    return {128'd0, nonce ^ k1, Z1, k0, Z0, nonce, k1};
  endfunction

  // What the key adds to the state after the initialisation.
  function automatic logic [895:0] feed(input logic [127:0] k0, input logic [127:0] k1);
    return {k1, k1, k0, k0, k1, k0, k0};
  endfunction

  // Ones over the first `bytes` bytes of a block.
  function automatic logic [255:0] mask(input logic [5:0] bytes);
    logic [255:0] m;
    for (int i = 0; i < 32; i++) m[8*i+:8] = {8{6'(i) < bytes}};
    return m;
  endfunction

endpackage
