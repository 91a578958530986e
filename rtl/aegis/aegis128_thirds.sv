// AEGIS-128, a design point of ours: five AES rounds in three stages, three interleaved messages.
//
// An update of one message cannot begin before the last has ended, and takes as long as an AES
// round and an XOR. Three messages can share the circuit: each has one cycle in three, and the
// round is cut in three where few bits cross. The words must be carried along anyway, for the XOR
// at the end; so the cut inside the S-box costs four bits a byte, for its back needs no more than
// the byte. No stage waits: a message that stalls is carried round unchanged.
//
// The interface meets the second stage, where no word has logic before it or behind it.
module aegis128_thirds #(
  parameter int Mix = aes_pkg::MixPlain
) (
  input  logic              clk_i,
  input  logic              load_i,
  input  logic              en_i,
  input  logic [127:0]      key_i,
  input  logic [127:0]      nonce_i,
  input  logic [127:0]      block_i,
  output logic [4:0][127:0] state_o,     // of the message whose turn it is
  output logic [127:0]      late_s3_o    // S_3 of the one before
);
  logic [4:0][127:0] first_q, second_q, third_q, third_d, sub_q, sub, mixed;
  logic [4:0][63:0]  waist_q, waist;
  logic [4:0]        go_q;

  assign state_o = second_q;
  assign late_s3_o = third_q[3];

  for (genvar i = 0; i < 5; i++) begin : gen_word
    for (genvar k = 0; k < 16; k++) begin : gen_byte
      aes_sbox_front u_front (.data_i(first_q[i][8*k+:8]), .waist_o(waist[i][4*k+:4]));
      aes_sbox_back u_back (
        .data_i(second_q[i][8*k+:8]), .waist_i(waist_q[i][4*k+:4]), .data_o(sub[i][8*k+:8])
      );
    end
    aes_mix_columns #(.Mix(Mix)) u_mix (
      .data_i(aes_pkg::shift_rows(sub_q[(i+4)%5])), .data_o(mixed[i])
    );
  end

  assign third_d = load_i ? aegis128_pkg::start(key_i, nonce_i)
      : {second_q[4:1], second_q[0] ^ (block_i & {128{en_i}})};

  always_ff @(posedge clk_i) begin
    second_q <= first_q;
    waist_q <= waist;
    third_q <= third_d;
    sub_q <= sub;
    go_q <= {5{en_i & ~load_i}};
    for (int i = 0; i < 5; i++) first_q[i] <= third_q[i] ^ (mixed[i] & {128{go_q[i]}});
  end
endmodule
