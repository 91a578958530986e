// The six words of AEGIS-256 and their update: six AES rounds, one cycle per update. [AEGIS-RFC]
module aegis256_state #(
  parameter int Sbox = aes_pkg::SboxLut,
  parameter int Mix = aes_pkg::MixPlain
) (
  input  logic         clk_i,
  input  logic         load_i,
  input  logic         en_i,
  input  logic [767:0] start_i,       // the state that load_i brings
  input  logic [127:0] block_i,
  output logic [127:0] keystream_o,
  output logic [127:0] s3_o,
  output logic [127:0] sum_o          // of all six words
);
  logic [5:0][127:0] s, next;
  logic [767:0]      state_q;

  assign s = state_q;
  for (genvar i = 0; i < 6; i++) begin : gen_word
    logic [127:0] operand;
    assign operand = i == 0 ? s[0] ^ block_i : s[i];
    aes_round #(.Sbox(Sbox), .Mix(Mix)) u_round (
      .state_i(s[(i+5)%6]), .key_i(operand), .state_o(next[i])
    );
  end

  always_ff @(posedge clk_i) begin
    if (load_i) state_q <= start_i;
    else if (en_i) state_q <= next;
  end

  assign keystream_o = s[1] ^ s[4] ^ s[5] ^ (s[2] & s[3]);
  assign s3_o = s[3];
  assign sum_o = (s[0] ^ s[1]) ^ (s[2] ^ s[3]) ^ (s[4] ^ s[5]);
endmodule
