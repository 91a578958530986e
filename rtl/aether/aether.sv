// AETHER with the interface of every AEAD core: encryption and decryption, one message after the
// other, one round per cycle; AETHER-LB, which binds the lengths, and the reading that always pads.
// Point says which of its circuits, of half a round to four rounds per cycle, and Gated whether its
// words have clocks of their own. Lengths of associated data and message are below 2^61 bytes.
// [AETHER, section 2]
//
// README.md in this folder describes the interface. Three things to know:
// - AETHER as published can be forged, for its lengths are bound nowhere. For study only.
// - The request waits until the end of the initialisation, as in every core here. The key is wanted
//   in the finalisation again: 256 flip-flops keep it.
// - Decrypting, the blocks of plaintext come out before the tag is known. They must not be used
//   before rsp_ok_o; aead_rav_buffer keeps them until then.
//
// State, key and lengths stay until the next request writes over them.
module aether #(
  parameter int Member = aether_pkg::MemberAether,
  parameter int Sbox = aether_pkg::SboxTable,
  parameter int Mix = aether_pkg::MixPlain,
  parameter int Point = aether_pkg::PointOne,
  parameter int Gated = 0,
  parameter int Rounds = aether_pkg::rounds(Point),  // per cycle
  parameter int Rate = 384 * Rounds,
  parameter int Count = $clog2(Rate / 8) + 1         // bits of a count of bytes
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             req_valid_i,
  output logic             req_ready_o,
  input  logic             req_decrypt_i,
  input  logic             req_ad_i,   // associated data follow
  input  logic             req_msg_i,  // a message follows
  input  logic [255:0]     req_key_i,  // K_0 in the low half
  input  logic [127:0]     req_nonce_i,

  input  logic             blk_valid_i,
  output logic             blk_ready_o,
  input  logic [Rate-1:0]  blk_data_i,
  input  logic [Count-1:0] blk_bytes_i, // 1 to Rate / 8; less only in the last block of a part
  input  logic             blk_last_i,

  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Rate-1:0]  out_data_o, // zero past the last byte
  output logic [Count-1:0] out_bytes_o,
  output logic             out_last_o,

  input  logic [127:0]     tag_i,      // decrypting: held until the response
  output logic             rsp_valid_o,
  input  logic             rsp_ready_i,
  output logic             rsp_ok_o,
  output logic [127:0]     rsp_tag_o   // zero when decrypting
);
  logic load, en, taken, init, ad, msg, part, pad, len, is_final, feed_init, feed_final;
  logic decrypt, open, first;

  aead_rounds #(
    .InitRounds((20 + Rounds - 1) / Rounds), .FinalRounds((20 + Rounds - 1) / Rounds),
    .Clocks(Point == aether_pkg::PointHalf ? 2 : 1),
    .Lengths(int'(Member == aether_pkg::MemberLb)),
    .AlwaysPad(int'(Member == aether_pkg::MemberAlwaysPad))
  ) u_rounds (
    .clk_i, .rst_ni,
    .req_valid_i, .req_ready_o, .req_decrypt_i, .req_ad_i, .req_msg_i,
    .blk_valid_i, .blk_ready_o, .blk_last_i, .blk_full_i(blk_bytes_i == Count'(Rate / 8)),
    .out_valid_o, .out_ready_i, .rsp_valid_o, .rsp_ready_i,
    .load_o(load), .en_o(en), .first_o(first), .taken_o(taken), .init_o(init), .ad_o(ad),
    .msg_o(msg), .part_o(part), .pad_o(pad), .len_o(len), .final_o(is_final),
    .feed_init_o(feed_init), .feed_final_o(feed_final), .decrypt_o(decrypt), .open_o(open)
  );

  logic [255:0] key_q;
  logic [127:0] k0, k1;

  if (Gated == 0) begin : gen_key
    always_ff @(posedge clk_i) if (load) key_q <= req_key_i;
  end else begin : gen_key_gated
    for (genvar i = 0; i < 2; i++) begin : gen_word
      gated_word u_word (
        .clk_i, .write_i(load), .data_i(req_key_i[128*i+:128]), .data_o(key_q[128*i+:128])
      );
    end
  end
  assign {k1, k0} = key_q;

  // What the rounds of a cycle absorb, but for the keystream in a plaintext block of a decryption.
  logic [Rate-1:0]   mask, padding, text, block, keystream;
  logic [383:0]      lengths, constants, final_block, lone;
  logic [Rounds-1:0] last;       // which round of the clock is its last

  if (Rounds == 1) begin : gen_one_block
    assign mask = aether_pkg::mask(blk_bytes_i);
    assign padding = aether_pkg::pad(blk_bytes_i);
    assign last = 1'b1;
  end else begin : gen_blocks
    logic [Rounds:0] some;       // of a part: the round has a block
    assign some[Rounds] = 1'b0;
    for (genvar r = 0; r < Rounds; r++) begin : gen_block
      localparam int From = 48 * r;
      logic       full;          // and another stands behind it
      logic [6:0] bytes;
      assign full = r < Rounds - 1 && blk_bytes_i >= Count'(From + 48);
      // Behind a block that is full, the reading that always pads has one of padding alone.
      assign some[r] = r == 0
          || blk_bytes_i >= Count'(From + int'(Member != aether_pkg::MemberAlwaysPad));
      assign bytes = full ? 7'd48 : some[r] ? 7'(blk_bytes_i - Count'(From)) : 7'd0;
      assign mask[384*r+:384] = aether_pkg::mask(bytes);
      assign padding[384*r+:384] = aether_pkg::pad(bytes);
    end
    // Twenty rounds may leave some for a cycle of their own: the last of the initialisation, the
    // first of the finalisation.
    localparam int Rest = 20 % Rounds;
    logic began_q, rest;
    always_ff @(posedge clk_i) began_q <= is_final;
    assign rest = Rest != 0 && (feed_init || (is_final && !began_q));
    always_comb begin
      for (int r = 0; r < Rounds; r++) begin
        last[r] = part ? some[r] & ~some[r+1]
            : len | pad ? r == 0 : rest ? r == Rest - 1 : r == Rounds - 1;
      end
    end
  end

  assign text = (blk_data_i & mask) | padding;
  assign constants = {aether_pkg::Z2, aether_pkg::Z1, aether_pkg::Z0};
  assign final_block = {k1, aether_pkg::Z0, k0};
  assign lone = (aether_pkg::pad(7'd0) & {384{pad}}) | (lengths & {384{len}});
  // Of phases there is one or none.
  assign block = (text & {Rate{part}}) | ({Rounds{constants}} & {Rate{init}})
      | ({Rounds{final_block}} & {Rate{is_final}})
      | Rate'(lone);

  // Bytes of associated data and of message so far.
  if (Member == aether_pkg::MemberLb) begin : gen_lengths
    logic [60:0] ad_bytes, msg_bytes;
    // 192 bytes at most. Between two carries out of nine bits is one cycle then, which is enough.
    localparam int Width = Count < 8 ? Count : 8;
    aead_length #(.Width(Width)) u_ad_length (
      .clk_i, .clear_i(load), .add_i(taken & ad), .bytes_i(blk_bytes_i[Width-1:0]),
      .length_o(ad_bytes)
    );
    aead_length #(.Width(Width)) u_msg_length (
      .clk_i, .clear_i(load), .add_i(taken & msg), .bytes_i(blk_bytes_i[Width-1:0]),
      .length_o(msg_bytes)
    );
    assign lengths = {aether_pkg::Z1, aether_pkg::length(msg_bytes), aether_pkg::length(ad_bytes)};
  end else begin : gen_no_lengths
    assign lengths = '0;
    logic unused;
    assign unused = taken ^ ad;
  end

  logic [8:0][127:0] state;
  logic [1151:0]     start, feed;
  logic [127:0]      sum;

  assign start = aether_pkg::start(req_key_i[127:0], req_key_i[255:128], req_nonce_i);
  assign feed = (aether_pkg::feed_init(k0, k1) & {1152{feed_init}})
      ^ (aether_pkg::feed_final(k0, k1) & {1152{feed_final}});
  assign sum = ((state[0] ^ state[1]) ^ (state[2] ^ state[3]))
      ^ ((state[4] ^ state[5]) ^ (state[6] ^ state[7])) ^ state[8];

  if (Point == aether_pkg::PointHalf) begin : gen_half
    aether_half #(.Sbox(Sbox), .Mix(Mix), .Gated(Gated)) u_state (
      .clk_i, .load_i(load), .first_i(first), .second_i(en), .start_i(start), .block_i(block),
      .stream_i(mask & {Rate{open}}), .feed_i(feed), .keystream_o(keystream), .state_o(state)
    );
    logic unused;
    assign unused = last[0];
  end else begin : gen_whole
    aether_state #(
      .Rounds(Rounds), .Sbox(Sbox), .Mix(Mix), .Isolated(int'(Point == aether_pkg::PointIsolated)),
      .Gated(Gated)
    ) u_state (
      .clk_i, .load_i(load), .en_i(en), .last_i(last), .awake_i(msg), .start_i(start),
      .block_i(block), .stream_i(mask & {Rate{open}}), .feed_i(feed), .keystream_o(keystream),
      .state_o(state)
    );
    logic unused;
    assign unused = first;
  end

  assign out_data_o = (blk_data_i ^ keystream) & mask & {Rate{msg}};
  assign out_bytes_o = blk_bytes_i;
  assign out_last_o = blk_last_i;

  // The keys that are added behind the finalisation: K_0 five times, K_1 four times.
  logic [127:0] tag;
  assign tag = sum ^ k0;
  // A computed tag never leaves when decrypting.
  assign rsp_ok_o = rsp_valid_o & (~decrypt | (tag == tag_i));
  assign rsp_tag_o = tag & {128{rsp_valid_o & ~decrypt}};

`ifndef SYNTHESIS
  initial begin : p_parameters
    if (Member < aether_pkg::MemberAether || Member > aether_pkg::MemberAlwaysPad) begin
      $fatal(1, "aether: Member: want 0 to 2, got %0d; see aether_pkg::member_e", Member);
    end
    if (Point < aether_pkg::PointOne || Point > aether_pkg::PointFour) begin
      $fatal(1, "aether: Point: want 0 to 5, got %0d; see aether_pkg::point_e", Point);
    end
    if (Gated < 0 || Gated > 1) $fatal(1, "aether: Gated: want 0 or 1, got %0d", Gated);
  end
`endif
endmodule
