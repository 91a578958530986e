// F = Permutation . ApplySbox . MatrixMul . ApplySbox on one word. [AETHER, equation 1]
module aether_f #(
  parameter int Sbox = aether_pkg::SboxTable,
  parameter int Mix = aether_pkg::MixPlain
) (
  input  logic [127:0] data_i,
  output logic [127:0] data_o
);
  // Nibble i is bits [4*i+3:4*i] of these.
  logic [127:0] word, first, mixed, second;

  for (genvar i = 0; i < 32; i++) begin : gen_nibble
    assign word[4*i+:4] = data_i[4*(i^1)+:4];
    aether_sbox #(.Form(Sbox)) u_first (.data_i(word[4*i+:4]), .data_o(first[4*i+:4]));
    aether_sbox #(.Form(Sbox)) u_second (.data_i(mixed[4*i+:4]), .data_o(second[4*i+:4]));
    // Even nibbles to the first half, odd ones to the second.
    localparam int To = i / 2 + 16 * (i % 2);
    assign data_o[4*(To^1)+:4] = second[4*i+:4];
  end
  for (genvar i = 0; i < 2; i++) begin : gen_half
    aether_matrix #(.Form(Mix)) u_mix (.data_i(first[64*i+:64]), .data_o(mixed[64*i+:64]));
  end
endmodule
