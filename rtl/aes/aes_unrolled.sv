// AES with its key schedule, the whole cipher combinational between two registers: a block takes
// two cycles, and one enters in every cycle. The interface is that of aes_pkg. [FIPS197, section 5]
//
// req_ready_o depends on rsp_ready_i in the same clock.
module aes_unrolled #(
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
  localparam int Steps = Rounds + 1 - KeyBits / 128;

  logic full_q, decrypt_q, backward, rsp_full_q, move;
  logic [KeyBits-1:0] key_q;
  logic [127:0] block_q, rsp_q;

  assign backward = Decrypt != 0 && decrypt_q;
  assign move = !rsp_full_q || rsp_ready_i;
  assign req_ready_o = !full_q || move;
  assign rsp_valid_o = rsp_full_q;
  assign rsp_block_o = rsp_q;

  // Round key i is bits [128*i+127:128*i].
  logic [KeyBits+128*Steps-1:0] keys;
  assign keys[KeyBits-1:0] = key_q;
  for (genvar n = 0; n < Steps; n++) begin : gen_key
    localparam bit [3:0] Step = n;
    logic [KeyBits-1:0] expanded;
    aes_key_step #(.KeyBits(KeyBits), .Sbox(Sbox)) u_step (
      .key_i(keys[128*n+:KeyBits]), .step_i(Step), .invert_i(1'b0), .key_o(expanded)
    );
    assign keys[128*n+KeyBits+:128] = expanded[KeyBits-1-:128];
    if (KeyBits == 256) begin : gen_known
      logic unused_known;
      assign unused_known = ^expanded[127:0];
    end
  end

  // State before round i, after the key in front of it.
  logic [128*(Rounds+1)-1:0] states;
  assign states[127:0] = block_q ^ (backward ? keys[128*Rounds+:128] : keys[127:0]);
  for (genvar i = 0; i < Rounds; i++) begin : gen_round
    localparam bit Last = i == Rounds - 1;
    logic [127:0] key, rounded;
    assign key = backward ? keys[128*(Rounds-1-i)+:128] : keys[128*(i+1)+:128];
    aes_cipher_round #(.Sbox(Sbox), .Mix(Mix), .Decrypt(Decrypt)) u_round (
      .state_i(states[128*i+:128]), .key_i(key), .decrypt_i(backward),
      .last_i(Last), .state_o(rounded)
    );
    assign states[128*(i+1)+:128] = rounded;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_control
    if (!rst_ni) begin
      full_q <= 1'b0;
      rsp_full_q <= 1'b0;
    end else begin
      if (req_ready_o) full_q <= req_valid_i;
      if (move) rsp_full_q <= full_q;
    end
  end

  always_ff @(posedge clk_i) begin : p_data
    if (req_valid_i && req_ready_o) begin
      decrypt_q <= req_decrypt_i;
      key_q <= req_key_i;
      block_q <= req_block_i;
    end
    if (full_q && move) rsp_q <= states[128*Rounds+:128];
  end

`ifndef SYNTHESIS
  aes_interface_asserts #(.KeyBits(KeyBits)) u_asserts (
    .clk_i, .rst_ni, .req_ready_i(req_ready_o), .rsp_valid_i(rsp_valid_o), .rsp_ready_i,
    .rsp_block_i(rsp_block_o)
  );
`endif
endmodule
