// AEGIS-128, design point TO1: two AES rounds in three stages, three cycles per update.
//
// S-box, ShiftRows with MixColumns, and AddRoundKey take one cycle each in pipelines a and b. A
// round's words x_0 .. x_4 are S_(turn+4), S_turn, S_(turn+1), ... modulo 5; x_0 and x_1 enter
// together, then x_2 and x_3, then x_4 alone. The product of x_j is x_j of the next round, and its
// operand is x_(j+1): so the order of the words turns by one every update, as in AO2.
//
// slot_q counts the products: in slot 0 those of x_0 and x_1, in slot 1 of x_2 and x_3, in slot 2
// of x_4. In slot 0 all five words of the state are in reach; the block is taken then, and kept
// until the slot of the product S_0'. The keystream is gathered as the words enter.
module aegis128_to1 #(
  parameter int Sbox = aes_pkg::SboxLut
) (
  input  logic         clk_i,
  input  logic         load_i,
  input  logic         en_i,
  input  logic [127:0] key_i,
  input  logic [127:0] nonce_i,
  input  logic [127:0] block_i,
  output logic         need_o,
  output logic [127:0] keystream_o,   // these three when need_o is high
  output logic [127:0] s3_o,
  output logic [127:0] tag_o
);
  // Words entering, one and two clocks after; x_0 for its late use.
  logic [127:0] enter_a_q, enter_b_q, one_a_q, one_b_q, two_b_q, first_q;
  logic [127:0] sub_a_q, sub_b_q, mix_a_q, mix_b_q, block_q, stream_q;
  logic [1:0]   slot_q, slot_d;
  logic [2:0]   turn_q, turn_d;
  // What the words that enter give to the keystream, and where the product is S_0'.
  logic         plain_a_q, plain_b_q, pair_q, after_q, before_q, inject_a_q, inject_b_q;

  assign need_o = slot_q == 2'd0;

  always_comb begin
    slot_d = slot_q == 2'd2 ? 2'd0 : slot_q + 2'd1;
    turn_d = slot_q != 2'd2 ? turn_q : turn_q == 3'd4 ? 3'd0 : turn_q + 3'd1;
    if (load_i) begin
      slot_d = 2'd1;
      turn_d = 3'd4;
    end
  end

  // i modulo 5, for i below 10.
  function automatic logic [2:0] mod5(input logic [3:0] i);
    return 3'(i >= 4'd5 ? i - 4'd5 : i);
  endfunction

  // Which words enter: x_4 of this round in slot 0, then x_0 and x_1, x_2 and x_3 of the next.
  logic [2:0] word_a_d, word_b_d, inject_d;
  assign word_a_d = mod5({1'b0, turn_d} + (slot_d == 2'd0 ? 4'd3 : slot_d == 2'd1 ? 4'd0 : 4'd2));
  assign word_b_d = mod5({1'b0, word_a_d} + 4'd1);
  assign inject_d = mod5(4'd5 - {1'b0, turn_d});

  logic [127:0] subbed_a, subbed_b, mixed_a, mixed_b, product_a, product_b, given, block;

  aes_sub_bytes #(.Sbox(Sbox)) u_sub_a (.data_i(enter_a_q), .data_o(subbed_a));
  aes_sub_bytes #(.Sbox(Sbox)) u_sub_b (.data_i(enter_b_q), .data_o(subbed_b));
  aes_mix_columns u_mix_a (.data_i(aes_pkg::shift_rows(sub_a_q)), .data_o(mixed_a));
  aes_mix_columns u_mix_b (.data_i(aes_pkg::shift_rows(sub_b_q)), .data_o(mixed_b));

  assign block = need_o ? block_i : block_q;
  assign product_a = mix_a_q ^ (slot_q == 2'd2 ? first_q : two_b_q) ^ (block & {128{inject_a_q}});
  assign product_b = mix_b_q ^ one_a_q ^ (block & {128{inject_b_q}});

  assign given = (enter_b_q & {128{plain_b_q}}) ^ (enter_a_q & ({128{plain_a_q}}
      | (enter_b_q & {128{pair_q}}) | (one_b_q & {128{after_q}}) | (first_q & {128{before_q}})));
  assign keystream_o = stream_q ^ given;
  assign tag_o = enter_a_q ^ one_a_q ^ one_b_q ^ two_b_q ^ first_q;

  always_comb begin
    unique case (turn_q)
      3'd0:    s3_o = enter_a_q;
      3'd1:    s3_o = one_b_q;
      3'd2:    s3_o = one_a_q;
      3'd3:    s3_o = two_b_q;
      default: s3_o = first_q;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (load_i || en_i) begin
      slot_q <= slot_d;
      turn_q <= turn_d;
      plain_a_q <= word_a_d == 3'd1 || word_a_d == 3'd4;
      plain_b_q <= (word_b_d == 3'd1 || word_b_d == 3'd4) && slot_d != 2'd0;
      pair_q <= word_a_d == 3'd2 && slot_d != 2'd0;
      after_q <= word_a_d == 3'd3 && slot_d != 2'd1;
      before_q <= word_a_d == 3'd2 && slot_d == 2'd0;
      inject_a_q <= inject_d == {slot_d, 1'b0};
      inject_b_q <= inject_d == {slot_d, 1'b1};
    end
    if (load_i) begin
      // S_4 and S_0 enter first; the other three come in as products of zero.
      enter_a_q <= key_i ^ aegis128_pkg::C1;
      enter_b_q <= key_i ^ nonce_i;
      mix_a_q <= aegis128_pkg::C1;
      mix_b_q <= aegis128_pkg::C0;
      first_q <= key_i ^ aegis128_pkg::C0;
      {one_a_q, two_b_q, sub_a_q} <= '0;
    end else if (en_i) begin
      enter_a_q <= product_a;
      enter_b_q <= product_b;
      one_a_q <= enter_a_q;
      one_b_q <= enter_b_q;
      two_b_q <= one_b_q;
      if (slot_q == 2'd2) first_q <= one_a_q;
      sub_a_q <= subbed_a;
      sub_b_q <= subbed_b;
      mix_a_q <= mixed_a;
      mix_b_q <= mixed_b;
    end
    if (en_i && need_o) block_q <= block_i;
    if (en_i) stream_q <= slot_q == 2'd1 ? given : stream_q ^ given;
  end
endmodule
