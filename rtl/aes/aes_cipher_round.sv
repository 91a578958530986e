// A round of the cipher or, with Decrypt and decrypt_i, of its inverse; last_i leaves out the
// columns. Both directions share S-boxes and MixColumns. Combinational.
// [FIPS197, section 5.1] [FIPS197, section 5.3]
//
// Cipher:  MixColumns(ShiftRows(SubBytes(state_i))) ^ key_i.
// Inverse: InvMixColumns(InvSubBytes(InvShiftRows(state_i)) ^ key_i).
module aes_cipher_round #(
  parameter int Sbox = aes_pkg::SboxLut,
  parameter int Mix = aes_pkg::MixPlain,
  parameter int Decrypt = 0  // 0: it encrypts only
) (
  input  logic [127:0] state_i,
  input  logic [127:0] key_i,
  input  logic         decrypt_i,
  input  logic         last_i,
  output logic [127:0] state_o
);
  logic [127:0] to_sub, substituted, to_mix, mixed;

  aes_sub_bytes #(.Sbox(Sbox)) u_sub (.data_i(to_sub), .data_o(substituted));
  // A T table is of no use to the inverse, which has its columns in front of its S-boxes.
  if (Decrypt == 0 && Sbox == aes_pkg::SboxTTable) begin : gen_t_table
    aes_t_columns u_mix (.data_i(aes_pkg::shift_rows(state_i)), .data_o(mixed));
  end else begin : gen_apart
    aes_mix_columns #(.Mix(Mix)) u_mix (.data_i(to_mix), .data_o(mixed));
  end

  if (Decrypt != 0) begin : gen_both
    logic [127:0] shifted, unkeyed;
    assign to_sub  = decrypt_i ? aes_pkg::inv_affine_block(state_i) : state_i;
    assign shifted = aes_pkg::shift_rows(substituted);
    assign unkeyed = aes_pkg::inv_shift_rows(aes_pkg::inv_affine_block(substituted)) ^ key_i;
    assign to_mix  = decrypt_i ? aes_pkg::before_inv_mix(unkeyed) : shifted;
    assign state_o = decrypt_i ? (last_i ? unkeyed : mixed) : (last_i ? shifted : mixed) ^ key_i;
  end else begin : gen_forward
    logic unused_decrypt;
    assign unused_decrypt = decrypt_i;
    assign to_sub  = state_i;
    assign to_mix  = aes_pkg::shift_rows(substituted);
    assign state_o = (last_i ? to_mix : mixed) ^ key_i;
  end
endmodule
