// What the AES modules share. [FIPS197, section 5]
//
// Byte i of a block or key is bits [8*i+7:8*i]; byte 0 is the first in memory. Row r, column c of
// the state is byte r + 4*c.
//
// Every core has this interface:
//   clk_i, rst_ni                      reset is low and asynchronous
//   req_valid_i, req_ready_o, req_decrypt_i, req_key_i[KeyBits], req_block_i[128]
//   rsp_valid_o, rsp_ready_i, rsp_block_o[128]
// A request or response is taken at a rising edge with valid and ready. A request brings its own
// key. Responses come in the order of the requests, and wait unchanged until they are taken. The
// cycles of a block are the edges after the one that takes its request, up to and with the one
// that takes its response, if that is ready. Key and state stay in the registers until the next
// request overwrites them. A core without decryption ignores req_decrypt_i.
package aes_pkg;

  // The circuits of the S-box. All compute the same function, which is proven in the tests.
  // Parameters that take these are of type int: Icarus 11 knows none of an enum, and in Verilator
  // 5.006 one cannot be set from outside.
  typedef enum int {
    SboxLut                   = 0,  // a table, whatever the tool makes of it
    SboxBoyarPeralta          = 1,  // 113 gates
    SboxMaximovEkdahlFast     = 2,
    SboxMaximovEkdahlTradeoff = 3,
    SboxMaximovEkdahlBonus    = 4,  // the smallest
    SboxReyhaniMasoleh        = 5,
    SboxCanright              = 6,
    SboxDse                   = 7,  // decoder, switch, encoder: few toggles
    SboxBoyarPeralta115       = 8,  // as first published
    SboxBoyarPeraltaDepth16   = 9,
    SboxTTable                = 10  // one table with MixColumns; where none follows, SboxLut
  } sbox_e;

  // The circuits of one column of MixColumns.
  typedef enum int {
    MixPlain   = 0,  // as the standard writes it; the tool shares what it finds
    MixMaximov = 1   // 92 XOR, depth 6
  } mix_e;

  // Times x in GF(2^8).
  function automatic logic [7:0] xtime(input logic [7:0] a);
    return {a[6:0], 1'b0} ^ (a[7] ? 8'h1b : 8'h00);
  endfunction

  // Row r turns left by r columns.
  function automatic logic [127:0] shift_rows(input logic [127:0] a);
    logic [127:0] b;
    for (int i = 0; i < 16; i++) b[8*i+:8] = a[8*((i+4*(i%4))%16)+:8];
    return b;
  endfunction

  // Row r turns right by r columns.
  function automatic logic [127:0] inv_shift_rows(input logic [127:0] a);
    logic [127:0] b;
    for (int i = 0; i < 16; i++) b[8*((i+4*(i%4))%16)+:8] = a[8*i+:8];
    return b;
  endfunction

  // The constant of the key schedule: x^n, for n up to 9. [FIPS197, section 5.2]
  function automatic logic [7:0] rcon(input logic [3:0] n);
    logic [7:0] power;
    power = 8'h01;
    for (int i = 0; i < 9; i++) if (i < 32'(n)) power = xtime(power);
    return power;
  endfunction

  // MixColumns after this is InvMixColumns: its matrix is that of MixColumns times 5, 0, 4, 0 in
  // a circle. [FIPS197, section 5.3.3]
  function automatic logic [127:0] before_inv_mix(input logic [127:0] a);
    logic [127:0] b;
    for (int i = 0; i < 16; i++) begin
      b[8*i+:8] = a[8*i+:8] ^ xtime(xtime(a[8*i+:8] ^ a[8*(4*(i/4)+(i+2)%4)+:8]));
    end
    return b;
  endfunction

  // inv_affine on every byte.
  function automatic logic [127:0] inv_affine_block(input logic [127:0] a);
    logic [127:0] b;
    for (int i = 0; i < 16; i++) b[8*i+:8] = inv_affine(a[8*i+:8]);
    return b;
  endfunction

  // The inverse B of the S-box's affine map: with the S-box S, its inverse is B S B.
  function automatic logic [7:0] inv_affine(input logic [7:0] a);
    logic [7:0] b;
    for (int i = 0; i < 8; i++) b[i] = a[(i+2)%8] ^ a[(i+5)%8] ^ a[(i+7)%8];
    return b ^ 8'h05;
  endfunction

endpackage
