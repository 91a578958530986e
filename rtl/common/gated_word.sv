// A register whose clock arrives only when it is written: no multiplexer that keeps what it holds.
module gated_word #(
  parameter int Width = 128
) (
  input  logic             clk_i,
  input  logic             write_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);
  localparam int Most = 64;    // flip-flops of a gate

  for (genvar i = 0; i < Width; i = i + Most) begin : gen_part
    localparam int Size = Width - i < Most ? Width - i : Most;
    logic            clk;
    logic [Size-1:0] data_q;

    clock_gate u_gate (.clk_i, .en_i(write_i), .clk_o(clk));
    always_ff @(posedge clk) data_q <= data_i[i+:Size];
    assign data_o[i+:Size] = data_q;
  end
endmodule
