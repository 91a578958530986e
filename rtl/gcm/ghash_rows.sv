// The product of two polynomials over GF(2): a row for every bit of b_i, and a tree of sums.
// Combinational.
module ghash_rows #(
  parameter int Bits = 32
) (
  input  logic [Bits-1:0]   a_i,
  input  logic [Bits-1:0]   b_i,
  output logic [2*Bits-2:0] product_o
);
  // In a function: Icarus would look again at every row that changes.
  function automatic logic [2*Bits-2:0] product(input logic [Bits-1:0] a, input logic [Bits-1:0] b);
    logic [Bits-1:0][2*Bits-2:0] row;
    for (int i = 0; i < Bits; i++) row[i] = {{(Bits-1){1'b0}}, a & {Bits{b[i]}}} << i;
    for (int step = 1; step < Bits; step = 2 * step) begin
      for (int i = 0; i + step < Bits; i = i + 2 * step) row[i] = row[i] ^ row[i+step];
    end
    return row[0];
  endfunction

  assign product_o = product(a_i, b_i);
endmodule
