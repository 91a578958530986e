// What the modules of AETHER share. [AETHER, section 2]
//
// Byte i of a word is bits [8*i+7:8*i]; byte 0 is the first in memory. Nibble 2*i is the high half
// of byte i, nibble 2*i+1 its low half. A state is nine words, word S_i is state[128*i+:128].
package aether_pkg;

  // Members of the family. Parameters that take these are of type int, as those of aes_pkg are.
  typedef enum int {
    MemberAether    = 0,  // as published
    MemberLb        = 1,  // ours: one round more, which absorbs both lengths
    MemberAlwaysPad = 2   // the other reading: a full or empty part is followed by 80 00 .. 00
  } member_e;

  // Where on the plane of area, cycles and energy a core stands: rounds per cycle.
  typedef enum int {
    PointOne   = 0,
    PointTwo   = 1,       // blocks of 96 bytes
    PointHalf  = 2,       // two cycles per round
    PointIsolated = 3,       // one, and no F of the keystream works but for a message
    PointThree = 4,       // blocks of 144 bytes
    PointFour  = 5        // blocks of 192 bytes
  } point_e;

  // Rounds per cycle at a point; half of one counts as one.
  function automatic int rounds(input int point);
    case (point)
      PointTwo:   return 2;
      PointThree: return 3;
      PointFour:  return 4;
      default:    return 1;
    endcase
  endfunction

  // Forms of aether_sbox and of aether_matrix; each kind computes one function.
  typedef enum int {
    SboxTable = 0,
    SboxDse   = 1         // decoder, switch, encoder: few toggles
  } sbox_e;
  typedef enum int {
    MixPlain  = 0,
    MixShared = 1         // 52 sums of two nibbles instead of 96
  } mix_e;

  // Z_0, Z_1, Z_2: 428a2f98.., b5c0fbcf.., 71374491.. as printed, byte 0 in the lowest bits.
  localparam logic [127:0] Z0 = 128'hcd65ef23_91443771_22ae28d7_982f8a42;
  localparam logic [127:0] Z1 = 128'hbcdb8981_a5dbb5e9_2f3b4dec_cffbc0b5;
  localparam logic [127:0] Z2 = 128'h22ae28d7_982f8a42_cd65ef23_91443771;

  // The state before the initialisation.
  function automatic logic [1151:0] start(
    input logic [127:0] k0, input logic [127:0] k1, input logic [127:0] nonce
  );
    return {Z2, k1, nonce, 128'd0, Z0, 128'd0, nonce ^ k0, k0, Z1};
  endfunction

  // What the key adds to the state after the initialisation, and before the finalisation.
  function automatic logic [1151:0] feed_init(input logic [127:0] k0, input logic [127:0] k1);
    return {k1, k1, k1, k0, k1, k0, k0, k0, k0};
  endfunction
  function automatic logic [1151:0] feed_final(input logic [127:0] k0, input logic [127:0] k1);
    return {k1, k0, k1, k0, k0, k1, k1, k0, k0};
  endfunction

  // A count of bits as a word of 128 bits, big endian. It counts whole bytes.
  function automatic logic [127:0] length(input logic [60:0] bytes);
    logic [63:0]  bits;
    logic [127:0] word;
    bits = {bytes, 3'b000};
    word = '0;
    for (int i = 0; i < 8; i++) word[8*(15-i)+:8] = bits[8*i+:8];
    return word;
  endfunction

  // Ones over the first `bytes` bytes of a block.
  function automatic logic [383:0] mask(input logic [6:0] bytes);
    logic [383:0] m;
    for (int i = 0; i < 48; i++) m[8*i+:8] = {8{7'(i) < bytes}};
    return m;
  endfunction

  // The byte 80 behind `bytes` bytes; nothing behind a full block.
  function automatic logic [383:0] pad(input logic [6:0] bytes);
    logic [383:0] p;
    for (int i = 0; i < 48; i++) p[8*i+:8] = {7'(i) == bytes, 7'd0};
    return p;
  endfunction

endpackage
