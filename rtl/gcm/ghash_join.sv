// Three products of halves, as ghash_product gives them, become the product of the whole.
// Combinational.
module ghash_join #(
  parameter int Bits = 128
) (
  input  logic [3*(Bits-1)-1:0] products_i,
  output logic [2*Bits-2:0]     product_o
);
  logic [Bits-2:0] low, high, sums;

  assign {sums, high, low} = products_i;
  always_comb begin
    product_o = {high, 1'b0, low};
    product_o[Bits/2+:Bits-1] = product_o[Bits/2+:Bits-1] ^ (sums ^ (low ^ high));
  end
endmodule
