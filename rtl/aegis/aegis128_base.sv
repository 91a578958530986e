// AEGIS-128, design point Base: one AES round, five cycles per update.
//
// S_i' = R(S_(i-1)) ^ S_i is computed in the order 0, 4, 3, 2, 1, in which every word but S_0 is
// written over as soon as it is known. So the words stand in a line and move up one per cycle, and
// one register keeps the old S_0 for the last step: six words instead of ten.
module aegis128_base #(
  parameter int Sbox = aes_pkg::SboxLut
) (
  input  logic         clk_i,
  input  logic         load_i,
  input  logic         en_i,
  input  logic [127:0] key_i,
  input  logic [127:0] nonce_i,
  input  logic [127:0] block_i,
  output logic         need_o,
  output logic [639:0] state_o   // when need_o is high
);
  logic [4:0]         step_q;    // one-hot
  logic [4:0][127:0]  line_q;    // before the first step: S_1, S_2, S_3, S_4, S_0
  logic [127:0]       old_q;     // S_0 from the second step on

  logic [127:0] operand, result;

  assign need_o = step_q[0];
  assign operand = line_q[4] ^ (block_i & {128{step_q[0]}});
  aes_round #(.Sbox(Sbox)) u_round (
    .state_i(step_q[4] ? old_q : line_q[3]), .key_i(operand), .state_o(result)
  );

  assign state_o = {line_q[3], line_q[2], line_q[1], line_q[0], line_q[4]};

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      step_q <= 5'b00001;
      {line_q[3], line_q[2], line_q[1], line_q[0], line_q[4]}
          <= aegis128_pkg::start(key_i, nonce_i);
    end else if (en_i) begin
      step_q <= {step_q[3:0], step_q[4]};
      line_q <= {line_q[3:0], result};
      if (step_q[0]) old_q <= line_q[4];
    end
  end
endmodule
