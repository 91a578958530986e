// AES encryption with its key schedule, a register after every round: a block enters in every cycle
// with a key of its own, and takes Rounds + 1 cycles. The interface is that of aes_pkg.
// [FIPS197, section 5] This is what the future work of [AES-HW, section 6] proposes.
//
// All stages move together, or wait while a response is not taken. Decryption is left out: it
// begins with the last round key, so a key schedule as long again would stand in front.
module aes_pipelined #(
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

  logic move, unused_decrypt;
  logic [Rounds:0] full_q;
  logic [128*(Rounds+1)-1:0] state_q, state_d;
  // Stage i holds the KeyBits of the schedule that round i + 1 goes on from.
  logic [KeyBits*Rounds-1:0] key_q, key_d;

  assign unused_decrypt = req_decrypt_i;
  assign move = !full_q[Rounds] || rsp_ready_i;
  assign req_ready_o = move;
  assign rsp_valid_o = full_q[Rounds];
  assign rsp_block_o = state_q[128*Rounds+:128];

  assign state_d[127:0] = req_block_i ^ req_key_i[127:0];
  assign key_d[KeyBits-1:0] = req_key_i;
  for (genvar i = 0; i < Rounds; i++) begin : gen_round
    localparam bit Last = i == Rounds - 1;
    logic [127:0] round_key, rounded;
    // AES-256 knows the key of its last round already.
    if (KeyBits == 128 || i < Rounds - 1) begin : gen_step
      localparam bit [3:0] Step = i;
      logic [KeyBits-1:0] key_next;
      aes_key_step #(.KeyBits(KeyBits), .Sbox(Sbox)) u_step (
        .key_i(key_q[KeyBits*i+:KeyBits]), .step_i(Step), .invert_i(1'b0), .key_o(key_next)
      );
      if (i < Rounds - 1) begin : gen_pass
        assign key_d[KeyBits*(i+1)+:KeyBits] = key_next;
      end
    end
    if (KeyBits == 128) begin : gen_now
      assign round_key = gen_step.key_next;
    end else begin : gen_ahead
      assign round_key = key_q[KeyBits*(i+1)-1-:128];
      if (Last) begin : gen_unused
        logic unused_key;
        assign unused_key = ^key_q[KeyBits*i+:128];
      end
    end
    aes_cipher_round #(.Sbox(Sbox), .Mix(Mix)) u_round (
      .state_i(state_q[128*i+:128]), .key_i(round_key), .decrypt_i(1'b0),
      .last_i(Last), .state_o(rounded)
    );
    assign state_d[128*(i+1)+:128] = rounded;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_control
    if (!rst_ni) begin
      full_q <= '0;
    end else if (move) begin
      full_q <= {full_q[Rounds-1:0], req_valid_i};
    end
  end

  always_ff @(posedge clk_i) begin : p_data
    if (move) begin
      state_q <= state_d;
      key_q <= key_d;
    end
  end

`ifndef SYNTHESIS
  aes_interface_asserts #(.KeyBits(KeyBits)) u_asserts (
    .clk_i, .rst_ni, .req_ready_i(req_ready_o), .rsp_valid_i(rsp_valid_o), .rsp_ready_i,
    .rsp_block_i(rsp_block_o)
  );
`endif
endmodule
