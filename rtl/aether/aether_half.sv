// The nine words of AETHER and their round in two clocks: six F do what twelve do in one.
//
// The first clock has the keystream and the three words that absorb a block, the second the other
// six words. Those read S_0, S_3 and S_5 as they were: three registers more keep them.
module aether_half #(
  parameter int Sbox = aether_pkg::SboxTable,
  parameter int Mix = aether_pkg::MixPlain,
  parameter int Gated = 0              // 1: clock gates: it arrives only when a word moves
) (
  input  logic          clk_i,
  input  logic          load_i,
  input  logic          first_i,
  input  logic          second_i,
  input  logic [1151:0] start_i,       // the state that load_i brings
  input  logic [383:0]  block_i,       // as those of aether_round
  input  logic [383:0]  stream_i,
  input  logic [1151:0] feed_i,
  output logic [383:0]  keystream_o,   // in the first clock
  output logic [1151:0] state_o
);
  logic [8:0][127:0] s, feed, start, s_d;
  logic [5:0][127:0] operand, f;
  logic [2:0][127:0] old_q, front, back, g, early, block, stream;
  logic [1151:0]     state_q;

  assign s = state_q;
  assign feed = feed_i;
  assign start = start_i;
  assign block = block_i;
  assign stream = stream_i;

  assign front = {s[3] ^ s[5], s[2] ^ s[6], s[0] ^ s[1]};
  assign back = {s[8], s[7], s[4]};
  assign operand = second_i ? {s[7], s[6], s[1], old_q} : {s[4], s[2], s[8], front};
  for (genvar i = 0; i < 6; i++) begin : gen_f
    aether_f #(.Sbox(Sbox), .Mix(Mix)) u_f (.data_i(operand[i]), .data_o(f[i]));
  end
  assign g = f[2:0];
  assign keystream_o = g ^ back;

  assign early = block ^ (back & stream);
  always_comb begin
    s_d[0] = f[3] ^ (early[0] ^ feed[0]) ^ (g[0] & stream[0]);
    s_d[3] = f[4] ^ (early[1] ^ feed[3]) ^ (g[1] & stream[1]);
    s_d[5] = f[5] ^ (early[2] ^ feed[5]) ^ (g[2] & stream[2]);
    s_d[1] = f[0] ^ (old_q[1] ^ feed[1]);
    s_d[2] = f[3] ^ (s[6] ^ feed[2]);
    s_d[4] = f[1] ^ (s[4] ^ feed[4]);
    s_d[6] = f[2] ^ (s[8] ^ feed[6]);
    s_d[7] = f[4] ^ (s[2] ^ feed[7]);
    s_d[8] = f[5] ^ (old_q[0] ^ feed[8]);
  end

  for (genvar i = 0; i < 9; i++) begin : gen_word
    logic move;
    assign move = i == 0 || i == 3 || i == 5 ? first_i : second_i;
    if (Gated == 0) begin : gen_enabled
      always_ff @(posedge clk_i) begin
        if (load_i) state_q[128*i+:128] <= start[i];
        else if (move) state_q[128*i+:128] <= s_d[i];
      end
    end else begin : gen_gated
      gated_word u_word (
        .clk_i, .write_i(load_i | move), .data_i(load_i ? start[i] : s_d[i]),
        .data_o(state_q[128*i+:128])
      );
    end
  end

  if (Gated == 0) begin : gen_old
    always_ff @(posedge clk_i) if (first_i) old_q <= {s[5], s[3], s[0]};
  end else begin : gen_old_gated
    gated_word #(.Width(384)) u_words (
      .clk_i, .write_i(first_i), .data_i({s[5], s[3], s[0]}), .data_o(old_q)
    );
  end

  assign state_o = state_q;
endmodule
