// The phases of a message, and the handshakes of the interface, for a cipher that takes one cycle
// for each of its rounds, or two with Clocks = 2.
//
// Of a message the core passes: one cycle for the load; InitRounds; a round for every block of
// associated data and of the message; a round for the lengths, if Lengths is set; FinalRounds; a
// clock for the response. With AlwaysPad a part whose last block is full, or that is empty, has a
// round more. State and lengths of the datapath move when en_o is high.
//
// With two cycles per round, first_o is high in the first of them, unless the round has to wait,
// and en_o in the second, which waits for nothing. A block of a message is given out in the first
// and taken in the second; until then its sender holds it.
module aead_rounds #(
  parameter int InitRounds = 20,
  parameter int FinalRounds = 20,
  parameter int Clocks = 1,
  parameter int Lengths = 0,
  parameter int AlwaysPad = 0
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic req_valid_i,
  output logic req_ready_o,
  input  logic req_decrypt_i,
  input  logic req_ad_i,
  input  logic req_msg_i,
  input  logic blk_valid_i,
  output logic blk_ready_o,
  input  logic blk_last_i,
  input  logic blk_full_i,  // no byte of the block is missing
  output logic out_valid_o,
  input  logic out_ready_i,
  output logic rsp_valid_o,
  input  logic rsp_ready_i,

  output logic load_o,      // the state becomes that of the request
  output logic en_o,
  output logic first_o,     // with two cycles per round: the first of them passes
  output logic taken_o,     // a block is taken
  // What the round absorbs: associated data, message, padding alone, lengths; else constants.
  output logic init_o,
  output logic ad_o,
  output logic msg_o,
  output logic part_o,        // one of these two
  output logic pad_o,
  output logic len_o,
  output logic final_o,
  output logic feed_init_o,   // this is the last round of the initialisation
  output logic feed_final_o,  // this is the last round before the finalisation
  output logic decrypt_o,
  output logic open_o         // msg_o, of a decryption
);
  // One flip-flop each, and some for what follows from them: all of it fans out widely.
  typedef enum int {Init, Ad, AdPad, Msg, MsgPad, Len, Final, Done} phase_e;
  localparam int Phases = int'(Done) + 1;
  localparam int Width = $clog2(InitRounds > FinalRounds ? InitRounds : FinalRounds);

  logic [Phases-1:0] phase_q, phase_d, behind;   // one-hot; all zero: idle
  logic [Width-1:0]  count_q, count_d;
  logic              run_q, part_q, open_q, init_end_q;
  logic              decrypt_q, message_q, decrypt_d, message_d;
  logic              idle, responded, wait_blk, go, second, final_end;

  assign idle = phase_q == '0;
  assign init_o = phase_q[Init];
  assign ad_o = phase_q[Ad];
  assign msg_o = phase_q[Msg];
  assign part_o = part_q;
  assign pad_o = phase_q[AdPad] | phase_q[MsgPad];
  assign len_o = phase_q[Len];
  assign final_o = phase_q[Final];
  assign decrypt_o = decrypt_q;
  assign open_o = open_q;

  assign rsp_valid_o = phase_q[Done];
  assign responded = rsp_valid_o & rsp_ready_i;
  assign load_o = req_valid_i & (idle | responded);
  assign wait_blk = (part_q & ~blk_valid_i) | (msg_o & ~out_ready_i);
  assign go = run_q & ~wait_blk;
  if (Clocks == 2) begin : gen_two_clocks
    logic second_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) second_q <= 1'b0;
      else second_q <= first_o;
    end
    assign second = second_q;
    assign first_o = go & ~second;
    assign en_o = second;
    assign taken_o = part_q & second;
    assign out_valid_o = msg_o & blk_valid_i & ~second;
  end else begin : gen_one_clock
    assign second = 1'b1;
    assign first_o = 1'b0;
    assign en_o = go;
    assign taken_o = part_q & ~wait_blk;
    assign out_valid_o = msg_o & blk_valid_i;
  end
  assign blk_ready_o = taken_o;

  assign final_end = final_o & (count_q == Width'(FinalRounds - 1));
  // The key is wanted until then: the request waits, and is taken with that round.
  assign req_ready_o = init_end_q & second;
  assign feed_init_o = init_end_q;

  // What follows on this round. A part that is absent takes no clock but for padding.
  logic [Phases-1:0] behind_ad, behind_msg, behind_init;
  assign behind_msg = Phases'(1) << (Lengths != 0 ? int'(Len) : int'(Final));
  assign behind_ad = message_d ? Phases'(1) << int'(Msg)
      : AlwaysPad != 0 ? Phases'(1) << int'(MsgPad) : behind_msg;
  assign behind_init = req_ad_i ? Phases'(1) << int'(Ad)
      : AlwaysPad != 0 ? Phases'(1) << int'(AdPad) : behind_ad;

  always_comb begin
    behind = phase_q;
    if (init_end_q) behind = behind_init;
    if (ad_o && blk_last_i) begin
      behind = AlwaysPad != 0 && blk_full_i ? Phases'(1) << int'(AdPad) : behind_ad;
    end
    if (phase_q[AdPad]) behind = behind_ad;
    if (msg_o && blk_last_i) begin
      behind = AlwaysPad != 0 && blk_full_i ? Phases'(1) << int'(MsgPad) : behind_msg;
    end
    if (phase_q[MsgPad]) behind = behind_msg;
    if (len_o) behind = Phases'(1) << int'(Final);
    if (final_end) behind = Phases'(1) << int'(Done);
  end
  // The same as ~final_o & behind[Final], and less deep. It need not know whether there is a block:
  // without one nothing moves.
  if (Lengths != 0) begin : gen_feed_len
    assign feed_final_o = len_o;
  end else if (AlwaysPad != 0) begin : gen_feed_pad
    assign feed_final_o = phase_q[MsgPad] | (msg_o & blk_last_i & ~blk_full_i);
  end else begin : gen_feed
    assign feed_final_o = (part_q & blk_last_i & (msg_o | ~message_q))
        | (init_end_q & ~req_ad_i & ~req_msg_i);
  end

  always_comb begin
    phase_d = en_o ? behind : phase_q;
    count_d = count_q;
    decrypt_d = decrypt_q;
    message_d = message_q;
    if (init_end_q) begin
      decrypt_d = req_decrypt_i;
      message_d = req_msg_i;
    end
    if (load_o) begin
      phase_d = Phases'(1) << int'(Init);
      count_d = '0;
    end else if (responded) begin
      phase_d = '0;
    end else if (second && (phase_q[Init] || final_o)) begin
      count_d = init_end_q ? '0 : count_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= '0;
      run_q <= 1'b0;
      part_q <= 1'b0;
      init_end_q <= 1'b0;
    end else begin
      phase_q <= phase_d;
      run_q <= |phase_d[int'(Final):int'(Init)];
      part_q <= phase_d[Ad] | phase_d[Msg];
      init_end_q <= phase_d[Init] & (count_d == Width'(InitRounds - 1));
    end
  end

  // Written before they are read: without a reset.
  always_ff @(posedge clk_i) begin
    count_q <= count_d;
    open_q <= phase_d[Msg] & decrypt_d;
    decrypt_q <= decrypt_d;
    message_q <= message_d;
  end

`ifdef ROUNDWORKS_ASSERT
  // What waits for its taker goes on waiting.
  OutHold_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (out_valid_o && !out_ready_i) |=> out_valid_o);
  RspHold_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rsp_valid_o && !rsp_ready_i) |=> rsp_valid_o);
  // The request is held until it is taken.
  ReqHold_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (req_valid_i && !req_ready_o) |=> req_valid_i);
  FeedFinal_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      en_o |-> (feed_final_o == (~final_o & behind[Final])));
  // Of phases there is one or none.
  OnePhase_A: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(phase_q));
`endif

`ifndef SYNTHESIS
  initial begin : p_parameters
    if (Clocks < 1 || Clocks > 2) $fatal(1, "aead_rounds: Clocks: want 1 or 2, got %0d", Clocks);
  end
`endif
endmodule
