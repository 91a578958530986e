// AEGIS-128, design point AO2: one AES round in four stages, five cycles per update.
//
// S-box, ShiftRows, MixColumns and AddRoundKey take one cycle each, so a word that enters now is
// ready when four others have entered. Five cycles per update are reached only if the word that
// is ready first enters first: the order of the words turns by one every update. A round's words
// x_0 .. x_4 are S_(turn+4), S_turn, S_(turn+1), ... modulo 5; the product of x_j is x_j of the
// next round, and its operand is x_(j+1).
//
// slot_q counts the products: in slot j that of x_j meets its operand. In slot 0 all five words of
// the state are in reach; the block is taken then, and kept until the slot of the product S_0'.
// A keystream needs four words at places that turn: they are gathered as they pass.
module aegis128_ao2 #(
  parameter int Sbox = aes_pkg::SboxLut
) (
  input  logic         clk_i,
  input  logic         load_i,
  input  logic         en_i,
  input  logic [127:0] key_i,
  input  logic [127:0] block_i,       // key ^ nonce when load_i is high
  output logic         need_o,
  output logic [127:0] keystream_o,   // these three when need_o is high
  output logic [127:0] s3_o,
  output logic [127:0] tag_o
);
  // SubBytes of the constants C0 and C1, for the update whose middle a message begins in.
  localparam logic [127:0] SubC0 = 128'haab61e60_cb9a9359_d7306b7b_777c7c63;
  localparam logic [127:0] SubC1 = 128'hc134d58f_2cc782b7_a115253c_fcad27b9;

  // Words on their way: new, entering the S-box, one and two clocks after; x_0 for its late use.
  logic [127:0] new_q, enter_q, one_q, two_q, first_q;
  logic [127:0] sub_q, shift_q, mix_q, block_q, stream_q;
  logic [2:0]   slot_q, slot_d, turn_q, turn_d;
  // What the word new_q gives to the keystream, and whether the product is S_0'.
  logic         plain_q, after_q, before_q, inject_q;

  assign need_o = slot_q == 3'd0;

  // The state turns when slot 0 begins.
  always_comb begin
    slot_d = slot_q == 3'd4 ? 3'd0 : slot_q + 3'd1;
    turn_d = slot_q != 3'd4 ? turn_q : turn_q == 3'd4 ? 3'd0 : turn_q + 3'd1;
    if (load_i) begin
      slot_d = 3'd4;
      turn_d = 3'd1;
    end
  end

  // i modulo 5, for i below 10.
  function automatic logic [2:0] mod5(input logic [3:0] i);
    return 3'(i >= 4'd5 ? i - 4'd5 : i);
  endfunction

  // Which word new_q holds: x_4 of this round in slot 0, then x_0 .. x_3 of the next.
  logic [2:0] word_d;
  assign word_d = mod5(slot_d == 3'd0 ? {1'b0, turn_d} + 4'd3
                                      : {1'b0, turn_d} + {1'b0, slot_d} - 4'd1);

  logic [127:0] subbed, mixed, product, given;

  aes_sub_bytes #(.Sbox(Sbox)) u_sub (.data_i(enter_q), .data_o(subbed));
  aes_mix_columns u_mix (.data_i(shift_q), .data_o(mixed));

  assign product = mix_q ^ (slot_q == 3'd4 ? first_q : two_q)
      ^ ((need_o ? block_i : block_q) & {128{inject_q}});

  assign given = new_q
      & ({128{plain_q}} | (enter_q & {128{after_q}}) | (first_q & {128{before_q}}));
  assign keystream_o = stream_q ^ given;
  assign tag_o = new_q ^ enter_q ^ one_q ^ two_q ^ first_q;

  always_comb begin
    unique case (turn_q)
      3'd0:    s3_o = new_q;
      3'd1:    s3_o = enter_q;
      3'd2:    s3_o = one_q;
      3'd3:    s3_o = two_q;
      default: s3_o = first_q;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (load_i || en_i) begin
      slot_q <= slot_d;
      turn_q <= turn_d;
      plain_q <= word_d == 3'd1 || word_d == 3'd4;
      after_q <= word_d == 3'd3 && slot_d != 3'd1;
      before_q <= word_d == 3'd2 && slot_d == 3'd0;
      inject_q <= slot_d == mod5(4'd5 - {1'b0, turn_d});
    end
    if (load_i) begin
      // As in the third clock of a round that S_1 began: a message starts two clocks earlier.
      // S_0 = key ^ nonce comes in by way of the block.
      {first_q, mix_q} <= '0;
      two_q <= aegis128_pkg::C1;
      one_q <= aegis128_pkg::C0;
      enter_q <= key_i ^ aegis128_pkg::C0;
      new_q <= key_i ^ aegis128_pkg::C1;
      shift_q <= aes_pkg::shift_rows(SubC1);
      sub_q <= SubC0;
    end else if (en_i) begin
      new_q <= product;
      enter_q <= new_q;
      one_q <= enter_q;
      two_q <= one_q;
      if (slot_q == 3'd4) first_q <= two_q;
      sub_q <= subbed;
      shift_q <= aes_pkg::shift_rows(sub_q);
      mix_q <= mixed;
    end
    if (load_i || (en_i && need_o)) block_q <= block_i;
    if (en_i) stream_q <= slot_q == 3'd1 ? given : stream_q ^ given;
  end
endmodule
