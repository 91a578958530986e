// The first half of a multiplication in the field: three products of polynomials of half the width,
// low with low, high with high, and of the sums of both. Levels halvings, each of them three
// products in place of four, by Karatsuba; then rows. Combinational.
//
// Behind it ghash_reduce; a register between the two cuts the path about in the middle.
module ghash_product #(
  parameter int Bits = 128,
  parameter int Levels = 2   // at least 1
) (
  input  logic [Bits-1:0]       a_i,
  input  logic [Bits-1:0]       b_i,
  output logic [3*(Bits-1)-1:0] products_o  // low, high, of the sums; low in the lowest bits
);
  // Level n has 3^n pairs of Bits / 2^n bits, and their products. Level 0 is a_i and b_i.
  for (genvar n = 1; n <= Levels; n++) begin : gen_level
    localparam int Width = Bits >> n;
    localparam int Count = 3 ** n;
    localparam int Wide  = 2 * Width - 1;
    logic [Count*Width-1:0] a, b;
    logic [Count*Wide-1:0]  p;

    for (genvar i = 0; i < Count / 3; i++) begin : gen_pair
      logic [2*Width-1:0] whole_a, whole_b;
      if (n == 1) begin : gen_top
        assign whole_a = a_i;
        assign whole_b = b_i;
      end else begin : gen_half
        assign whole_a = gen_level[n-1].a[2*Width*i+:2*Width];
        assign whole_b = gen_level[n-1].b[2*Width*i+:2*Width];
      end
      assign a[3*Width*i+:3*Width] = {whole_a[2*Width-1:Width] ^ whole_a[Width-1:0], whole_a};
      assign b[3*Width*i+:3*Width] = {whole_b[2*Width-1:Width] ^ whole_b[Width-1:0], whole_b};
    end

    for (genvar i = 0; i < Count; i++) begin : gen_product
      if (n == Levels) begin : gen_rows
        ghash_rows #(.Bits(Width)) u_rows (
          .a_i(a[Width*i+:Width]), .b_i(b[Width*i+:Width]), .product_o(p[Wide*i+:Wide])
        );
      end else begin : gen_join
        ghash_join #(.Bits(Width)) u_join (
          .products_i(gen_level[n+1].p[3*(Width-1)*i+:3*(Width-1)]), .product_o(p[Wide*i+:Wide])
        );
      end
    end
  end
  assign products_o = gen_level[1].p;

`ifndef SYNTHESIS
  initial begin : p_parameters
    if (Levels < 1) $fatal(1, "ghash_product: Levels: want at least 1, got %0d", Levels);
    if (Bits % (1 << Levels) != 0) begin
      $fatal(1, "ghash_product: Bits: want halves %0d times, got %0d", Levels, Bits);
    end
  end
`endif
endmodule
