// The phases of a message of AEGIS-128, and the handshakes of the interface. [AEGIS, section 3]
//
// With Slots > 1 it serves that many interleaved messages, one per cycle: every register is a ring
// of Slots, and all signals of a cycle belong to the message of its slot.
//
// The datapath says with need_i that it absorbs a block in this clock, with take_i that this is the
// last such clock of the block, with give_i that the block of output stands, with whole_i that the
// tag does. It moves when en_o is high.
module aegis128_ctrl #(
  parameter int Slots = 1
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
  output logic out_valid_o,
  input  logic out_ready_i,
  output logic rsp_valid_o,
  input  logic rsp_ready_i,

  input  logic need_i,
  input  logic take_i,
  input  logic give_i,
  input  logic whole_i,
  output logic load_o,      // the state becomes that of the request
  output logic en_o,
  output logic taken_o,     // a block has been absorbed
  // What is absorbed: associated data, message, lengths, nothing any more; else key and nonce.
  output logic ad_o,
  output logic msg_o,
  output logic final_o,
  output logic done_o,
  output logic first_o,     // the first block of its phase
  output logic odd_o,       // the second, fourth, ... block of its phase
  output logic decrypt_o    // from the first block after the initialisation on
);
  // One flip-flop each: what follows from a phase fans out widely.
  localparam int Init = 0, Ad = 1, Msg = 2, Final = 3, Done = 4;

  localparam logic [3:0] InitLast = 4'd9;
  localparam logic [3:0] FinalLast = 4'd6;
  localparam int Last = Slots - 1;

  // The message whose turn it is stands in entry Last.
  logic [Slots-1:0][4:0] phase_q;      // one-hot; all zero: idle
  logic [Slots-1:0][3:0] count_q;
  logic [Slots-1:0]      decrypt_q, message_q;

  logic [4:0] phase, phase_d;
  logic [3:0] count, count_d;
  logic       decrypt_d, message, message_d, have, responded, idle, init;

  assign phase = phase_q[Last];
  assign count = count_q[Last];
  assign message = message_q[Last];
  assign decrypt_o = decrypt_q[Last];

  assign idle = phase == '0;
  assign init = phase[Init];
  assign ad_o = phase[Ad];
  assign msg_o = phase[Msg];
  assign final_o = phase[Final];
  assign done_o = phase[Done];
  assign first_o = count == '0;
  assign odd_o = count[0];

  assign responded = rsp_valid_o & rsp_ready_i;
  assign load_o = req_valid_i & (idle | responded);
  assign have = ad_o ? blk_valid_i : msg_o ? blk_valid_i & (out_ready_i | ~give_i) : 1'b1;
  assign en_o = load_o | (~idle & (have | ~need_i) & ~(done_o & whole_i));
  assign taken_o = take_i & have & ~idle & ~done_o;

  // The key is wanted during the initialisation: the request waits, and is taken at its end.
  assign req_ready_o = init & taken_o & (count == InitLast);
  assign blk_ready_o = taken_o & (ad_o | msg_o);
  assign out_valid_o = msg_o & give_i & blk_valid_i;
  assign rsp_valid_o = done_o & whole_i;

  always_comb begin
    phase_d = phase;
    count_d = count;
    decrypt_d = decrypt_o;
    message_d = message;
    if (load_o) begin
      phase_d = 5'd1 << Init;
      count_d = '0;
    end else if (responded) begin
      phase_d = '0;
    end else if (taken_o) begin
      if (init || final_o) count_d = count + 4'd1;
      if (init && count == InitLast) begin
        count_d = '0;
        decrypt_d = req_decrypt_i;
        message_d = req_msg_i;
        phase_d = 5'd1 << (req_ad_i ? Ad : req_msg_i ? Msg : Final);
      end
      if (ad_o && blk_last_i) phase_d = 5'd1 << (message ? Msg : Final);
      if (msg_o && blk_last_i) phase_d = 5'd1 << Final;
      if (final_o && count == FinalLast) phase_d = 5'd1 << Done;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= '0;
    end else begin
      phase_q[0] <= phase_d;
      for (int i = 1; i < Slots; i++) phase_q[i] <= phase_q[i-1];
    end
  end

  // Written before they are read: without a reset.
  always_ff @(posedge clk_i) begin
    count_q[0] <= count_d;
    decrypt_q[0] <= decrypt_d;
    message_q[0] <= message_d;
    for (int i = 1; i < Slots; i++) begin
      count_q[i] <= count_q[i-1];
      decrypt_q[i] <= decrypt_q[i-1];
      message_q[i] <= message_q[i-1];
    end
  end

`ifdef ROUNDWORKS_ASSERT
  // What waits for its taker goes on waiting.
  if (Slots == 1) begin : gen_hold
    OutHold_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (out_valid_o && !out_ready_i) |=> out_valid_o);
    RspHold_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (rsp_valid_o && !rsp_ready_i) |=> rsp_valid_o);
    // The request is held until it is taken.
    ReqHold_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (req_valid_i && !req_ready_o) |=> req_valid_i);
  end
`endif
endmodule
