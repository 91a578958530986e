// Ascon-128a, or Ascon-AEAD128, with the interface of every AEAD core: encryption and decryption,
// one message after the other, PerCycle rounds per cycle. [ASCON, section 2] [SP800-232, section 4]
//
// README.md in this folder describes the interface. Two things to know:
// - The request waits until the end of the initialisation, as in every core here. The key is wanted
//   in the finalisation again: 128 flip-flops keep it.
// - Decrypting, the blocks of plaintext come out before the tag is known. They must not be used
//   before rsp_ok_o; aead_rav_buffer keeps them until then.
//
// State and key stay until the next request writes over them.
module ascon #(
  parameter int Member = ascon_pkg::Member128a,
  parameter int PerCycle = 1  // 1, 2, 4 or 8
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
  localparam logic [63:0] Iv =
      Member == ascon_pkg::Member128a ? ascon_pkg::Iv128a : ascon_pkg::IvAead128;
  // Rounds with which twelve rounds begin, eight rounds, and the last clock of either.
  localparam logic [3:0] Twelve = PerCycle == 8 ? 4'd12 : 4'd0;
  localparam logic [3:0] Eight  = 4'd4;
  localparam logic [3:0] Last   = 4'(12 - PerCycle);

  typedef enum logic [2:0] {Idle, Init, Ad, AdPad, Msg, Final, Done} phase_e;
  phase_e phase_d, phase_q, behind_ad;

  // Flip-flops for what follows from the phase: all of it fans out widely.
  logic       first_d, first_q;      // the phase's permutation has not begun
  logic       run_q;                 // there is one
  logic       absorb_q, msg_now_q;   // it waits for a block; for one of the message
  logic       open_q, pad_q, final_q, separate_q, key_end_q;
  logic [3:0] at_d, at_q, from;      // the round to begin with
  logic       ad_q, msg_q, decrypt_d, decrypt_q, last_q, full_q;
  logic       load, responded, wait_blk, en, full, last, short_msg, closing, leave;

  assign responded = (phase_q == Done) & rsp_ready_i;
  assign load = req_valid_i & ((phase_q == Idle) | responded);
  assign wait_blk = absorb_q & (~blk_valid_i | (msg_now_q & ~out_ready_i));
  assign en = run_q & ~wait_blk;
  assign blk_ready_o = absorb_q & ~wait_blk;
  assign out_valid_o = msg_now_q & blk_valid_i;
  assign full = first_q ? blk_bytes_i == 5'd16 : full_q;
  assign last = first_q ? blk_last_i : last_q;

  // A message ends with a block that is not full, maybe empty. The finalisation begins with it.
  assign short_msg = msg_now_q & (blk_bytes_i != 5'd16);
  assign closing = final_q | short_msg;
  assign from = at_q ^ ((Eight ^ Twelve) & {4{short_msg}});
  assign leave = en & (from == Last);
  assign req_ready_o = (phase_q == Init) & (at_q == Last);

  always_comb begin
    behind_ad = Final;
    if (msg_q) behind_ad = Msg;
    phase_d = phase_q;
    first_d = first_q & ~en;
    if (en && short_msg) phase_d = Final;
    if (leave) begin
      first_d = 1'b1;
      unique case (phase_q)
        Init: begin
          phase_d = behind_ad;
          if (ad_q) phase_d = Ad;
        end
        Ad: if (last) begin
          phase_d = behind_ad;
          if (full) phase_d = AdPad;
        end
        AdPad:   phase_d = behind_ad;
        Msg:     if (last) phase_d = Final;
        default: phase_d = Done;
      endcase
    end
    if (load) begin
      phase_d = Init;
      first_d = 1'b1;
    end else if (responded) begin
      phase_d = Idle;
    end
  end

  always_comb begin
    at_d = at_q;
    if (en) at_d = from + 4'(PerCycle);
    if (leave) at_d = Eight;
    if (load || (leave && phase_d == Final)) at_d = Twelve;
  end
  assign decrypt_d = load ? req_decrypt_i : decrypt_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= Idle;
      run_q <= 1'b0;
      absorb_q <= 1'b0;
      msg_now_q <= 1'b0;
    end else begin
      phase_q <= phase_d;
      run_q <= (phase_d != Idle) & (phase_d != Done);
      absorb_q <= first_d & ((phase_d == Ad) | (phase_d == Msg));
      msg_now_q <= first_d & (phase_d == Msg);
    end
  end

  // Written before they are read: without a reset.
  always_ff @(posedge clk_i) begin
    first_q <= first_d;
    at_q <= at_d;
    decrypt_q <= decrypt_d;
    open_q <= first_d & (phase_d == Msg) & decrypt_d;
    pad_q <= first_d & ((phase_d == AdPad) | (phase_d == Final));
    final_q <= first_d & (phase_d == Final);
    key_end_q <= ~first_d & ((phase_d == Init) | (phase_d == Final)) & (at_d == Last);
    // Behind the initialisation or the associated data, until the next permutation begins.
    if (leave) separate_q <= (phase_q != Msg) & ((phase_d == Msg) | (phase_d == Final));
    else if (en || load) separate_q <= 1'b0;
    if (en && first_q) begin
      last_q <= blk_last_i;
      full_q <= full;
    end
    if (load) begin
      ad_q <= req_ad_i;
      msg_q <= req_msg_i;
    end
  end

  logic [127:0] key, key_q, mask, text, block, keep, tag;
  logic [319:0] state_q, front, back;

  always_ff @(posedge clk_i) if (load) key_q <= req_key_i;
  assign key = ascon_pkg::words(Member, key_q);

  // What is absorbed, and which bits of the state it is added to: decrypting, the ciphertext takes
  // the place of what was there.
  assign mask = ascon_pkg::mask(blk_bytes_i);
  assign text = (blk_data_i & mask) | ascon_pkg::pad(Member, blk_bytes_i);
  assign block = (text & {128{absorb_q}}) | (ascon_pkg::pad(Member, 5'd0) & {128{pad_q}});
  assign keep = ~(mask & {128{open_q}});

  assign front = {
    state_q[319:256] ^ (ascon_pkg::separator(Member) & {64{separate_q}}),
    state_q[255:128] ^ (key & {128{closing}}),
    (state_q[127:0] & ascon_pkg::words(Member, keep)) ^ ascon_pkg::words(Member, block)
  };
  ascon_rounds #(.PerCycle(PerCycle)) u_rounds (
    .state_i(front), .first_i(from), .state_o(back)
  );

  always_ff @(posedge clk_i) begin
    if (load) begin
      state_q <= {ascon_pkg::words(Member, req_nonce_i), ascon_pkg::words(Member, req_key_i), Iv};
    end else if (en) begin
      state_q <= back ^ {key & {128{key_end_q}}, 192'd0};
    end
  end

  assign out_data_o = (blk_data_i ^ ascon_pkg::words(Member, state_q[127:0])) & mask
      & {128{msg_now_q}};
  assign out_bytes_o = blk_bytes_i;
  assign out_last_o = blk_last_i;

  // A computed tag never leaves when decrypting.
  assign tag = ascon_pkg::words(Member, state_q[319:192]);
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

`ifndef SYNTHESIS
  initial begin : p_parameters
    if (Member < ascon_pkg::Member128a || Member > ascon_pkg::MemberAead128) begin
      $fatal(1, "ascon: Member: want 0 or 1, got %0d; see ascon_pkg::member_e", Member);
    end
    if (PerCycle != 1 && PerCycle != 2 && PerCycle != 4 && PerCycle != 8) begin
      $fatal(1, "ascon: PerCycle: want 1, 2, 4 or 8, got %0d", PerCycle);
    end
  end
`endif
endmodule
