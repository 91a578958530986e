// AES-256-GCM with the interface of every AEAD core: encryption and decryption, one message after
// the other, one AES round per cycle, 14 cycles per block. [GCM, section 7] [FIPS197, section 5]
// Nonces have 12 bytes; associated data are below 2^61 bytes, a message is below 2^36 - 31.
//
// README.md in this folder describes the interface. Three things to know:
// - GHASH multiplies ten coefficients per cycle, thirteen cycles per block, while the cipher makes
//   the next block of the keystream. In the cycle of its last round that block is used: no register
//   holds a keystream.
// - Every block of the cipher begins with the first round key, and the key schedule with the key:
//   256 flip-flops keep it next to those of the schedule.
// - Decrypting, the blocks of plaintext come out before the tag is known. They must not be used
//   before rsp_ok_o; aead_rav_buffer keeps them until then.
//
// All registers stay until the next request writes over them.
module gcm_iterative #(
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
  input  logic [255:0] req_key_i,
  input  logic [95:0]  req_nonce_i,

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
  localparam int Digit = 10;
  localparam int Steps = (128 + Digit - 1) / Digit;
  localparam int Padded = Digit * Steps;

  // Of the data: what is hashed next; Sum: the last multiplication.
  typedef enum logic [2:0] {Idle, Init, Ad, Msg, Len, Sum, Done} phase_e;
  // What the cipher makes: H, a block of the keystream, the mask of the tag, which it then holds.
  typedef enum logic [1:0] {MakeH, Stream, MaskTag, Stored} block_e;
  phase_e phase_d, phase_q, behind_ad;
  block_e block_d, block_q;

  logic [3:0] round_q, step_q;
  logic       ad_q, msg_q, decrypt_q, busy_q;
  logic       load, responded, last_round, last_step, free, absorb, taken, hash, restart;

  assign responded = (phase_q == Done) & rsp_ready_i;
  assign load = req_valid_i & ((phase_q == Idle) | responded);
  assign last_round = round_q == 4'd13;
  assign last_step = step_q == 4'(Steps - 1);
  assign req_ready_o = (phase_q == Init) & last_round;

  // GHASH takes a block if it has nothing to do, or in the last clock of a multiplication.
  assign free = ~busy_q | last_step;
  assign absorb = free & ((phase_q == Ad) | ((phase_q == Msg) & last_round));
  assign out_valid_o = absorb & (phase_q == Msg) & blk_valid_i;
  assign taken = absorb & blk_valid_i & ((phase_q == Ad) | out_ready_i);
  assign blk_ready_o = taken;
  assign hash = taken | (free & (phase_q == Len));

  // The last round of a keystream block waits for the block that it encrypts.
  assign restart = last_round & ((block_q == MakeH) | ((phase_q == Msg) & taken));

  always_comb begin
    behind_ad = Len;
    if (msg_q) behind_ad = Msg;
    phase_d = phase_q;
    unique case (phase_q)
      Init: if (last_round) begin
        phase_d = behind_ad;
        if (ad_q) phase_d = Ad;
      end
      Ad:      if (taken && blk_last_i) phase_d = behind_ad;
      Msg:     if (taken && blk_last_i) phase_d = Len;
      Len:     if (hash) phase_d = Sum;
      Sum:     if (last_step) phase_d = Done;
      default: phase_d = phase_q;
    endcase
    if (load) phase_d = Init;
    else if (responded) phase_d = Idle;
  end

  always_comb begin
    block_d = block_q;
    if (restart && block_q == MakeH && msg_q) block_d = Stream;
    else if (restart && (block_q == MakeH || blk_last_i)) block_d = MaskTag;
    else if (last_round && block_q == MaskTag) block_d = Stored;
    if (load) block_d = MakeH;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) phase_q <= Idle;
    else phase_q <= phase_d;
  end

  // All below is written before it is read: without a reset.
  logic [95:0] nonce_q;
  logic [31:0] counter_q, counter;
  logic [60:0] ad_bytes_q;
  logic [35:0] msg_bytes_q;

  assign counter = block_d == MaskTag ? 32'd1 : counter_q;
  always_ff @(posedge clk_i) begin
    block_q <= block_d;
    if (load) begin
      ad_q <= req_ad_i;
      msg_q <= req_msg_i;
      decrypt_q <= req_decrypt_i;
      nonce_q <= req_nonce_i;
      counter_q <= 32'd2;
      ad_bytes_q <= '0;
      msg_bytes_q <= '0;
    end else begin
      if (restart) counter_q <= counter_q + 1'b1;
      if (taken && phase_q == Ad) ad_bytes_q <= ad_bytes_q + 61'(blk_bytes_i);
      if (taken && phase_q == Msg) msg_bytes_q <= msg_bytes_q + 36'(blk_bytes_i);
    end
  end

  // The cipher. The key of a round is known one cycle ahead.
  logic [255:0] key_q, schedule_q, schedule_next;
  logic [127:0] state_q, rounded;

  aes_key_step #(.KeyBits(256), .Sbox(Sbox)) u_step (
    .key_i(schedule_q), .step_i(round_q), .invert_i(1'b0), .key_o(schedule_next)
  );
  aes_cipher_round #(.Sbox(Sbox), .Mix(Mix)) u_round (
    .state_i(state_q), .key_i(schedule_q[255:128]), .decrypt_i(1'b0), .last_i(last_round),
    .state_o(rounded)
  );
  always_ff @(posedge clk_i) begin
    if (load) begin
      key_q <= req_key_i;
      schedule_q <= req_key_i;
      state_q <= req_key_i[127:0];  // of the block zero
      round_q <= '0;
    end else if (restart) begin
      schedule_q <= key_q;
      state_q <= gcm_pkg::counter_block(nonce_q, counter) ^ key_q[127:0];
      round_q <= '0;
    end else if (block_q != Stored && !(last_round && block_q == Stream)) begin
      schedule_q <= schedule_next;
      state_q <= rounded;
      round_q <= round_q + 1'b1;
    end
  end

  // GHASH: y is the factor, its highest coefficients in front; sum what is known of y H.
  logic [127:0]      h_q, sum_q, sum, total, x, mask, text, tag;
  logic [Padded-1:0] y_q;

  assign mask = gcm_pkg::mask(blk_bytes_i);
  assign text = blk_data_i & mask;
  assign out_data_o = (blk_data_i ^ rounded) & mask & {128{phase_q == Msg}};
  assign out_bytes_o = blk_bytes_i;
  assign out_last_o = blk_last_i;
  assign x = phase_q == Len ? gcm_pkg::lengths(ad_bytes_q, msg_bytes_q)
      : (phase_q == Ad) | decrypt_q ? text : out_data_o;

  ghash_step #(.Digit(Digit)) u_ghash (
    .sum_i(sum_q), .digit_i(y_q[Padded-1-:Digit]), .h_i(h_q), .sum_o(sum)
  );
  assign total = busy_q ? sum : sum_q;
  always_ff @(posedge clk_i) begin
    if (restart && block_q == MakeH) h_q <= gcm_pkg::bit_reversed(rounded);
    if (load) begin
      sum_q <= '0;
      busy_q <= 1'b0;
    end else if (hash) begin
      y_q <= {{(Padded-128){1'b0}}, total ^ gcm_pkg::bit_reversed(x)};
      sum_q <= '0;
      step_q <= '0;
      busy_q <= 1'b1;
    end else if (busy_q) begin
      y_q <= y_q << Digit;
      sum_q <= sum;
      step_q <= step_q + 1'b1;
      busy_q <= ~last_step;
    end
  end

  // A computed tag never leaves when decrypting.
  assign tag = gcm_pkg::bit_reversed(sum_q) ^ state_q;
  assign rsp_valid_o = phase_q == Done;
  assign rsp_ok_o = rsp_valid_o & (~decrypt_q | (tag == tag_i));
  assign rsp_tag_o = tag & {128{rsp_valid_o & ~decrypt_q}};

`ifdef ROUNDWORKS_ASSERT
  // What waits for its taker goes on waiting.
  OutHold_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (out_valid_o && !out_ready_i) |=> (out_valid_o && $stable(out_data_o)));
  RspHold_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rsp_valid_o && !rsp_ready_i) |=> rsp_valid_o);
  // The request is held until it is taken.
  ReqHold_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (req_valid_i && !req_ready_o) |=> req_valid_i);
  // The mask of the tag is never later than the last product.
  Masked_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (phase_q == Done) |-> (block_q == Stored));
`endif
endmodule
