// aegis128 that releases nothing before the tag is checked: aead_rav_buffer buffers its output.
// Written by roundworks.hardware.generate.rav; change that.
//
// The interface is that of aegis128, and rsp_long_o.
module aegis128_rav #(
  parameter int Design = aegis128_pkg::DesignTo2,
  parameter int Sbox = aes_pkg::SboxLut,
  parameter int Depth = 16  // blocks of plaintext in the buffer
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         req_valid_i,
  output logic         req_ready_o,
  input  logic         req_decrypt_i,
  input  logic         req_ad_i,       // associated data follow
  input  logic         req_msg_i,      // a message follows
  input  logic [127:0] req_key_i,
  input  logic [127:0] req_nonce_i,

  input  logic         blk_valid_i,
  output logic         blk_ready_o,
  input  logic [127:0] blk_data_i,
  input  logic [4:0]   blk_bytes_i,    // 1 to 16; less only in the last block of a part
  input  logic         blk_last_i,

  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,     // zero past the last byte
  output logic [4:0]   out_bytes_o,
  output logic         out_last_o,

  input  logic [127:0] tag_i,          // decrypting: held until the response
  output logic         rsp_valid_o,
  input  logic         rsp_ready_i,
  output logic         rsp_ok_o,
  output logic         rsp_long_o,     // the message had more than Depth blocks
  output logic [127:0] rsp_tag_o       // zero when decrypting
);
  logic         out_valid, out_ready, out_last, rsp_valid, rsp_ready, rsp_ok;
  logic [127:0] out_data, rsp_tag;
  logic [4:0]   out_bytes;

  aegis128 #(.Design(Design), .Sbox(Sbox)) u_core (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .req_decrypt_i, .req_ad_i, .req_msg_i, .req_key_i,
    .req_nonce_i, .blk_valid_i, .blk_ready_o, .blk_data_i, .blk_bytes_i, .blk_last_i,
    .out_valid_o(out_valid), .out_ready_i(out_ready), .out_data_o(out_data),
    .out_bytes_o(out_bytes), .out_last_o(out_last), .tag_i, .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready), .rsp_ok_o(rsp_ok), .rsp_tag_o(rsp_tag)
  );

  aead_rav_buffer #(.Rate(128), .Tag(128), .Depth(Depth)) u_rav_buffer (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_i(req_ready_o), .req_decrypt_i,
    .core_out_valid_i(out_valid), .core_out_ready_o(out_ready), .core_out_data_i(out_data),
    .core_out_bytes_i(out_bytes), .core_out_last_i(out_last), .core_rsp_valid_i(rsp_valid),
    .core_rsp_ready_o(rsp_ready), .core_rsp_ok_i(rsp_ok), .core_rsp_tag_i(rsp_tag), .out_valid_o,
    .out_ready_i, .out_data_o, .out_bytes_o, .out_last_o, .rsp_valid_o, .rsp_ready_i, .rsp_ok_o,
    .rsp_tag_o, .rsp_long_o
  );
endmodule
