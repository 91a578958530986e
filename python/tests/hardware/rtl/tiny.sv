// Bytes pass through `Depth` registers, each with a key added on its way in.
module tiny #(
  parameter int Kind  = int'(tiny_pkg::KindXor),
  parameter int Depth = 1                        // 1 or 2
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       req_valid_i,
  output logic       req_ready_o,
  input  logic [7:0] req_data_i,
  input  logic [7:0] req_key_i,
  output logic       rsp_valid_o,
  input  logic       rsp_ready_i,
  output logic [7:0] rsp_data_o
);

  logic [Depth-1:0]   valid_q;
  logic [8*Depth-1:0] data_q;
  logic [7:0]         sum;
  logic               move;

  if (Kind == tiny_pkg::KindXor) begin : gen_xor
    assign sum = req_data_i ^ req_key_i;
  end else begin : gen_sum
    assign sum = req_data_i + req_key_i;
  end

  // All registers move together: nothing moves while the last one waits.
  assign move        = !rsp_valid_o || rsp_ready_i;
  assign req_ready_o = move;
  assign rsp_valid_o = valid_q[Depth-1];
  assign rsp_data_o  = data_q[8*Depth-1-:8];

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_registers
    if (!rst_ni) begin
      valid_q <= '0;
      data_q  <= '0;
    end else if (move) begin
      valid_q[0]  <= req_valid_i;
      data_q[7:0] <= sum;
      for (int i = 1; i < Depth; i++) begin
        valid_q[i]      <= valid_q[i-1];
        data_q[8*i+:8] <= data_q[8*(i-1)+:8];
      end
    end
  end

`ifndef SYNTHESIS
  initial begin : p_parameters
    if (Depth != 1 && Depth != 2) begin
      $fatal(1, "tiny: Depth=%0d: want 1 or 2", Depth);
    end
  end
`endif

`ifdef ROUNDWORKS_ASSERT
  RspHold_A : assert property (@(posedge clk_i) disable iff (!rst_ni)
    (rsp_valid_o && !rsp_ready_i) |=> (rsp_valid_o && $stable(rsp_data_o)));
`endif

endmodule
