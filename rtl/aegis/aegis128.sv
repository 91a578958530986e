// AEGIS-128 with the interface of every AEAD core: encryption and decryption, one message after
// the other, any lengths of associated data and message below 2^61 bytes. [AEGIS, section 3]
//
// README.md in this folder describes the interface. Two things to know:
// - The request, with key and nonce, waits until the initialisation has used it up: req_ready_o is
//   high in the cycle of its last block. So no register of the core holds a key.
// - Decrypting, the blocks of plaintext come out before the tag is known. They must not be used
//   before rsp_ok_o; aead_rav_buffer keeps them until then.
//
// State and lengths stay until the next request writes over them.
module aegis128 #(
  parameter int Design = aegis128_pkg::DesignTo2,
  parameter int Sbox = aes_pkg::SboxLut
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
  output logic [127:0] rsp_tag_o       // zero when decrypting
);
  logic load, en, taken, ad, msg, is_final, done, first, odd, decrypt, need, take, give, whole;

  aegis128_ctrl u_ctrl (
    .clk_i, .rst_ni,
    .req_valid_i, .req_ready_o, .req_decrypt_i, .req_ad_i, .req_msg_i,
    .blk_valid_i, .blk_ready_o, .blk_last_i, .out_valid_o, .out_ready_i,
    .rsp_valid_o, .rsp_ready_i,
    .need_i(need), .take_i(take), .give_i(give), .whole_i(whole),
    .load_o(load), .en_o(en), .taken_o(taken), .ad_o(ad), .msg_o(msg), .final_o(is_final),
    .done_o(done), .first_o(first), .odd_o(odd), .decrypt_o(decrypt)
  );
  assign out_bytes_o = blk_bytes_i;
  assign out_last_o = blk_last_i;

  if (Design == aegis128_pkg::DesignAo1) begin : gen_ao1
    aegis128_ao1 #(.Sbox(Sbox)) u_data (
      .clk_i, .rst_ni, .load_i(load), .en_i(en), .ad_i(ad), .msg_i(msg), .final_i(is_final),
      .done_i(done), .first_i(first), .odd_i(odd), .decrypt_i(decrypt),
      .need_o(need), .take_o(take), .give_o(give), .whole_o(whole),
      .req_key_i, .req_nonce_i, .blk_data_i, .blk_bytes_i, .out_data_o, .tag_i, .rsp_ok_o,
      .rsp_tag_o
    );
    logic unused;
    assign unused = taken;
  end else begin : gen_parallel
    logic [127:0] block, keystream, s3, state_tag;
    logic         whiten;

    aegis128_blocks u_blocks (
      .clk_i, .load_i(load), .taken_i(taken), .ad_i(ad), .msg_i(msg), .final_i(is_final),
      .first_i(first), .odd_i(odd), .decrypt_i(decrypt), .response_i(rsp_valid_o),
      .whiten_i(whiten), .keystream_i(keystream), .s3_i(s3), .s3_late_i('0),
      .state_tag_i(state_tag), .block_o(block), .req_key_i, .req_nonce_i, .blk_data_i,
      .blk_bytes_i, .out_data_o, .tag_i, .rsp_ok_o, .rsp_tag_o
    );
    // All in one clock of an update.
    assign {take, give, whole} = {3{need}};
    logic unused;
    assign unused = done;

    if (Design == aegis128_pkg::DesignAo2) begin : gen_ao2
      aegis128_ao2 #(.Sbox(Sbox)) u_data (
        .clk_i, .load_i(load), .en_i(en), .key_i(req_key_i), .block_i(block),
        .need_o(need), .keystream_o(keystream), .s3_o(s3), .tag_o(state_tag)
      );
      assign whiten = load;
    end else if (Design == aegis128_pkg::DesignTo1) begin : gen_to1
      aegis128_to1 #(.Sbox(Sbox)) u_data (
        .clk_i, .load_i(load), .en_i(en), .key_i(req_key_i), .nonce_i(req_nonce_i),
        .block_i(block),
        .need_o(need), .keystream_o(keystream), .s3_o(s3), .tag_o(state_tag)
      );
      assign whiten = 1'b0;
    end else begin : gen_state
      logic [4:0][127:0] state;
      if (Design == aegis128_pkg::DesignBase) begin : gen_base
        aegis128_base #(.Sbox(Sbox)) u_data (
          .clk_i, .load_i(load), .en_i(en), .key_i(req_key_i), .nonce_i(req_nonce_i),
          .block_i(block), .need_o(need), .state_o(state)
        );
      end else begin : gen_to2
        aegis128_to2 #(.Sbox(Sbox)) u_data (
          .clk_i, .load_i(load), .en_i(en), .key_i(req_key_i), .nonce_i(req_nonce_i),
          .block_i(block), .need_o(need), .state_o(state)
        );
      end
      assign whiten = 1'b0;
      assign keystream = aegis128_pkg::keystream(state[1], state[2], state[3], state[4]);
      assign s3 = state[3];
      assign state_tag = aegis128_pkg::tag(state);
    end
  end

`ifndef SYNTHESIS
  initial begin : p_parameters
    if (Design < aegis128_pkg::DesignBase || Design > aegis128_pkg::DesignTo2) begin
      $fatal(1, "aegis128: Design: want 0 to 4, got %0d; see aegis128_pkg::design_e", Design);
    end
  end
`endif
endmodule
