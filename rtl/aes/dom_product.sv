// A product of two values in two shares, by domain-oriented masking. [DOM, section 3]
//
// Share i of a value is the i-th half of a port, from the low end; a value is the sum of its shares.
// Each share of the result comes from the same share of the factors, apart from a term that mixes
// the shares: that one is added to fresh random bits, and stands in a register before anything else
// reads it. The shares of a must be independent of those of b, and random_i must be new and uniform
// in every cycle.
//
// The result is combinational after the registers: what multiplies it again must register it first.
module dom_product #(
  parameter int Bits = 1  // of a factor. 1: AND; 2, 4: the fields of aes_tower_pkg
) (
  input  logic              clk_i,
  input  logic [2*Bits-1:0] a_i,
  input  logic [2*Bits-1:0] b_i,
  input  logic [2*Bits-1:0] add_i,     // is added, share by share
  input  logic [Bits-1:0]   random_i,
  output logic [2*Bits-1:0] product_o  // a cycle later
);
  logic [1:0][Bits-1:0] inner, mixed, inner_q, mixed_q;

  for (genvar i = 0; i < 2; i++) begin : gen_share
    logic [Bits-1:0] a, same, other;
    assign a = a_i[Bits*i+:Bits];
    assign same = b_i[Bits*i+:Bits];
    assign other = b_i[Bits*(1-i)+:Bits];
    if (Bits == 4) begin : gen_gf16
      assign inner[i] = aes_tower_pkg::gf16_times(a, same);
      assign mixed[i] = aes_tower_pkg::gf16_times(a, other);
    end else if (Bits == 2) begin : gen_gf4
      assign inner[i] = aes_tower_pkg::gf4_times(a, same);
      assign mixed[i] = aes_tower_pkg::gf4_times(a, other);
    end else begin : gen_and
      assign inner[i] = a & same;
      assign mixed[i] = a & other;
    end
    always_ff @(posedge clk_i) begin
      inner_q[i] <= inner[i] ^ add_i[Bits*i+:Bits];
      mixed_q[i] <= mixed[i] ^ random_i;
    end
    assign product_o[Bits*i+:Bits] = inner_q[i] ^ mixed_q[i];
  end

`ifndef SYNTHESIS
  initial begin : p_parameters
    if (Bits != 1 && Bits != 2 && Bits != 4) begin
      $fatal(1, "dom_product: Bits: want 1, 2 or 4, got %0d", Bits);
    end
  end
`endif
endmodule
