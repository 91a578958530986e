// AEGIS-256 with the interface of every AEAD core, with a tag of 16 bytes: encryption and
// decryption, one message after the other, one update per cycle. Lengths of associated data and
// message are below 2^61 bytes. [AEGIS-RFC]
//
// README.md in this folder describes the interface. Two things to know:
// - The request, with key and nonce, waits until the initialisation has used it up: req_ready_o is
//   high in the cycle of its last block. So no register of the core holds a key.
// - Decrypting, the blocks of plaintext come out before the tag is known. They must not be used
//   before rsp_ok_o; aead_rav_buffer keeps them until then.
//
// State and lengths stay until the next request writes over them.
module aegis256 #(
  parameter int Sbox = aes_pkg::SboxLut,
  parameter int Mix = aes_pkg::MixPlain
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         req_valid_i,
  output logic         req_ready_o,
  input  logic         req_decrypt_i,
  input  logic         req_ad_i,       // associated data follow
  input  logic         req_msg_i,      // a message follows
  input  logic [255:0] req_key_i,      // K_0 in the low half, as N_0
  input  logic [255:0] req_nonce_i,

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
  logic load, en, taken, init, ad, msg, part, pad, len, is_final, feed_init, feed_final;
  logic decrypt, open, first;

  aead_rounds #(.InitRounds(16), .FinalRounds(7)) u_rounds (
    .clk_i, .rst_ni,
    .req_valid_i, .req_ready_o, .req_decrypt_i, .req_ad_i, .req_msg_i,
    .blk_valid_i, .blk_ready_o, .blk_last_i, .blk_full_i(blk_bytes_i == 5'd16),
    .out_valid_o, .out_ready_i, .rsp_valid_o, .rsp_ready_i,
    .load_o(load), .en_o(en), .first_o(first), .taken_o(taken), .init_o(init), .ad_o(ad),
    .msg_o(msg), .part_o(part), .pad_o(pad), .len_o(len), .final_o(is_final),
    .feed_init_o(feed_init), .feed_final_o(feed_final), .decrypt_o(decrypt), .open_o(open)
  );

  logic [127:0] k0, k1, n0, n1;
  assign {k1, k0} = req_key_i;
  assign {n1, n0} = req_nonce_i;

  // The initialisation absorbs K_0, K_1, K_0 ^ N_0, K_1 ^ N_1, four times.
  logic [1:0]   step_q;
  logic [127:0] key_block;

  always_ff @(posedge clk_i) begin
    if (load) step_q <= '0;
    else if (en) step_q <= step_q + 1'b1;
  end
  assign key_block = (step_q[0] ? k1 : k0) ^ ((step_q[0] ? n1 : n0) & {128{step_q[1]}});

  // Before the finalisation S_3 is added to the bits of associated data and message, and kept.
  logic [60:0]  ad_bytes, msg_bytes;
  logic [127:0] s3, total_q, total;
  logic         first_q;

  aead_length #(.Width(5)) u_ad_length (
    .clk_i, .clear_i(load), .add_i(taken & ad), .bytes_i(blk_bytes_i), .length_o(ad_bytes)
  );
  aead_length #(.Width(5)) u_msg_length (
    .clk_i, .clear_i(load), .add_i(taken & msg), .bytes_i(blk_bytes_i), .length_o(msg_bytes)
  );

  assign total = first_q ? {msg_bytes, 3'b000, ad_bytes, 3'b000} ^ s3 : total_q;
  always_ff @(posedge clk_i) begin
    if (en) first_q <= feed_final;
    if (is_final && first_q) total_q <= total;
  end

  logic [127:0] keystream, mask, block, tag;

  assign mask = aegis128_pkg::mask(blk_bytes_i);
  assign block = ((blk_data_i ^ (keystream & {128{open}})) & mask & {128{part}})
      | (key_block & {128{init}}) | (total & {128{is_final}});

  aegis256_state #(.Sbox(Sbox), .Mix(Mix)) u_state (
    .clk_i, .load_i(load), .en_i(en),
    .start_i({k1 ^ aegis128_pkg::C1, k0 ^ aegis128_pkg::C0, aegis128_pkg::C0, aegis128_pkg::C1,
              k1 ^ n1, k0 ^ n0}),
    .block_i(block), .keystream_o(keystream), .s3_o(s3), .sum_o(tag)
  );

  assign out_data_o = (blk_data_i ^ keystream) & mask & {128{msg}};
  assign out_bytes_o = blk_bytes_i;
  assign out_last_o = blk_last_i;

  // A computed tag never leaves when decrypting.
  assign rsp_ok_o = rsp_valid_o & (~decrypt | (tag == tag_i));
  assign rsp_tag_o = tag & {128{rsp_valid_o & ~decrypt}};

  logic unused;
  assign unused = first ^ pad ^ len ^ feed_init;
endmodule
