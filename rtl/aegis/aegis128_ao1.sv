// AEGIS-128, design point AO1: one S-box, a hundred cycles per update.
//
// S_i' = R(S_(i-1)) ^ S_i in the order 0, 4, 3, 2, 1, twenty cycles per word: sixteen for the
// bytes, four for MixColumns. Published, the steps take 16, 1, 4 and 16 clocks; here ShiftRows is
// the order in which bytes are read, and AddRoundKey of a word runs in parallel with SubBytes of
// the next.
//
// The words stand in a line of 80 bytes that moves up one byte per cycle. At its head is the
// operand of AddRoundKey; two words behind it, those that SubBytes reads. Byte k of ShiftRows's
// result is byte k + 4 * (k mod 4) modulo 16 of the word: always 4 * (k mod 4) bytes behind the
// front, in this word or, past its end, at the same place of the word before.
//
// All else goes byte by byte too: lengths and blocks. Keystream or tag pass in step 0, once S_1'
// is known, and are kept in side_q; in step 1 they leave it, and the old S_0, wanted in step 4,
// enters.
module aegis128_ao1 #(
  parameter int Sbox = aes_pkg::SboxCanright
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  // From aegis128_ctrl and for it; load_i is high in the first clock of the first update.
  input  logic         load_i,
  input  logic         en_i,
  input  logic         ad_i,
  input  logic         msg_i,
  input  logic         final_i,
  input  logic         done_i,
  input  logic         first_i,
  input  logic         odd_i,
  input  logic         decrypt_i,
  output logic         need_o,
  output logic         take_o,
  output logic         give_o,
  output logic         whole_o,

  input  logic [127:0] req_key_i,
  input  logic [127:0] req_nonce_i,
  input  logic [127:0] blk_data_i,
  input  logic [4:0]   blk_bytes_i,
  output logic [127:0] out_data_o,
  input  logic [127:0] tag_i,
  output logic         rsp_ok_o,
  output logic [127:0] rsp_tag_o
);
  logic [2:0]        step_q;        // the word: S_4, S_3, S_2, S_1, S_0 enter the S-box
  logic [4:0]        clock_q;       // 0 to 15: a byte; 16 to 19: a column
  logic              start_q, whole_q, carry_q;
  logic [4:0][127:0] line_q, line_d;
  logic [127:0]      work_q, side_q, lengths_q;

  logic       start, bytes, wraps;
  logic [2:0] step;
  logic [3:0] k, shifted;
  logic [1:0] row;

  assign start = load_i | start_q;
  assign step = step_q;
  assign bytes = ~clock_q[4];
  assign k = clock_q[3:0];
  assign row = k[1:0];
  assign shifted = k + {row, 2'b00};
  assign wraps = ({1'b0, k} + {1'b0, row, 2'b00}) >= 5'd16;

  assign need_o = step == 3'd1 && bytes;
  assign take_o = step == 3'd1 && clock_q == 5'd15;
  assign give_o = step == 3'd1 && clock_q == 5'd0;
  assign whole_o = whole_q;

  // SubBytes and ShiftRows, MixColumns.
  logic [7:0]  into, substituted;
  logic [31:0] mixed;

  assign into = start ? req_key_i[8*shifted+:8] ^ aegis128_pkg::C1[8*shifted+:8]
      : step == 3'd4 ? side_q[32*row+:8]
      : wraps ? line_q[3][32*row+:8] : line_q[2][32*row+:8];
  aes_sbox #(.Sbox(Sbox)) u_sbox (.data_i(into), .data_o(substituted));
  aes_mix_column u_mix (.data_i(work_q[31:0]), .data_o(mixed));

  // The block's byte.
  logic [7:0] key, nonce, text, block;

  assign key = req_key_i[8*k+:8];
  assign nonce = req_nonce_i[8*k+:8];
  assign text = (blk_data_i[8*k+:8] ^ (side_q[7:0] & {8{msg_i & decrypt_i}}))
      & {8{{1'b0, k} < blk_bytes_i}};

  assign block = ad_i | msg_i ? text : final_i ? lengths_q[7:0] : key ^ (nonce & {8{odd_i}});

  // AddRoundKey, and what the line's words receive.
  logic [7:0]      product, pass;
  logic [4:0][7:0] front, back;

  assign product = work_q[7:0] ^ front[4] ^ (block & {8{step == 3'd1}});
  for (genvar i = 0; i < 5; i++) begin : gen_front
    assign front[i] = line_q[i][7:0];
    assign line_d[i] = {back[i], line_q[i][127:8]};
  end

  always_comb begin
    back = {front[3:0], product};
    if (start) begin
      back = {key ^ nonce, key ^ aegis128_pkg::C1[8*k+:8], key ^ aegis128_pkg::C0[8*k+:8],
              aegis128_pkg::C0[8*k+:8], aegis128_pkg::C1[8*k+:8]};
    end
  end

  // In step 0 the fronts are those of S_1' (product), S_2', S_3', S_4', S_0'.
  assign pass = done_i ? product ^ front[0] ^ front[1] ^ front[2] ^ front[3]
                       : product ^ front[2] ^ (front[0] & front[1]);

  // Lengths: cleared in the first step of a message, S_3 added in the first of the finalisation;
  // with every block they go round, and the length of its part grows.
  logic [7:0] add, length;
  logic       carry;

  assign add = {blk_bytes_i, 3'b000} & {8{(ad_i & (k == 4'd0)) | (msg_i & (k == 4'd8))}};
  assign {carry, length} = {1'b0, lengths_q[7:0]} + {1'b0, add}
      + {8'd0, carry_q & (k[2:0] != 3'd0)};

  // Idle, and with the tag at hand, it stands at clock 0 of step 0.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q <= '0;
      clock_q <= '0;
      start_q <= 1'b0;
      whole_q <= 1'b0;
    end else if (en_i) begin
      whole_q <= 1'b0;
      start_q <= start & (clock_q != 5'd15);
      if (done_i && !load_i && step_q == 3'd0 && clock_q == 5'd15) begin
        clock_q <= '0;
        whole_q <= 1'b1;
      end else if (clock_q == 5'd19) begin
        clock_q <= '0;
        step_q <= step_q == 3'd4 ? '0 : step_q + 3'd1;
      end else begin
        clock_q <= clock_q + 5'd1;
      end
    end
  end

  logic shift_line, shift_work, shift_side, shift_lengths;

  assign shift_line = en_i & bytes;
  assign shift_work = en_i & ~bytes;
  assign shift_side = shift_line & (step == 3'd0 || step == 3'd1 || step == 3'd4);
  assign shift_lengths = shift_line & (start | step == 3'd1 | (step == 3'd0 & final_i & first_i));

  always_ff @(posedge clk_i) begin
    if (shift_line) begin
      line_q <= line_d;
      work_q <= {substituted, work_q[127:8]};
    end else if (shift_work) begin
      work_q <= {mixed, work_q[127:32]};
    end
    if (shift_side) begin
      side_q <= {step == 3'd0 ? pass : step == 3'd1 ? front[4] : side_q[7:0], side_q[127:8]};
    end
    if (shift_lengths) begin
      carry_q <= carry;
      lengths_q <= {
        start ? 8'h00 : step == 3'd0 ? lengths_q[7:0] ^ front[1] : length, lengths_q[127:8]
      };
    end
  end

  // The output of the interface, while nothing moves.
  assign out_data_o = (blk_data_i ^ side_q) & aegis128_pkg::mask(blk_bytes_i)
      & {128{msg_i & give_o}};
  assign rsp_ok_o = done_i & whole_q & (~decrypt_i | (side_q == tag_i));
  assign rsp_tag_o = side_q & {128{done_i & whole_q & ~decrypt_i}};
endmodule
