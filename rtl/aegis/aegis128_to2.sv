// AEGIS-128, design point TO2: five AES rounds, one clock an update.
module aegis128_to2 #(
  parameter int Sbox = aes_pkg::SboxLut
) (
  input  logic         clk_i,
  input  logic         load_i,
  input  logic         en_i,
  input  logic [127:0] key_i,
  input  logic [127:0] nonce_i,
  input  logic [127:0] block_i,
  output logic         need_o,
  output logic [639:0] state_o
);
  logic [4:0][127:0] state_q, state_d;

  assign need_o = 1'b1;
  assign state_o = state_q;

  for (genvar i = 0; i < 5; i++) begin : gen_word
    logic [127:0] operand;
    assign operand = i == 0 ? state_q[0] ^ block_i : state_q[i];
    aes_round #(.Sbox(Sbox)) u_round (
      .state_i(state_q[(i+4)%5]), .key_i(operand), .state_o(state_d[i])
    );
  end

  always_ff @(posedge clk_i) begin
    if (load_i) state_q <= aegis128_pkg::start(key_i, nonce_i);
    else if (en_i) state_q <= state_d;
  end
endmodule
