// One step of the key schedule but for its S-boxes: 128 new bits behind the last KeyBits, or, with
// invert_i, 128 older ones in front. The word that SubWord wants leaves at sub_o and returns at
// sub_i. Combinational. [FIPS197, section 5.2]
//
// Forward step n makes round key n + 1 of AES-128, n + 2 of AES-256; the same step_i undoes it.
module aes_key_words #(
  parameter int KeyBits = 128  // 128 or 256
) (
  input  logic [KeyBits-1:0] key_i,
  input  logic [3:0]         step_i,
  input  logic               invert_i,
  output logic [31:0]        sub_o,
  input  logic [31:0]        sub_i,
  output logic [KeyBits-1:0] key_o
);
  logic [127:0] old, forward, backward;
  logic [31:0] word, constant, sum0, sum1, sum2, sum3, last;
  logic turn;

  // Forward the four words are running sums, backward the differences of neighbours.
  assign sum0 = old[31:0] ^ sub_i ^ constant;
  assign sum1 = old[63:32] ^ sum0;
  assign sum2 = old[95:64] ^ sum1;
  assign sum3 = old[127:96] ^ sum2;
  assign forward = {sum3, sum2, sum1, sum0};
  assign last = old[127:96] ^ old[95:64];
  assign backward = {last, old[95:64] ^ old[63:32], old[63:32] ^ old[31:0], sum0};

  if (KeyBits == 128) begin : gen_128
    assign old      = key_i;
    assign word     = invert_i ? last : key_i[127:96];
    assign turn     = 1'b1;
    assign constant = {24'h0, aes_pkg::rcon(step_i)};
    assign key_o    = invert_i ? backward : forward;
  end else begin : gen_256
    assign old      = invert_i ? key_i[255:128] : key_i[127:0];
    assign word     = invert_i ? key_i[127:96] : key_i[255:224];
    assign turn     = !step_i[0];
    assign constant = turn ? {24'h0, aes_pkg::rcon({1'b0, step_i[3:1]})} : '0;
    assign key_o    = invert_i ? {key_i[127:0], backward} : {forward, key_i[255:128]};
  end

  // RotWord: byte 1 becomes byte 0.
  assign sub_o = turn ? {word[7:0], word[31:8]} : word;
endmodule
