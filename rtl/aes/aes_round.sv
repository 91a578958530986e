// One AES round: MixColumns(ShiftRows(SubBytes(state_i))) ^ key_i. Combinational.
// [FIPS197, section 5.1]
module aes_round #(
  parameter int Sbox = aes_pkg::SboxLut,
  parameter int Mix = aes_pkg::MixPlain
) (
  input  logic [127:0] state_i,
  input  logic [127:0] key_i,
  output logic [127:0] state_o
);
  logic [127:0] mixed;

  if (Sbox == aes_pkg::SboxTTable) begin : gen_t_table
    aes_t_columns u_columns (.data_i(aes_pkg::shift_rows(state_i)), .data_o(mixed));
  end else begin : gen_apart
    logic [127:0] substituted;
    aes_sub_bytes #(.Sbox(Sbox)) u_sub (.data_i(state_i), .data_o(substituted));
    aes_mix_columns #(.Mix(Mix)) u_mix (
      .data_i(aes_pkg::shift_rows(substituted)), .data_o(mixed)
    );
  end
  assign state_o = mixed ^ key_i;
endmodule
