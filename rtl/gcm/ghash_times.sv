// A multiplication in the field by one of the circuits of the cores, combinational: what they are
// proven equal by, in a small field, and tried by in the one of the standard. [GCM, section 6.3]
module ghash_times #(
  parameter int Bits = 128,   // 8 or 128
  parameter int Levels = 0,   // of ghash_product
  parameter int Digit = 0     // of ghash_step; neither: bit-serial, as the standard has it
) (
  input  logic [Bits-1:0] a_i,
  input  logic [Bits-1:0] b_i,
  output logic [Bits-1:0] product_o
);
  // x^8 + x^4 + x^3 + x + 1, or that of the standard.
  localparam logic [127:0] Chosen = Bits == 8 ? 128'h1b : gcm_pkg::Reduction;
  localparam logic [Bits-1:0] Reduction = Chosen[Bits-1:0];

  if (Levels != 0) begin : gen_product
    logic [3*(Bits-1)-1:0] products;
    ghash_product #(.Bits(Bits), .Levels(Levels)) u_product (.a_i, .b_i, .products_o(products));
    ghash_reduce #(.Bits(Bits), .Reduction(Reduction)) u_reduce (
      .products_i(products), .product_o
    );
  end else if (Digit != 0) begin : gen_digits
    localparam int Steps = (Bits + Digit - 1) / Digit;
    logic [Steps*Digit-1:0] padded;
    assign padded = (Steps * Digit)'(a_i);
    for (genvar i = 0; i < Steps; i++) begin : gen_step
      logic [Bits-1:0] from, to;
      if (i == 0) begin : gen_first
        assign from = '0;
      end else begin : gen_next
        assign from = gen_step[i-1].to;
      end
      ghash_step #(.Bits(Bits), .Reduction(Reduction), .Digit(Digit)) u_step (
        .sum_i(from), .digit_i(padded[Digit*(Steps-1-i)+:Digit]), .h_i(b_i), .sum_o(to)
      );
    end
    assign product_o = gen_step[Steps-1].to;
  end else begin : gen_plain
    function automatic logic [Bits-1:0] plain(
      input logic [Bits-1:0] a, input logic [Bits-1:0] b
    );
      logic [Bits-1:0] shifted, sum;
      shifted = b;
      sum = '0;
      for (int i = 0; i < Bits; i++) begin
        if (a[i]) sum = sum ^ shifted;
        shifted = {shifted[Bits-2:0], 1'b0} ^ (shifted[Bits-1] ? Reduction : '0);
      end
      return sum;
    endfunction
    assign product_o = plain(a_i, b_i);
  end
endmodule
