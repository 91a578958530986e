// What the design points of AEGIS-128 share. [AEGIS, section 3]
//
// Byte i of a word is bits [8*i+7:8*i]; byte 0 is the first in memory. A state is five words, word
// S_i is state[128*i+:128].
package aegis128_pkg;

  // The design points of [AEGIS-HW]; clocks of a StateUpdate128 behind each.
  // Parameters that take these are of type int, as those of aes_pkg::sbox_e are.
  typedef enum int {
    DesignBase = 0,  //   5: one AES round
    DesignAo1  = 1,  // 100: one S-box
    DesignAo2  = 2,  //   5: one AES round in four stages
    DesignTo1  = 3,  //   3: two AES rounds in three stages
    DesignTo2  = 4   //   1: five AES rounds
  } design_e;

  localparam logic [127:0] C0 = 128'h6279e990_59372215_0d080503_02010100;
  localparam logic [127:0] C1 = 128'hdd28b573_42311120_f12fc26d_55183ddb;

  // The state before the initialisation.
  function automatic logic [639:0] start(input logic [127:0] key, input logic [127:0] nonce);
    return {key ^ C1, key ^ C0, C0, C1, key ^ nonce};
  endfunction

  // What a block is encrypted with.
  function automatic logic [127:0] keystream(
    input logic [127:0] s1, input logic [127:0] s2, input logic [127:0] s3, input logic [127:0] s4
  );
    return s1 ^ s4 ^ (s2 & s3);
  endfunction

  function automatic logic [127:0] tag(input logic [639:0] s);
    return s[0+:128] ^ s[128+:128] ^ s[256+:128] ^ s[384+:128] ^ s[512+:128];
  endfunction

  // Ones over the first `bytes` bytes.
  function automatic logic [127:0] mask(input logic [4:0] bytes);
    logic [127:0] m;
    for (int i = 0; i < 16; i++) m[8*i+:8] = {8{5'(i) < bytes}};
    return m;
  endfunction

endpackage
