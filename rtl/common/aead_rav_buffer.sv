// Between an AEAD core and its user: plaintext waits here until its tag is known to be right.
//
// The core's blocks are kept in a buffer of Depth blocks. With the response of the core they are
// given out, then the response; if the tag is wrong they are written over with zeros instead, and
// nothing is given out but the response. A message of more than Depth blocks is refused: rsp_long_o
// is high with the response, rsp_ok_o is not, nothing of it is given out, and what was kept is
// written over. Its tag may have been right: it wants a deeper buffer, or shorter messages.
//
// Encryption passes through, without a cycle of delay. A decryption takes the core's cycles, one
// for each block given out or written over, and one more.
module aead_rav_buffer #(
  parameter int Rate = 128,        // bits of a block
  parameter int Tag = 128,
  parameter int Depth = 16,
  parameter int Bytes = $clog2(Rate / 8) + 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // The core's request, seen in passing.
  input  logic             req_valid_i,
  input  logic             req_ready_i,
  input  logic             req_decrypt_i,

  // From the core.
  input  logic             core_out_valid_i,
  output logic             core_out_ready_o,
  input  logic [Rate-1:0]  core_out_data_i,
  input  logic [Bytes-1:0] core_out_bytes_i,
  input  logic             core_out_last_i,
  input  logic             core_rsp_valid_i,
  output logic             core_rsp_ready_o,
  input  logic             core_rsp_ok_i,
  input  logic [Tag-1:0]   core_rsp_tag_i,

  // To the user.
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Rate-1:0]  out_data_o,
  output logic [Bytes-1:0] out_bytes_o,
  output logic             out_last_o,
  output logic             rsp_valid_o,
  input  logic             rsp_ready_i,
  output logic             rsp_ok_o,
  output logic             rsp_long_o,
  output logic [Tag-1:0]   rsp_tag_o
);
  localparam int Width = $clog2(Depth + 1);

  typedef enum logic [1:0] {Pass, Fill, Clear, Respond} fsm_e;
  fsm_e fsm_d, fsm_q;

  logic [Rate-1:0]            block_q [Depth];
  logic [Bytes-1:0]           bytes_q;       // of the last block
  logic [Width-1:0]           filled_q, at_q;
  logic                       long_q, good, keep, leave, at_end;
  logic [Rate-1:0]            block;

  assign good = core_rsp_ok_i & ~long_q;
  assign keep = (fsm_q == Fill) & core_out_valid_i & (filled_q != Width'(Depth));
  assign at_end = at_q + 1'b1 == filled_q;
  // A block is given out, or written over.
  assign leave = (fsm_q == Clear) & (out_ready_i | ~good);

  always_comb begin
    block = '0;
    for (int i = 0; i < Depth; i++) if (at_q == Width'(i)) block = block_q[i];
  end

  // Each output by itself: of one block that sets them all, a simulator sees a loop through a core whose
  // output follows its input.
  logic pass;
  assign pass = fsm_q == Pass;
  assign core_out_ready_o = pass ? out_ready_i : fsm_q == Fill;
  assign core_rsp_ready_o = rsp_ready_i & (pass | (fsm_q == Respond));
  assign out_valid_o = pass ? core_out_valid_i : (fsm_q == Clear) & good;
  assign out_data_o = pass ? core_out_data_i : block & {Rate{(fsm_q == Clear) & good}};
  assign out_bytes_o = pass ? core_out_bytes_i : at_end ? bytes_q : Bytes'(Rate / 8);
  assign out_last_o = pass ? core_out_last_i : at_end;
  assign rsp_valid_o = pass ? core_rsp_valid_i : fsm_q == Respond;
  assign rsp_ok_o = pass ? core_rsp_ok_i : (fsm_q == Respond) & good;
  assign rsp_long_o = (fsm_q == Respond) & long_q;
  assign rsp_tag_o = core_rsp_tag_i & {Tag{pass}};

  always_comb begin
    fsm_d = fsm_q;
    unique case (fsm_q)
      Pass:    if (req_valid_i && req_ready_i && req_decrypt_i) fsm_d = Fill;
      Fill: begin
        if (core_rsp_valid_i) fsm_d = Clear;
        if (core_rsp_valid_i && filled_q == '0) fsm_d = Respond;
      end
      Clear:   if (leave && at_end) fsm_d = Respond;
      default: if (rsp_ready_i) fsm_d = Pass;
    endcase
  end

  // A reset writes over the buffer too: nothing of a message outlives it.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fsm_q <= Pass;
      filled_q <= '0;
      at_q <= '0;
      long_q <= 1'b0;
      bytes_q <= '0;
    end else begin
      fsm_q <= fsm_d;
      if (fsm_q == Pass) begin
        filled_q <= '0;
        at_q <= '0;
        long_q <= 1'b0;
      end
      if (keep) begin
        filled_q <= filled_q + 1'b1;
        bytes_q <= core_out_bytes_i;
      end
      if (fsm_q == Fill && core_out_valid_i && !keep) long_q <= 1'b1;
      if (leave) at_q <= at_q + 1'b1;
    end
  end

  for (genvar i = 0; i < Depth; i++) begin : gen_block
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) block_q[i] <= '0;
      else if (keep && filled_q == Width'(i)) block_q[i] <= core_out_data_i;
      else if (leave && at_q == Width'(i)) block_q[i] <= '0;
    end
  end

`ifdef ROUNDWORKS_ASSERT
  // Nothing is given out of a decryption but with the right tag at hand.
  NoLeak_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (fsm_q != Pass && out_valid_o) |-> (core_rsp_valid_i && core_rsp_ok_i));
  // While the response is offered, the buffer holds nothing.
  for (genvar i = 0; i < Depth; i++) begin : gen_wiped
    logic [Rate-1:0] kept;
    assign kept = block_q[i];
    Wiped_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (fsm_q == Respond) |-> (kept == '0));
  end
`endif

`ifndef SYNTHESIS
  initial begin : p_parameters
    if (Depth < 1) $fatal(1, "aead_rav_buffer: Depth: want at least 1, got %0d", Depth);
    if (Rate % 8 != 0) $fatal(1, "aead_rav_buffer: Rate: want whole bytes, got %0d bits", Rate);
  end
`endif
endmodule
