// AEGIS-128, three interleaved messages: five AES rounds in three stages, one update per cycle.
//
// The interface is that of aegis128, of message slot_o in this cycle. Its signals are offered,
// stable and taken in that message's cycles: a message sees every third cycle, and no other.
//
// State and lengths stay until the next request writes over them. Decrypting, the blocks of
// plaintext come out before the tag is known.
module aegis128_interleaved #(
  parameter int Mix = aes_pkg::MixPlain
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic [1:0]   slot_o,         // whose turn it is, 0 to 2

  input  logic         req_valid_i,
  output logic         req_ready_o,
  input  logic         req_decrypt_i,
  input  logic         req_ad_i,
  input  logic         req_msg_i,
  input  logic [127:0] req_key_i,
  input  logic [127:0] req_nonce_i,

  input  logic         blk_valid_i,
  output logic         blk_ready_o,
  input  logic [127:0] blk_data_i,
  input  logic [4:0]   blk_bytes_i,
  input  logic         blk_last_i,

  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  output logic [4:0]   out_bytes_o,
  output logic         out_last_o,

  input  logic [127:0] tag_i,
  output logic         rsp_valid_o,
  input  logic         rsp_ready_i,
  output logic         rsp_ok_o,
  output logic [127:0] rsp_tag_o
);
  logic load, en, taken, ad, msg, is_final, done, first, odd, decrypt;

  logic [127:0]      block, late_s3;
  logic [4:0][127:0] state;

  aegis128_ctrl #(.Slots(3)) u_ctrl (
    .clk_i, .rst_ni,
    .req_valid_i, .req_ready_o, .req_decrypt_i, .req_ad_i, .req_msg_i,
    .blk_valid_i, .blk_ready_o, .blk_last_i, .out_valid_o, .out_ready_i,
    .rsp_valid_o, .rsp_ready_i,
    .need_i(1'b1), .take_i(1'b1), .give_i(1'b1), .whole_i(1'b1),
    .load_o(load), .en_o(en), .taken_o(taken), .ad_o(ad), .msg_o(msg), .final_o(is_final),
    .done_o(done), .first_o(first), .odd_o(odd), .decrypt_o(decrypt)
  );
  aegis128_blocks #(.Slots(3)) u_blocks (
    .clk_i, .load_i(load), .taken_i(taken), .ad_i(ad), .msg_i(msg), .final_i(is_final),
    .first_i(first), .odd_i(odd), .decrypt_i(decrypt), .response_i(rsp_valid_o),
    .whiten_i(1'b0),
    .keystream_i(aegis128_pkg::keystream(state[1], state[2], state[3], state[4])),
    .s3_i(state[3]), .s3_late_i(late_s3), .state_tag_i(aegis128_pkg::tag(state)), .block_o(block),
    .req_key_i, .req_nonce_i, .blk_data_i, .blk_bytes_i, .out_data_o, .tag_i, .rsp_ok_o,
    .rsp_tag_o
  );
  assign out_bytes_o = blk_bytes_i;
  assign out_last_o = blk_last_i;

  aegis128_thirds #(.Mix(Mix)) u_data (
    .clk_i, .load_i(load), .en_i(en), .key_i(req_key_i), .nonce_i(req_nonce_i), .block_i(block),
    .state_o(state), .late_s3_o(late_s3)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) slot_o <= '0;
    else slot_o <= slot_o == 2'd2 ? '0 : slot_o + 2'd1;
  end

  logic unused;
  assign unused = done;
endmodule
