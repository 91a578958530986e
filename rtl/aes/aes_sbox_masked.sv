// SubBytes on one byte in two shares, eight cycles later; a byte in every cycle. [DOM, section 4]
//
// The byte is the sum of data_i[7:0] and data_i[15:8], and so is the result. The shares must be
// uniform, and random_i new and uniform in every cycle. The inverse is that of the tower field: its
// four multiplications, one after the other, are DOM products. There is a register before each, too:
// without it, gates that glitch would let a product see what the two shares have in common.
//
// No register has a reset: what comes out in the first eight cycles belongs to no byte.
module aes_sbox_masked (
  input  logic        clk_i,
  input  logic [15:0] data_i,
  input  logic [17:0] random_i,
  output logic [15:0] data_o
);
  // Byte in the tower, its norm in GF(2^4) and the norm of that in GF(2^2), two shares each.
  logic [1:0][6:0][7:0] tower_q;
  logic [1:0][3:0] norm_d;
  logic [1:0][2:0][3:0] norm_q;
  logic [1:0][1:0] low_d, low_q;
  logic [1:0][3:0] inverse_d, inverse_q;
  logic [1:0][7:0] result;

  // Shares of the halves of a value, as dom_product takes them, and what is added to a product.
  logic [7:0] tower_high, tower_low, tower_add, late_high, late_low;
  logic [3:0] norm_high, norm_low, norm_add, norm_late_high, norm_late_low, low_inverse;
  logic [7:0] norm, inverse, high, low;
  logic [3:0] inverse_high, inverse_low, low_norm;

  for (genvar i = 0; i < 2; i++) begin : gen_share
    assign tower_high[4*i+:4] = tower_q[i][0][7:4];
    assign tower_low[4*i+:4] = tower_q[i][0][3:0];
    assign tower_add[4*i+:4]
        = aes_tower_pkg::gf16_square_scale(tower_q[i][0][7:4] ^ tower_q[i][0][3:0]);
    assign norm_d[i] = norm[4*i+:4];

    assign norm_high[2*i+:2] = norm_q[i][0][3:2];
    assign norm_low[2*i+:2] = norm_q[i][0][1:0];
    assign norm_add[2*i+:2]
        = aes_tower_pkg::gf4_square_scale(norm_q[i][0][3:2] ^ norm_q[i][0][1:0]);
    assign low_d[i] = low_norm[2*i+:2];

    assign low_inverse[2*i+:2] = aes_tower_pkg::gf4_inverse(low_q[i]);
    assign norm_late_high[2*i+:2] = norm_q[i][2][3:2];
    assign norm_late_low[2*i+:2] = norm_q[i][2][1:0];
    assign inverse_d[i] = {inverse_high[2*i+:2], inverse_low[2*i+:2]};

    assign inverse[4*i+:4] = inverse_q[i];
    assign late_high[4*i+:4] = tower_q[i][6][7:4];
    assign late_low[4*i+:4] = tower_q[i][6][3:0];
    assign result[i] = aes_tower_pkg::from_tower({high[4*i+:4], low[4*i+:4]});

    always_ff @(posedge clk_i) begin
      tower_q[i] <= {tower_q[i][5:0], aes_tower_pkg::to_tower(data_i[8*i+:8])};
      norm_q[i] <= {norm_q[i][1:0], norm_d[i]};
      low_q[i] <= low_d[i];
      inverse_q[i] <= inverse_d[i];
    end
  end

  dom_product #(.Bits(4)) u_norm (
    .clk_i, .a_i(tower_high), .b_i(tower_low), .add_i(tower_add), .random_i(random_i[3:0]),
    .product_o(norm)
  );
  dom_product #(.Bits(2)) u_low_norm (
    .clk_i, .a_i(norm_high), .b_i(norm_low), .add_i(norm_add), .random_i(random_i[5:4]),
    .product_o(low_norm)
  );
  dom_product #(.Bits(2)) u_inverse_high (
    .clk_i, .a_i(low_inverse), .b_i(norm_late_low), .add_i('0), .random_i(random_i[7:6]),
    .product_o(inverse_high)
  );
  dom_product #(.Bits(2)) u_inverse_low (
    .clk_i, .a_i(low_inverse), .b_i(norm_late_high), .add_i('0), .random_i(random_i[9:8]),
    .product_o(inverse_low)
  );
  dom_product #(.Bits(4)) u_high (
    .clk_i, .a_i(inverse), .b_i(late_low), .add_i('0), .random_i(random_i[13:10]),
    .product_o(high)
  );
  dom_product #(.Bits(4)) u_low (
    .clk_i, .a_i(inverse), .b_i(late_high), .add_i('0), .random_i(random_i[17:14]),
    .product_o(low)
  );

  assign data_o = {result[1], result[0] ^ 8'h63};
endmodule
