// The second half of a multiplication in the field: what ghash_product gives, joined, modulo the
// polynomial x^Bits + Reduction. Combinational.
module ghash_reduce #(
  parameter int Bits = 128,
  parameter logic [Bits-1:0] Reduction = gcm_pkg::Reduction
) (
  input  logic [3*(Bits-1)-1:0] products_i,
  output logic [Bits-1:0]       product_o
);
  logic [2*Bits-2:0] whole;

  ghash_join #(.Bits(Bits)) u_join (.products_i, .product_o(whole));

  // Coefficient Bits + i goes where x^(Bits + i) lies in the field.
  function automatic logic [Bits-1:0] reduced(input logic [2*Bits-2:0] a);
    logic [Bits-1:0] power, sum;
    power = Reduction;
    sum = a[Bits-1:0];
    for (int i = 0; i < Bits - 1; i++) begin
      sum = sum ^ (power & {Bits{a[Bits+i]}});
      power = {power[Bits-2:0], 1'b0} ^ (Reduction & {Bits{power[Bits-1]}});
    end
    return sum;
  endfunction

  assign product_o = reduced(whole);
endmodule
