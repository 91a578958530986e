// AES with its key schedule, one round per cycle. The interface is that of aes_pkg. [FIPS197,
// section 5]
//
// A block takes Rounds + 1 cycles. Decryption first walks the key schedule to its end, which takes
// Rounds more (one less with 256 bits, where two round keys are known), then both go backwards.
// req_ready_o depends on rsp_ready_i in the same clock, so blocks follow without a gap.
module aes_iterative #(
  parameter int KeyBits = 128,  // 128 or 256
  parameter int Sbox = aes_pkg::SboxLut,
  parameter int Mix = aes_pkg::MixPlain,
  parameter int Decrypt = 1  // 0: it encrypts only
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
  // Steps of the key schedule from the first KeyBits to the last.
  localparam int Steps = Rounds + 1 - KeyBits / 128;

  typedef enum logic [1:0] {Idle, Expand, Cipher, Done} fsm_e;

  fsm_e fsm_d, fsm_q;
  logic [3:0] count_d, count_q, step;
  logic decrypt_d, decrypt_q, backward;
  logic [127:0] state_d, state_q, rounded, first_key, round_key, last_key;
  logic [KeyBits-1:0] key_d, key_q, key_next;

  assign req_ready_o = (fsm_q == Idle) || (fsm_q == Done && rsp_ready_i);
  assign rsp_valid_o = (fsm_q == Done);
  assign rsp_block_o = state_q;

  assign backward = Decrypt != 0 && decrypt_q && fsm_q == Cipher;
  assign step = backward ? 4'(Steps - 1) - count_q : count_q;
  aes_key_step #(.KeyBits(KeyBits), .Sbox(Sbox)) u_step (
    .key_i(key_q), .step_i(step), .invert_i(backward), .key_o(key_next)
  );
  // With 256 bits the key of this round is known one cycle ahead.
  assign first_key = req_key_i[127:0];
  assign last_key = key_next[KeyBits-1-:128];
  if (KeyBits == 128) begin : gen_now
    assign round_key = key_next;
  end else begin : gen_ahead
    assign round_key = backward ? key_q[127:0] : key_q[KeyBits-1-:128];
  end

  aes_cipher_round #(.Sbox(Sbox), .Mix(Mix), .Decrypt(Decrypt)) u_round (
    .state_i(state_q), .key_i(round_key), .decrypt_i(backward),
    .last_i(count_q == 4'(Rounds - 1)), .state_o(rounded)
  );

  always_comb begin : p_next
    fsm_d = fsm_q;
    count_d = count_q;
    decrypt_d = decrypt_q;
    state_d = state_q;
    key_d = key_q;
    if (req_valid_i && req_ready_o) begin
      count_d = '0;
      decrypt_d = Decrypt != 0 && req_decrypt_i;
      key_d = req_key_i;
      state_d = decrypt_d ? req_block_i : req_block_i ^ first_key;
      fsm_d = Cipher;
      if (decrypt_d) fsm_d = Expand;
    end else if (fsm_q == Expand) begin
      count_d = count_q + 4'd1;
      key_d = key_next;
      if (count_q == 4'(Steps - 1)) begin
        count_d = '0;
        state_d = state_q ^ last_key;
        fsm_d = Cipher;
      end
    end else if (fsm_q == Cipher) begin
      count_d = count_q + 4'd1;
      key_d = key_next;
      state_d = rounded;
      if (count_q == 4'(Rounds - 1)) fsm_d = Done;
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
    decrypt_q <= decrypt_d;
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
