// What `aes_cipher_round` is to a model of the control of a core that encrypts only.
module aes_cipher_round #(
  parameter int Sbox = aes_pkg::SboxLut,
  parameter int Mix = aes_pkg::MixPlain,
  parameter int Decrypt = 0
) (
  input  logic [127:0] state_i,
  input  logic [127:0] key_i,
  input  logic         decrypt_i,
  input  logic         last_i,
  output logic [127:0] state_o
);
  logic [127:0] mixed, shifted;

  if (Decrypt != 0) begin : gen_both
    $fatal(1, "aes_cipher_round: Decrypt: want 0, got %0d", Decrypt);
  end
  logic unused_decrypt;
  assign unused_decrypt = decrypt_i;
  kept_function u_mixed (.data_i(state_i), .data_o(mixed));
  kept_function u_shifted (.data_i(state_i), .data_o(shifted));
  assign state_o = (last_i ? shifted : mixed) ^ key_i;
endmodule
