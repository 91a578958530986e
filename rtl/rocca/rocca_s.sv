// Rocca-S with the interface of every AEAD core: encryption and decryption, one message after the
// other, one round per cycle. Lengths of associated data and message are below 2^61 bytes.
// [ROCCA-S-DRAFT]
//
// README.md in this folder describes the interface. Two things to know:
// - The request, with key and nonce, waits until the initialisation has used it up: req_ready_o is
//   high in the cycle of its last round. The key is not wanted again, and no register holds it.
// - Decrypting, the blocks of plaintext come out before the tag is known. They must not be used
//   before rsp_ok_o; aead_rav_buffer keeps them until then.
//
// State and lengths stay until the next request writes over them.
module rocca_s #(
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
  input  logic [255:0] req_key_i,      // K_0 in the low half
  input  logic [127:0] req_nonce_i,

  input  logic         blk_valid_i,
  output logic         blk_ready_o,
  input  logic [255:0] blk_data_i,
  input  logic [5:0]   blk_bytes_i,    // 1 to 32; less only in the last block of a part
  input  logic         blk_last_i,

  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [255:0] out_data_o,     // zero past the last byte
  output logic [5:0]   out_bytes_o,
  output logic         out_last_o,

  input  logic [255:0] tag_i,          // decrypting: held until the response
  output logic         rsp_valid_o,
  input  logic         rsp_ready_i,
  output logic         rsp_ok_o,
  output logic [255:0] rsp_tag_o       // zero when decrypting
);
  logic load, en, taken, init, ad, msg, part, pad, len, is_final, feed_init, feed_final;
  logic decrypt, open, first;

  aead_rounds #(.InitRounds(16), .FinalRounds(16)) u_rounds (
    .clk_i, .rst_ni,
    .req_valid_i, .req_ready_o, .req_decrypt_i, .req_ad_i, .req_msg_i,
    .blk_valid_i, .blk_ready_o, .blk_last_i, .blk_full_i(blk_bytes_i == 6'd32),
    .out_valid_o, .out_ready_i, .rsp_valid_o, .rsp_ready_i,
    .load_o(load), .en_o(en), .first_o(first), .taken_o(taken), .init_o(init), .ad_o(ad),
    .msg_o(msg), .part_o(part), .pad_o(pad), .len_o(len), .final_o(is_final),
    .feed_init_o(feed_init), .feed_final_o(feed_final), .decrypt_o(decrypt), .open_o(open)
  );

  logic [127:0] k0, k1;
  assign {k1, k0} = req_key_i;

  // Bits of associated data and of message, LE128 each: every round of the finalisation absorbs
  // them.
  logic [60:0]  ad_bytes, msg_bytes;
  logic [255:0] lengths;

  aead_length #(.Width(6)) u_ad_length (
    .clk_i, .clear_i(load), .add_i(taken & ad), .bytes_i(blk_bytes_i), .length_o(ad_bytes)
  );
  aead_length #(.Width(6)) u_msg_length (
    .clk_i, .clear_i(load), .add_i(taken & msg), .bytes_i(blk_bytes_i), .length_o(msg_bytes)
  );
  assign lengths = {64'd0, msg_bytes, 3'b000, 64'd0, ad_bytes, 3'b000};

  // What a round absorbs, but for the keystream in a plaintext block of a decryption. Of phases
  // there is one or none.
  logic [255:0] mask, block, keystream, tag;

  assign mask = rocca_pkg::mask(blk_bytes_i);
  assign block = (blk_data_i & mask & {256{part}})
      | ({rocca_pkg::Z1, rocca_pkg::Z0} & {256{init}}) | (lengths & {256{is_final}});

  rocca_s_state #(.Sbox(Sbox), .Mix(Mix)) u_state (
    .clk_i, .load_i(load), .en_i(en), .start_i(rocca_pkg::start(k0, k1, req_nonce_i)),
    .block_i(block), .stream_i(mask & {256{open}}),
    .feed_i(rocca_pkg::feed(k0, k1) & {896{feed_init}}),
    .keystream_o(keystream), .tag_o(tag)
  );

  assign out_data_o = (blk_data_i ^ keystream) & mask & {256{msg}};
  assign out_bytes_o = blk_bytes_i;
  assign out_last_o = blk_last_i;

  // A computed tag never leaves when decrypting.
  assign rsp_ok_o = rsp_valid_o & (~decrypt | (tag == tag_i));
  assign rsp_tag_o = tag & {256{rsp_valid_o & ~decrypt}};

  logic unused;
  assign unused = first ^ pad ^ len ^ feed_final;
endmodule
