// What `aes_round` is to a model of the control.
module aes_round #(
  parameter int Sbox = aes_pkg::SboxLut,
  parameter int Mix = aes_pkg::MixPlain
) (
  input  logic [127:0] state_i,
  input  logic [127:0] key_i,
  output logic [127:0] state_o
);
  logic [127:0] any;

  kept_function u_any (.data_i(state_i), .data_o(any));
  assign state_o = any ^ key_i;
endmodule
