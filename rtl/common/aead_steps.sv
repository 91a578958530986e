// The phases of a message, and the handshakes of the interface, for any streaming cipher: how many
// cycles each phase and each block takes are parameters. What aead_rounds does for a cipher of one
// cycle per round, and for those whose blocks take several: a sponge.
//
// Of a message the core passes: a cycle for the load; InitCycles; AdCycles for every block of
// associated data; MsgCycles for every block of the message, LastCycles for its last; FinalCycles; a
// cycle for the response. A block is taken in the first cycle of its own.
//
// AdPad and MsgPad: 0, no block of padding alone; 1, a part whose last block is full, or that is
// empty, has one more; 2, only one whose last block is full.
module aead_steps #(
  parameter int InitCycles = 1,
  parameter int AdCycles = 1,
  parameter int MsgCycles = 1,
  parameter int LastCycles = 1,
  parameter int FinalCycles = 1,
  parameter int AdPad = 0,
  parameter int MsgPad = 0,
  parameter int Count = 8      // bits of count_o
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
  input  logic blk_full_i,   // no byte of the block is missing
  output logic out_valid_o,
  input  logic out_ready_i,
  output logic rsp_valid_o,
  input  logic rsp_ready_i,

  output logic load_o,       // the state becomes that of the request
  output logic en_o,         // it moves
  output logic taken_o,      // a block is taken
  output logic init_o,
  output logic ad_o,         // a block of associated data is absorbed, in this cycle
  output logic msg_o,        // a block of the message
  output logic part_o,       // one of these two
  output logic pad_ad_o,     // padding alone, behind associated data
  output logic pad_msg_o,
  output logic last_o,       // this block is the last of the message, with its padding
  output logic ad_step_o,    // a block of associated data, in all of its cycles
  output logic msg_step_o,   // a block of the message that is not the last, in all of its cycles
  output logic step_end_o,   // the last cycle of a block
  output logic final_o,
  output logic begin_o,      // the first cycle of its phase or block
  output logic [Count-1:0] count_o,    // cycles of the phase or block so far
  output logic leave_init_o,     // the last cycle of the initialisation
  output logic leave_ad_o,       // the last cycle before the message, or what follows on it
  output logic enter_final_o,    // the last cycle before the finalisation
  output logic decrypt_o,
  output logic open_o        // msg_o, of a decryption
);
  // One flip-flop each, and some for what follows from them: all of it fans out widely.
  typedef enum int {Init, Ad, AdMore, Msg, MsgMore, Final, Done} phase_e;
  localparam int Phases = int'(Done) + 1;
  // Blocks take a cycle each: no register says which cycle of a block it is.
  localparam bit Single = AdCycles == 1 && MsgCycles == 1 && LastCycles == 1;

  logic [Phases-1:0] phase_q, phase_d, behind;   // one-hot; all zero: idle
  logic [Phases-1:0] behind_init, behind_ad, behind_msg;
  logic [Count-1:0]  count_q, count_d;
  logic              run_q, part_q, part_d, msg_q, open_q, begin_q, init_end_q;
  logic              decrypt_q, decrypt_d, message_q, message_d, last_q, full_q;
  logic              idle, responded, wait_blk, last, full, step_end, ad_last, msg_last, final_end;

  assign idle = phase_q == '0;
  assign init_o = phase_q[Init];
  assign ad_o = part_q & phase_q[Ad];
  assign msg_o = msg_q;
  assign part_o = part_q;
  assign pad_ad_o = phase_q[AdMore] & begin_o;
  assign pad_msg_o = phase_q[MsgMore] & begin_o;
  assign final_o = phase_q[Final];
  assign decrypt_o = decrypt_q;
  assign open_o = open_q;
  assign count_o = count_q;

  assign rsp_valid_o = phase_q[Done];
  assign responded = rsp_valid_o & rsp_ready_i;
  assign load_o = req_valid_i & (idle | responded);
  assign wait_blk = (part_q & ~blk_valid_i) | (msg_o & ~out_ready_i);
  assign en_o = run_q & ~wait_blk;
  assign taken_o = part_q & ~wait_blk;
  assign blk_ready_o = taken_o;
  assign out_valid_o = msg_o & blk_valid_i;
  // The key is wanted until then: the request waits, and is taken with that cycle.
  assign req_ready_o = init_end_q;
  assign leave_init_o = init_end_q;

  if (Single) begin : gen_single
    assign last = blk_last_i;
    assign full = blk_full_i;
    assign step_end = 1'b1;
    logic unused;
    assign unused = last_q ^ full_q;
  end else begin : gen_several
    // Of a block that is no longer there.
    assign last = begin_q ? blk_last_i : last_q;
    assign full = begin_q ? blk_full_i : full_q;
    assign step_end = count_q == (phase_q[Ad] | phase_q[AdMore] ? Count'(AdCycles - 1)
        : last_o ? Count'(LastCycles - 1) : Count'(MsgCycles - 1));
  end
  assign begin_o = begin_q;
  assign last_o = phase_q[MsgMore] | (phase_q[Msg] & last & ~(MsgPad != 0 && full));

  assign ad_step_o = phase_q[Ad] | phase_q[AdMore];
  assign msg_step_o = (phase_q[Msg] | phase_q[MsgMore]) & ~last_o;
  assign step_end_o = step_end;

  assign ad_last = phase_q[AdMore] | (phase_q[Ad] & last & ~(AdPad != 0 && full));
  assign msg_last = last_o;
  assign final_end = final_o & (count_q == Count'(FinalCycles - 1));

  // What follows on this phase. A part that is absent takes no cycle but for padding.
  logic ad_follows;
  assign ad_follows = req_ad_i | (AdPad == 1);
  assign behind_msg = Phases'(1) << int'(Final);
  assign behind_ad = message_d ? Phases'(1) << int'(Msg)
      : MsgPad == 1 ? Phases'(1) << int'(MsgMore) : behind_msg;
  assign behind_init = req_ad_i ? Phases'(1) << int'(Ad)
      : AdPad == 1 ? Phases'(1) << int'(AdMore) : behind_ad;

  always_comb begin
    behind = phase_q;
    if (init_end_q) behind = behind_init;
    if (step_end) begin
      if (phase_q[Ad] && last) behind = AdPad != 0 && full ? Phases'(1) << int'(AdMore) : behind_ad;
      if (phase_q[AdMore]) behind = behind_ad;
      if (phase_q[Msg] && last) begin
        behind = MsgPad != 0 && full ? Phases'(1) << int'(MsgMore) : behind_msg;
      end
      if (phase_q[MsgMore]) behind = behind_msg;
    end
    if (final_end) behind = Phases'(1) << int'(Done);
  end

  // They need not check whether there is a block: without one nothing moves.
  assign leave_ad_o = (init_end_q & ~ad_follows) | (ad_last & step_end);
  if (MsgPad == 1) begin : gen_enter_padded
    assign enter_final_o = msg_last & step_end;
  end else begin : gen_enter
    assign enter_final_o = (msg_last & step_end) | (leave_ad_o & ~message_d);
  end

  assign part_d = phase_d[Ad] | phase_d[Msg];
  logic begin_d;
  always_comb begin
    phase_d = en_o ? behind : phase_q;
    count_d = count_q;
    begin_d = begin_q;
    decrypt_d = decrypt_q;
    message_d = message_q;
    if (init_end_q) begin
      decrypt_d = req_decrypt_i;
      message_d = req_msg_i;
    end
    if (en_o) begin
      count_d = count_q + 1'b1;
      begin_d = 1'b0;
      if (init_end_q || (step_end && !init_o && !final_o) || final_end) begin
        count_d = '0;
        begin_d = 1'b1;
      end
    end
    if (load_o) begin
      phase_d = Phases'(1) << int'(Init);
      count_d = '0;
      begin_d = 1'b1;
    end else if (responded) begin
      phase_d = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= '0;
      run_q <= 1'b0;
      part_q <= 1'b0;
      msg_q <= 1'b0;
      init_end_q <= 1'b0;
    end else begin
      phase_q <= phase_d;
      run_q <= |phase_d[int'(Final):int'(Init)];
      part_q <= part_d & (Single | begin_d);
      msg_q <= phase_d[Msg] & (Single | begin_d);
      init_end_q <= phase_d[Init] & (count_d == Count'(InitCycles - 1));
    end
  end

  // Written before they are read: without a reset.
  always_ff @(posedge clk_i) begin
    count_q <= count_d;
    begin_q <= begin_d;
    open_q <= phase_d[Msg] & decrypt_d & (Single | begin_d);
    decrypt_q <= decrypt_d;
    message_q <= message_d;
    if (taken_o) begin
      last_q <= blk_last_i;
      full_q <= blk_full_i;
    end
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
  EnterFinal_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      en_o |-> (enter_final_o == (~final_o & behind[Final])));
  // Of phases there is one or none.
  OnePhase_A: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(phase_q));
`endif
endmodule
