// A byte and a key, added in one of two ways. Combinational.
module tiny_add #(
  parameter int Kind = int'(tiny_pkg::KindSum)
) (
  input  logic [7:0] data_i,
  input  logic [7:0] key_i,
  output logic [7:0] data_o
);

  if (Kind == tiny_pkg::KindXor) begin : gen_xor
    assign data_o = data_i ^ key_i;
  end else begin : gen_sum
    assign data_o = data_i + key_i;
  end

endmodule
