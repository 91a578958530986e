// The blocks that AEGIS-128 absorbs and gives out, 128 bits at a time; lengths and tag.
// [AEGIS, section 3]
//
// With Slots > 1 the lengths are a ring, as the registers of aegis128_ctrl are, and are brought up
// to date one cycle after the block was taken.
module aegis128_blocks #(
  parameter int Slots = 1
) (
  input  logic         clk_i,

  // From aegis128_ctrl.
  input  logic         load_i,
  input  logic         taken_i,
  input  logic         ad_i,
  input  logic         msg_i,
  input  logic         final_i,
  input  logic         first_i,
  input  logic         odd_i,
  input  logic         decrypt_i,
  input  logic         response_i,      // rsp_valid_o

  // From the datapath, and for it. S_3 is wanted with the first block of the finalisation.
  input  logic         whiten_i,      // key ^ nonce is wanted, whatever block it is
  input  logic [127:0] keystream_i,
  input  logic [127:0] s3_i,
  input  logic [127:0] s3_late_i,     // with Slots > 1: the same one cycle later
  input  logic [127:0] state_tag_i,
  output logic [127:0] block_o,

  input  logic [127:0] req_key_i,
  input  logic [127:0] req_nonce_i,
  input  logic [127:0] blk_data_i,
  input  logic [4:0]   blk_bytes_i,
  output logic [127:0] out_data_o,
  input  logic [127:0] tag_i,
  output logic         rsp_ok_o,
  output logic [127:0] rsp_tag_o
);
  localparam int Last = Slots - 1;

  // Bits of associated data and of message so far, LE64 each; then what finalisation absorbs.
  logic [Slots-1:0][127:0] lengths_q;
  logic [127:0]            lengths, flip, mask, plain;

  // What happens to `old`, which stands in entry 0 if late.
  logic         clear, add_s3;
  logic [1:0]   count;
  logic [4:0]   bytes;
  logic [127:0] old, ahead, s3;

  assign lengths = lengths_q[Last];

  assign mask = aegis128_pkg::mask(blk_bytes_i);
  assign out_data_o = (blk_data_i ^ keystream_i) & mask & {128{msg_i}};
  assign plain = (blk_data_i ^ (keystream_i & {128{msg_i & decrypt_i}})) & mask;

  always_comb begin
    if (ad_i || msg_i) block_o = plain;
    else if (final_i) block_o = lengths ^ (s3_i & {128{first_i}});
    else block_o = req_key_i ^ (req_nonce_i & {128{odd_i | whiten_i}});
  end

  // A computed tag never leaves when decrypting.
  assign rsp_ok_o = response_i & (~decrypt_i | (state_tag_i == tag_i));
  assign rsp_tag_o = state_tag_i & {128{response_i & ~decrypt_i}};

  // The bits of a length that turn when a block is counted. A carry through 57 bits would be the
  // longest path of the core: so bits 9 and up stand in groups, and whether all below a group are
  // ones is read from a register, one cycle late. That is early enough: they change with a carry
  // out of bits 7 and 8 only, and the next such carry is four blocks away.
  logic [1:0][7:2] ones_q, ones_d;

  for (genvar h = 0; h < 2; h++) begin : gen_half
    logic        low;
    logic [63:7] now;

    assign now = old[64*h+7+:57];
    assign low = count[h] & bytes[4] & now[7] & now[8];

    assign flip[64*h+:3] = '0;
    // Only the last block is short: these were zero.
    assign flip[64*h+3+:4] = bytes[3:0] & {4{count[h]}};
    assign flip[64*h+7] = count[h] & bytes[4];
    assign flip[64*h+8] = count[h] & bytes[4] & now[7];
    assign flip[64*h+9] = low;
    for (genvar i = 10; i < 16; i++) begin : gen_low
      assign flip[64*h+i] = low & (&now[i-1:9]);
    end
    for (genvar g = 2; g < 8; g++) begin : gen_group
      logic reached;
      assign ones_d[h][g] = &ahead[64*h+9+:8*g-9];
      assign reached = low & ones_q[h][g];
      assign flip[64*h+8*g] = reached;
      for (genvar i = 1; i < 8; i++) begin : gen_bit
        assign flip[64*h+8*g+i] = reached & (&now[8*g+:i]);
      end
    end

    logic unused;
    assign unused = now[15] ^ now[23] ^ now[31] ^ now[39] ^ now[47] ^ now[55] ^ now[63]
        ^ (^ahead[64*h+:9]) ^ (^ahead[64*h+56+:8]);
  end

  logic [127:0] updated;
  assign updated = (old ^ flip ^ (s3 & {128{add_s3}})) & {128{~clear}};

  always_ff @(posedge clk_i) ones_q <= ones_d;

  if (Slots == 1) begin : gen_one
    assign old = lengths_q;
    assign ahead = lengths_q;
    assign clear = load_i;
    assign add_s3 = taken_i & final_i & first_i;
    assign s3 = s3_i;
    assign count = {2{taken_i}} & {msg_i, ad_i};
    assign bytes = blk_bytes_i;
    always_ff @(posedge clk_i) lengths_q <= updated;
    logic unused;
    assign unused = ^s3_late_i;
  end else begin : gen_ring
    assign old = lengths_q[0];
    assign ahead = lengths_q[Last];
    assign s3 = s3_late_i;
    always_ff @(posedge clk_i) begin
      clear <= load_i;
      add_s3 <= taken_i & final_i & first_i;
      count <= {2{taken_i}} & {msg_i, ad_i};
      bytes <= blk_bytes_i;
      lengths_q[0] <= lengths_q[Last];
      lengths_q[1] <= updated;
      for (int i = 2; i < Slots; i++) lengths_q[i] <= lengths_q[i-1];
    end
  end
endmodule
