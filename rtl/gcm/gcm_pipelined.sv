// AES-256-GCM with the interface of every AEAD core: encryption and decryption, one message after
// the other, one block per cycle. [GCM, section 7] [FIPS197, section 5]
// Nonces have 12 bytes; associated data are below 2^61 bytes, a message is below 2^36 - 31.
//
// The cipher has a register behind every round. H is the first block to go through it, and the
// round keys are made as it goes: each is ready in the cycle in which H needs it, and stays.
//
// A multiplication of GHASH takes two cycles, and a block comes in every cycle. So there are two
// sums, of every second block each, and both are multiplied by H^2; the last block, that of the
// lengths, is multiplied by H, and then the sums are added. [GCM, section 6.4]
//
// README.md in this folder describes the interface. Decrypting, the blocks of plaintext come
// out before the tag is known. They must not be used before rsp_ok_o; aead_rav_buffer keeps them
// until then. All registers stay until the next request writes over them.
module gcm_pipelined #(
  parameter int Sbox = aes_pkg::SboxLut,
  parameter int Mix = aes_pkg::MixPlain,
  parameter int Levels = 2   // of Karatsuba, in the multiplication
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
  localparam int Rounds = 14;

  // Join: the sums are added, in two clocks.
  typedef enum logic [2:0] {Idle, Init, Ad, Msg, Len, JoinMask, Join, Done} phase_e;
  phase_e phase_d, phase_q, behind_ad;

  logic [3:0] count_q;          // clocks of the initialisation
  logic       ad_q, msg_q, decrypt_q;
  logic       load, responded, init_end, wait_blk, taken, move, hash;

  assign responded = (phase_q == Done) & rsp_ready_i;
  assign load = req_valid_i & ((phase_q == Idle) | responded);
  assign init_end = (phase_q == Init) & (count_q == 4'd15);
  assign req_ready_o = init_end;
  assign out_valid_o = (phase_q == Msg) & blk_valid_i;
  assign wait_blk = ~blk_valid_i | ((phase_q == Msg) & ~out_ready_i);
  assign taken = ((phase_q == Ad) | (phase_q == Msg)) & ~wait_blk;
  assign blk_ready_o = taken;
  assign move = (phase_q == Init) | ((phase_q == Msg) & taken);
  assign hash = taken | (phase_q == Len) | (phase_q == JoinMask) | (phase_q == Join);

  always_comb begin
    behind_ad = Len;
    if (msg_q) behind_ad = Msg;
    phase_d = phase_q;
    unique case (phase_q)
      Init: if (init_end) begin
        phase_d = behind_ad;
        if (ad_q) phase_d = Ad;
      end
      Ad:       if (taken && blk_last_i) phase_d = behind_ad;
      Msg:      if (taken && blk_last_i) phase_d = Len;
      Len:      phase_d = JoinMask;
      JoinMask: phase_d = Join;
      Join:     phase_d = Done;
      default:  phase_d = phase_q;
    endcase
    if (load) phase_d = Init;
    else if (responded) phase_d = Idle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) phase_q <= Idle;
    else phase_q <= phase_d;
  end

  // All below is written before it is read: without a reset.
  logic [95:0] nonce_q;
  logic [31:0] counter_q;
  logic [60:0] ad_bytes_q;
  logic [35:0] msg_bytes_q;

  always_ff @(posedge clk_i) begin
    if (load) begin
      ad_q <= req_ad_i;
      msg_q <= req_msg_i;
      decrypt_q <= req_decrypt_i;
      nonce_q <= req_nonce_i;
      count_q <= '0;
      counter_q <= 32'd1;
      ad_bytes_q <= '0;
      msg_bytes_q <= '0;
    end else begin
      count_q <= count_q + 1'b1;
      if (move) counter_q <= counter_q + 1'b1;
      if (taken && phase_q == Ad) ad_bytes_q <= ad_bytes_q + 61'(blk_bytes_i);
      if (taken && phase_q == Msg) msg_bytes_q <= msg_bytes_q + 36'(blk_bytes_i);
    end
  end

  // The key schedule walks in front of H; round key i + 2 is made in clock i.
  logic [255:0] schedule_q, schedule_next;

  aes_key_step #(.KeyBits(256), .Sbox(Sbox)) u_step (
    .key_i(schedule_q), .step_i(count_q), .invert_i(1'b0), .key_o(schedule_next)
  );
  always_ff @(posedge clk_i) begin
    if (load) schedule_q <= req_key_i;
    else if (phase_q == Init) schedule_q <= schedule_next;
  end

  // Stage i is the state behind round i.
  logic [127:0] keystream;
  for (genvar i = 0; i <= Rounds; i++) begin : gen_stage
    logic [127:0] key_q, state_q, state_d;
    if (i < 2) begin : gen_given
      always_ff @(posedge clk_i) if (load) key_q <= req_key_i[128*i+:128];
    end else begin : gen_made
      always_ff @(posedge clk_i) begin
        if (phase_q == Init && count_q == 4'(i - 2)) key_q <= schedule_next[255:128];
      end
    end
    if (i == 0) begin : gen_first
      assign state_d = gcm_pkg::counter_block(nonce_q, counter_q) ^ key_q;
      always_ff @(posedge clk_i) begin
        if (load) state_q <= req_key_i[127:0];  // of the block zero
        else if (move) state_q <= state_d;
      end
    end else begin : gen_round
      aes_cipher_round #(.Sbox(Sbox), .Mix(Mix)) u_round (
        .state_i(gen_stage[i-1].state_q), .key_i(key_q), .decrypt_i(1'b0),
        .last_i(1'(i == Rounds)), .state_o(state_d)
      );
      always_ff @(posedge clk_i) if (move) state_q <= state_d;
    end
  end
  assign keystream = gen_stage[Rounds].state_q;

  // H, then the mask of the tag, come out in the last two clocks of the initialisation.
  logic         come_h, come_mask, by_h, squared_q;
  logic [127:0] h_q, h2_q, mask_q, sum_q, total, x, mask, text;
  logic [380:0] products, products_q;

  assign come_h = (phase_q == Init) & (count_q == 4'd14);
  assign come_mask = init_end;
  assign by_h = come_mask | (phase_q == JoinMask);
  assign mask = gcm_pkg::mask(blk_bytes_i);
  assign text = blk_data_i & mask;
  assign out_data_o = (blk_data_i ^ keystream) & mask & {128{phase_q == Msg}};
  assign out_bytes_o = blk_bytes_i;
  assign out_last_o = blk_last_i;

  always_comb begin
    x = '0;
    if (taken) x = (phase_q == Ad) | decrypt_q ? text : out_data_o;
    if (phase_q == Len) x = gcm_pkg::lengths(ad_bytes_q, msg_bytes_q);
    if (phase_q == JoinMask) x = mask_q;
    if (come_h) x = keystream;
  end

  // sum_q is the next factor, products_q the half-done product of the one before.
  ghash_product #(.Levels(Levels)) u_product (
    .a_i(sum_q), .b_i(by_h ? h_q : h2_q), .products_o(products)
  );
  ghash_reduce u_reduce (.products_i(products_q), .product_o(total));
  always_ff @(posedge clk_i) begin
    if (come_h) h_q <= gcm_pkg::bit_reversed(keystream);
    if (come_mask) mask_q <= keystream;
    // The first product is H^2, and no part of a sum.
    if (come_mask) squared_q <= 1'b1;
    else if (hash) squared_q <= 1'b0;
    if (squared_q) h2_q <= total;
    if (hash || come_h || come_mask) begin
      sum_q <= gcm_pkg::bit_reversed(x) ^ (total & {128{hash & ~squared_q}})
          ^ (sum_q & {128{phase_q == Join}});
      products_q <= products;
    end
  end

  // A computed tag never leaves when decrypting.
  logic [127:0] tag;
  assign tag = gcm_pkg::bit_reversed(sum_q);
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
`endif
endmodule
