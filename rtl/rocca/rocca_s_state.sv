// The seven words of Rocca-S and their round: six AES rounds and two for the keystream, one clock a
// round. [ROCCA-S-DRAFT]
//
// Decrypting, a plaintext block is ciphertext and keystream. The round adds its blocks behind the
// AES round, and the keystream comes out of one: so no path has two of them, but one, a sum of two
// words in front, and behind it the mask of the keystream and two sums.
module rocca_s_state #(
  parameter int Sbox = aes_pkg::SboxLut,
  parameter int Mix = aes_pkg::MixPlain
) (
  input  logic         clk_i,
  input  logic         load_i,
  input  logic         en_i,
  input  logic [895:0] start_i,       // the state that load_i brings
  input  logic [255:0] block_i,       // X_0, X_1, but for the keystream's part of them:
  input  logic [255:0] stream_i,      // its bits that are wanted
  input  logic [895:0] feed_i,        // added to the new state
  output logic [255:0] keystream_o,
  output logic [255:0] tag_o
);
  logic [6:0][127:0] s, round, early, feed, state_d;
  logic [1:0][127:0] front, back, g, block, stream;
  logic [895:0]      state_q;

  assign s = state_q;
  assign feed = feed_i;
  assign block = block_i;
  assign stream = stream_i;

  assign front = {s[4] ^ s[6], s[3] ^ s[5]};
  assign back = {s[2], s[0]};
  for (genvar i = 0; i < 2; i++) begin : gen_stream
    aes_round #(.Sbox(Sbox), .Mix(Mix)) u_round (
      .state_i(front[i]), .key_i(128'd0), .state_o(g[i])
    );
  end
  assign keystream_o = g ^ back;

  // What is there early, next to the AES round of the word before.
  assign early[0] = s[6] ^ s[1];
  assign early[1] = block[0] ^ (back[0] & stream[0]);
  assign early[2] = s[0];
  assign early[3] = s[6];
  assign early[4] = block[1] ^ (back[1] & stream[1]);
  assign early[5] = s[3];
  assign early[6] = s[4];

  assign round[0] = early[0] ^ feed[0];
  for (genvar i = 1; i < 7; i++) begin : gen_word
    aes_round #(.Sbox(Sbox), .Mix(Mix)) u_round (
      .state_i(s[i-1]), .key_i(early[i] ^ feed[i]), .state_o(round[i])
    );
  end

  always_comb begin
    state_d = round;
    state_d[1] = round[1] ^ (g[0] & stream[0]);
    state_d[4] = round[4] ^ (g[1] & stream[1]);
  end

  always_ff @(posedge clk_i) begin
    if (load_i) state_q <= start_i;
    else if (en_i) state_q <= state_d;
  end

  assign tag_o = {s[4] ^ s[5] ^ s[6], (s[0] ^ s[1]) ^ (s[2] ^ s[3])};
endmodule
