// InvSubBytes on one byte: a table, or any forward circuit S between two affine maps B, as
// S^-1 = B S B. Combinational. [FIPS197, section 5.3.2]
module aes_inv_sbox #(
  parameter int Sbox = aes_pkg::SboxLut
) (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  if (Sbox == aes_pkg::SboxLut) begin : gen_lut
    aes_inv_sbox_lut u_sbox (.data_i, .data_o);
  end else begin : gen_forward
    logic [7:0] substituted;
    aes_sbox #(.Sbox(Sbox)) u_sbox (
      .data_i(aes_pkg::inv_affine(data_i)), .data_o(substituted)
    );
    assign data_o = aes_pkg::inv_affine(substituted);
  end
endmodule
