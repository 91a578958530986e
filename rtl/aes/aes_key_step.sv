// One step of the key schedule, as aes_key_words, with its four S-boxes. Combinational.
module aes_key_step #(
  parameter int KeyBits = 128,
  parameter int Sbox = aes_pkg::SboxLut
) (
  input  logic [KeyBits-1:0] key_i,
  input  logic [3:0]         step_i,
  input  logic               invert_i,
  output logic [KeyBits-1:0] key_o
);
  logic [31:0] word, substituted;

  aes_key_words #(.KeyBits(KeyBits)) u_words (
    .key_i, .step_i, .invert_i, .sub_o(word), .sub_i(substituted), .key_o
  );
  aes_sub_bytes #(.Bytes(4), .Sbox(Sbox)) u_sub (.data_i(word), .data_o(substituted));
endmodule
