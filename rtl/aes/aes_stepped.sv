// AES encryption with its key schedule, each of the four steps of a round in two clocks: the
// repeated rounds of AES-128 take 9 * 8 = 72 cycles, as those of [AES-HW, table 3] do. The paper
// does not say how it comes by 72; this is an assumption. The interface is that of aes_pkg.
//
//   clock 0, 1  SubBytes on columns 0 and 1, then 2 and 3: 8 S-boxes
//   clock 2, 3  ShiftRows: rows 2 and 3 by two columns, then rows 1 and 3 by one; in clock 2 four
//               of the S-boxes serve the key schedule
//   clock 4, 5  MixColumns on columns 0 and 1, then 2 and 3; not in the last round
//   clock 6, 7  AddRoundKey on columns 0 and 1, then 2 and 3
//
// The first key is added as the request is taken. A block takes 8 * (Rounds - 1) + 6 + 1 cycles.
// req_ready_o depends on rsp_ready_i in the same clock.
module aes_stepped #(
  parameter int KeyBits = 128,  // 128 or 256
  parameter int Sbox = aes_pkg::SboxLut,
  parameter int Mix = aes_pkg::MixPlain
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               req_valid_i,
  output logic               req_ready_o,
  input  logic               req_decrypt_i,
  input  logic [KeyBits-1:0] req_key_i,
  input  logic [127:0]       req_block_i,
  output logic               rsp_valid_o,
  input  logic               rsp_ready_i,
  output logic [127:0]       rsp_block_o
);
  localparam int Rounds = KeyBits / 32 + 6;

  // Repeat is what the paper calls the repeated part.
  typedef enum logic [1:0] {Idle, Repeat, Last, Done} fsm_e;

  fsm_e fsm_d, fsm_q;
  logic [3:0] count_d, count_q;  // of the round, from 0
  logic [2:0] clock_d, clock_q;
  logic [127:0] state_d, state_q, first_key, round_key;
  logic [KeyBits-1:0] key_d, key_q, key_next;
  logic [63:0] low, high, half, to_sub, substituted, mixed, keyed;
  logic [31:0] word;
  logic unused_decrypt;

  assign unused_decrypt = req_decrypt_i;
  assign req_ready_o = (fsm_q == Idle) || (fsm_q == Done && rsp_ready_i);
  assign rsp_valid_o = (fsm_q == Done);
  assign rsp_block_o = state_q;

  assign {high, low} = state_q;
  assign half = clock_q[0] ? high : low;
  assign to_sub = (clock_q == 3'd2) ? {32'h0, word} : half;
  aes_sub_bytes #(.Bytes(8), .Sbox(Sbox)) u_sub (.data_i(to_sub), .data_o(substituted));
  aes_mix_columns #(.Columns(2), .Mix(Mix)) u_mix (.data_i(half), .data_o(mixed));
  aes_key_words #(.KeyBits(KeyBits)) u_words (
    .key_i(key_q), .step_i(count_q), .invert_i(1'b0), .sub_o(word), .sub_i(substituted[31:0]),
    .key_o(key_next)
  );
  assign first_key = req_key_i[127:0];
  // After clock 2 the registers hold the key of this round, and with 256 bits that of the next.
  assign round_key = key_q[127:0];
  assign keyed = half ^ (clock_q[0] ? round_key[127:64] : round_key[63:0]);

  // ShiftRows in two turns, as row r moves by 2 * (r / 2) + r % 2 columns.
  function automatic logic [127:0] rotated(input logic [127:0] a, input logic by_two);
    logic [127:0] b;
    for (int i = 0; i < 16; i++) begin
      if (by_two) b[8*i+:8] = a[8*((i+8*((i%4)/2))%16)+:8];
      else b[8*i+:8] = a[8*((i+4*(i%2))%16)+:8];
    end
    return b;
  endfunction

  always_comb begin : p_next
    fsm_d = fsm_q;
    count_d = count_q;
    clock_d = clock_q;
    state_d = state_q;
    key_d = key_q;
    if (req_valid_i && req_ready_o) begin
      count_d = '0;
      clock_d = '0;
      key_d = req_key_i;
      state_d = req_block_i ^ first_key;
      fsm_d = Repeat;
    end else if (fsm_q == Repeat || fsm_q == Last) begin
      clock_d = clock_q + 3'd1;
      case (clock_q)
        3'd0: state_d = {high, substituted};
        3'd1: state_d = {substituted, low};
        3'd2: begin
          state_d = rotated(state_q, 1'b1);
          key_d = key_next;
        end
        3'd3: begin
          state_d = rotated(state_q, 1'b0);
          if (fsm_q == Last) clock_d = 3'd6;
        end
        3'd4: state_d = {high, mixed};
        3'd5: state_d = {mixed, low};
        3'd6: state_d = {high, keyed};
        default: begin
          state_d = {keyed, low};
          count_d = count_q + 4'd1;
          if (fsm_q == Last) fsm_d = Done;
          else if (count_q == 4'(Rounds - 2)) fsm_d = Last;
        end
      endcase
    end else if (fsm_q == Done && rsp_ready_i) begin
      fsm_d = Idle;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_control
    if (!rst_ni) begin
      fsm_q <= Idle;
    end else begin
      fsm_q <= fsm_d;
    end
  end

  always_ff @(posedge clk_i) begin : p_data
    count_q <= count_d;
    clock_q <= clock_d;
    state_q <= state_d;
    key_q <= key_d;
  end

`ifndef SYNTHESIS
  aes_interface_asserts #(.KeyBits(KeyBits)) u_asserts (
    .clk_i, .rst_ni, .req_ready_i(req_ready_o), .rsp_valid_i(rsp_valid_o), .rsp_ready_i,
    .rsp_block_i(rsp_block_o)
  );
`endif
endmodule
