// The nine words of AETHER and their round: twelve F, three of them for the keystream, and one
// clock a round. [AETHER, figure 1]
//
// Decrypting, a plaintext block is ciphertext and keystream, so that two layers of F's depth would
// follow one another were the words absorbed before F. They are added behind it: the longest path
// is one F, a sum of two words in front, and behind it the mask of the keystream and two sums.
module aether_state #(
  parameter int Sbox = aether_pkg::SboxTable,
  parameter int Mix = aether_pkg::MixPlain
) (
  input  logic          clk_i,
  input  logic          load_i,
  input  logic          en_i,
  input  logic [1151:0] start_i,       // the state that load_i brings
  input  logic [383:0]  block_i,       // X_0, X_1, X_2, but for the keystream's part of them:
  input  logic [383:0]  stream_i,      // its bits that are wanted
  input  logic [1151:0] feed_i,        // added to the new state
  output logic [383:0]  keystream_o,
  output logic [127:0]  sum_o          // of all nine words
);
  logic [8:0][127:0] s, f, state_d;
  logic [2:0][127:0] front, back, g;
  logic [1151:0]     state_q;

  assign s = state_q;
  for (genvar i = 0; i < 9; i++) begin : gen_word
    aether_f #(.Sbox(Sbox), .Mix(Mix)) u_f (.data_i(s[i]), .data_o(f[i]));
  end

  assign front = {s[3] ^ s[5], s[2] ^ s[6], s[0] ^ s[1]};
  assign back = {s[8], s[7], s[4]};
  for (genvar i = 0; i < 3; i++) begin : gen_stream
    aether_f #(.Sbox(Sbox), .Mix(Mix)) u_f (.data_i(front[i]), .data_o(g[i]));
  end
  assign keystream_o = g ^ back;

  // What is there early, beside F.
  logic [8:0][127:0] early, feed;
  logic [2:0][127:0] block, stream;

  assign feed = feed_i;
  assign block = block_i;
  assign stream = stream_i;
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
      state_d[i] = f[(i+8)%9] ^ (early[i] ^ feed[i]);
      if (i == 0 || i == 3) state_d[i] = state_d[i] ^ (g[i/3] & stream[i/3]);
      if (i == 5) state_d[i] = state_d[i] ^ (g[2] & stream[2]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_i) state_q <= start_i;
    else if (en_i) state_q <= state_d;
  end

  assign sum_o = ((s[0] ^ s[1]) ^ (s[2] ^ s[3])) ^ ((s[4] ^ s[5]) ^ (s[6] ^ s[7])) ^ s[8];
endmodule
