// What every core with the interface of aes_pkg promises, and the parameters all of them refuse.
// No logic: a core instantiates it outside synthesis.
module aes_interface_asserts #(
  parameter int KeyBits = 128
) (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         req_ready_i,
  input logic         rsp_valid_i,
  input logic         rsp_ready_i,
  input logic [127:0] rsp_block_i
);
  initial begin : p_parameters
    if (KeyBits != 128 && KeyBits != 256) begin
      $fatal(1, "aes: KeyBits: want 128 or 256, got %0d", KeyBits);
    end
  end

  // Icarus 11 has no concurrent assertions.
`ifdef ROUNDWORKS_ASSERT
  // A response waits, unchanged, until it is taken.
  RspHold_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rsp_valid_i && !rsp_ready_i) |=> (rsp_valid_i && $stable(rsp_block_i)));
  // A core with nothing to give and nobody waiting is not stuck: it takes or works.
  ResetReady_A :
  assert property (@(posedge clk_i) $rose(rst_ni) |-> req_ready_i && !rsp_valid_i);
`else
  logic unused;
  assign unused = ^{clk_i, rst_ni, req_ready_i, rsp_valid_i, rsp_ready_i, rsp_block_i};
`endif
endmodule
