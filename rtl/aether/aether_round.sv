// A round of AETHER and the keystream in parallel: twelve F, three of them for the keystream.
// Combinational. [AETHER, figure 1]
//
// Decrypting, a plaintext block is ciphertext and keystream, so that two layers of F's depth would
// follow one another were the words absorbed before F. They are added behind it: the longest path
// is one F, a sum of two words in front, and behind it the mask of the keystream and two sums.
module aether_round #(
  parameter int Sbox = aether_pkg::SboxTable,
  parameter int Mix = aether_pkg::MixPlain,
  parameter int Isolated = 0              // 1: the F of the keystream need awake_i
) (
  input  logic [1151:0] state_i,
  input  logic          awake_i,       // the keystream is wanted
  input  logic [383:0]  block_i,       // X_0, X_1, X_2, but for the keystream's part of them:
  input  logic [383:0]  stream_i,      // its bits that are wanted
  input  logic [1151:0] feed_i,        // added to the new state
  output logic [383:0]  keystream_o,
  output logic [1151:0] state_o
);
  logic [8:0][127:0] s, f, early, feed, next;
  logic [2:0][127:0] front, back, g, block, stream;

  assign s = state_i;
  assign feed = feed_i;
  assign block = block_i;
  assign stream = stream_i;
  for (genvar i = 0; i < 9; i++) begin : gen_word
    aether_f #(.Sbox(Sbox), .Mix(Mix)) u_f (.data_i(s[i]), .data_o(f[i]));
  end

  assign front = {s[3] ^ s[5], s[2] ^ s[6], s[0] ^ s[1]} & {384{awake_i || Isolated == 0}};
  assign back = {s[8], s[7], s[4]};
  for (genvar i = 0; i < 3; i++) begin : gen_stream
    aether_f #(.Sbox(Sbox), .Mix(Mix)) u_f (.data_i(front[i]), .data_o(g[i]));
  end
  assign keystream_o = g ^ back;

  // What is there early, next to F.
  always_comb begin
    early[0] = block[0] ^ (back[0] & stream[0]);
    early[1] = s[3];
    early[2] = s[6];
    early[3] = block[1] ^ (back[1] & stream[1]);
    early[4] = s[4];
    early[5] = block[2] ^ (back[2] & stream[2]);
    early[6] = s[8];
    early[7] = s[2];
    early[8] = s[0];
    for (int i = 0; i < 9; i++) begin
      next[i] = f[(i+8)%9] ^ (early[i] ^ feed[i]);
      if (i == 0 || i == 3) next[i] = next[i] ^ (g[i/3] & stream[i/3]);
      if (i == 5) next[i] = next[i] ^ (g[2] & stream[2]);
    end
  end
  assign state_o = next;
endmodule
