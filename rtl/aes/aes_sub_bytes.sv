// SubBytes on Bytes bytes, each with an S-box of its own. Combinational.
module aes_sub_bytes #(
  parameter int Bytes = 16,
  parameter int Sbox = aes_pkg::SboxLut
) (
  input  logic [8*Bytes-1:0] data_i,
  output logic [8*Bytes-1:0] data_o
);
  for (genvar i = 0; i < Bytes; i++) begin : gen_byte
    aes_sbox #(.Sbox(Sbox)) u_sbox (.data_i(data_i[8*i+:8]), .data_o(data_o[8*i+:8]));
  end
endmodule
