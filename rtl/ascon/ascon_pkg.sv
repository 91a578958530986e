// What the modules of Ascon share. [ASCON, section 2] [SP800-232]
//
// On every port byte i is bits [8*i+7:8*i]; byte 0 is the first in memory. A state is five words of
// 64 bits, word S_i is state[64*i+:64], and a word is a number here: the members differ in which of
// its bytes is the first in memory.
package ascon_pkg;

  // Members of the family. A parameter that takes these is of type int, as those of aes_pkg are.
  typedef enum int {
    Member128a    = 0,  // Ascon-128a v1.2, of the competition: the highest byte is the first
    MemberAead128 = 1   // Ascon-AEAD128, the standard: the lowest byte is the first
  } member_e;

  // The first word of the state.
  localparam logic [63:0] Iv128a    = 64'h80800c08_00000000;
  localparam logic [63:0] IvAead128 = 64'h00001000_808c0001;

  // Two words from a port, or to one.
  function automatic logic [127:0] words(input int member, input logic [127:0] bytes);
    logic [127:0] w;
    for (int i = 0; i < 16; i++) w[8*i+:8] = bytes[8*(member == Member128a ? i ^ 7 : i)+:8];
    return w;
  endfunction

  // The bit between associated data and message: the last of the state in memory.
  function automatic logic [63:0] separator(input int member);
    return 64'd1 << (member == Member128a ? 0 : 63);
  endfunction

  // Ones over the first `bytes` bytes of a block.
  function automatic logic [127:0] mask(input logic [4:0] bytes);
    logic [127:0] m;
    for (int i = 0; i < 16; i++) m[8*i+:8] = {8{5'(i) < bytes}};
    return m;
  endfunction

  // The bit behind `bytes` bytes; nothing behind a full block.
  function automatic logic [127:0] pad(input int member, input logic [4:0] bytes);
    logic [127:0] p;
    for (int i = 0; i < 16; i++) begin
      p[8*i+:8] = {8{5'(i) == bytes}} & (member == Member128a ? 8'h80 : 8'h01);
    end
    return p;
  endfunction

  // One of twelve rounds: p_L . p_S . p_C. [SP800-232, section 3]
  function automatic logic [319:0] round(input logic [319:0] state, input logic [3:0] number);
    logic [63:0] x0, x1, x2, x3, x4, y0, y1, y2, y3, y4;
    {x4, x3, x2, x1, x0} = state;
    x2 = x2 ^ {56'd0, ~number, number};
    x0 = x0 ^ x4;
    x4 = x4 ^ x3;
    x2 = x2 ^ x1;
    y0 = x0 ^ (~x1 & x2);
    y1 = x1 ^ (~x2 & x3);
    y2 = x2 ^ (~x3 & x4);
    y3 = x3 ^ (~x4 & x0);
    y4 = x4 ^ (~x0 & x1);
    y1 = y1 ^ y0;
    y0 = y0 ^ y4;
    y3 = y3 ^ y2;
    y2 = ~y2;
    return {
      y4 ^ {y4[6:0], y4[63:7]} ^ {y4[40:0], y4[63:41]},
      y3 ^ {y3[9:0], y3[63:10]} ^ {y3[16:0], y3[63:17]},
      y2 ^ {y2[0], y2[63:1]} ^ {y2[5:0], y2[63:6]},
      y1 ^ {y1[60:0], y1[63:61]} ^ {y1[38:0], y1[63:39]},
      y0 ^ {y0[18:0], y0[63:19]} ^ {y0[27:0], y0[63:28]}
    };
  endfunction

endpackage
