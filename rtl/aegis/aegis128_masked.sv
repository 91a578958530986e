// AEGIS-128 in two shares, by domain-oriented masking: four masked S-boxes, thirty cycles per update.
// [AEGIS, section 3] [DOM, section 3]
//
// README.md in this folder describes the interface, and what the shares protect. Of a port in shares
// the low half is the first share, and a value is the sum of both: key, blocks in and out, tag out.
// Nonce, lengths and the tag that is compared are public.
//
// A column enters the S-boxes in each of cycles 0 to 19 of an update, S_0 first. Eight cycles later
// it is added to the word behind: all columns of that word have entered then. So no word is kept
// twice. In the last six cycles S_2 & S_3 is computed, for the keystream of the next block.
//
// Decrypting, the tag is compared in shares as well. Of the comparison only its result is
// ever the sum of shares, in a register of its own.
module aegis128_masked (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [103:0] random_i,       // new and uniform in every cycle

  input  logic         req_valid_i,
  output logic         req_ready_o,
  input  logic         req_decrypt_i,
  input  logic         req_ad_i,       // associated data follow
  input  logic         req_msg_i,      // a message follows
  input  logic [255:0] req_key_i,      // in shares
  input  logic [127:0] req_nonce_i,

  input  logic         blk_valid_i,
  output logic         blk_ready_o,
  input  logic [255:0] blk_data_i,     // in shares
  input  logic [4:0]   blk_bytes_i,    // 1 to 16; less only in the last block of a part
  input  logic         blk_last_i,

  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [255:0] out_data_o,     // in shares; zero past the last byte
  output logic [4:0]   out_bytes_o,
  output logic         out_last_o,

  input  logic [127:0] tag_i,          // decrypting: held until the response
  output logic         rsp_valid_o,
  input  logic         rsp_ready_i,
  output logic         rsp_ok_o,
  output logic [255:0] rsp_tag_o       // in shares; zero when decrypting
);
  localparam logic [4:0] LastStep = 5'd29;
  // Of the finalisation's end, when the tag has been compared.
  localparam logic [4:0] Compared = 5'd17;

  logic load, en, taken, ad, msg, is_final, done, first, odd, decrypt, need, whole;
  logic compares, compares_q, final_q; // in this update; the controller is ahead of it
  logic [4:0] step_q;
  logic [1:0] column, late;

  aegis128_ctrl u_ctrl (
    .clk_i, .rst_ni,
    .req_valid_i, .req_ready_o, .req_decrypt_i, .req_ad_i, .req_msg_i,
    .blk_valid_i, .blk_ready_o, .blk_last_i, .out_valid_o, .out_ready_i,
    .rsp_valid_o, .rsp_ready_i,
    .need_i(need), .take_i(need), .give_i(need), .whole_i(whole),
    .load_o(load), .en_o(en), .taken_o(taken), .ad_o(ad), .msg_o(msg), .final_o(is_final),
    .done_o(done), .first_o(first), .odd_o(odd), .decrypt_o(decrypt)
  );
  assign out_bytes_o = blk_bytes_i;
  assign out_last_o = blk_last_i;

  assign need = step_q == 5'd0;
  assign whole = compares_q & (step_q == Compared);
  assign compares = need ? done : compares_q;
  assign column = step_q[1:0];
  assign late = step_q[1:0] ^ 2'b10;   // the column of two cycles ago

  always_ff @(posedge clk_i) begin
    if (load || (en && step_q == LastStep)) step_q <= '0;
    else if (en) step_q <= step_q + 5'd1;
    if (load) compares_q <= 1'b0;
    else if (en && need) compares_q <= done;
    if (en && need) final_q <= is_final;
  end

  // What is absorbed and the keystream are in block_q, one after the other.
  logic [1:0][4:0][127:0] state_q;
  logic [1:0][127:0]      block_q, block, message, tag;
  logic [1:0][31:0]       substituted, mixed, product, first_factor, other_factor, absorbed;
  logic [127:0]           mask;
  logic                   writes, absorbs, streams, stores, multiplies;
  logic [2:0]             target;

  assign mask = aegis128_pkg::mask(blk_bytes_i);
  assign writes = en & ~compares & (step_q >= 5'd8) & (step_q < 5'd28);
  assign target = step_q[4:2] - 3'd1;  // the word; S_0 is 5
  assign absorbs = step_q[4:2] == 3'd6;
  assign streams = ~compares & ~final_q & (step_q >= 5'd24) & (step_q < 5'd28);
  assign stores = ~compares & ~final_q & (step_q >= 5'd26);
  assign multiplies = streams | (compares & (step_q < 5'd16));

  // Bytes of associated data and of message.
  logic [60:0] ad_bytes, msg_bytes;
  aead_length #(.Width(5)) u_ad_length (
    .clk_i, .clear_i(load), .add_i(taken & ad), .bytes_i(blk_bytes_i), .length_o(ad_bytes)
  );
  aead_length #(.Width(5)) u_msg_length (
    .clk_i, .clear_i(load), .add_i(taken & msg), .bytes_i(blk_bytes_i), .length_o(msg_bytes)
  );

  // The S-boxes, a row each: the shares of a byte next to each other, and back.
  for (genvar r = 0; r < 4; r++) begin : gen_row
    logic [15:0] into, out;
    for (genvar i = 0; i < 2; i++) begin : gen_share
      logic [127:0] word, shifted;
      always_comb begin
        unique case (step_q[4:2])
          3'd0:    word = state_q[i][0];
          3'd1:    word = state_q[i][1];
          3'd2:    word = state_q[i][2];
          3'd3:    word = state_q[i][3];
          default: word = state_q[i][4];
        endcase
      end
      assign shifted = aes_pkg::shift_rows(word);
      assign into[8*i+:8] = shifted[32*column+8*r+:8];
      assign substituted[i][8*r+:8] = out[8*i+:8];
    end
    aes_sbox_masked u_sbox (
      .clk_i, .data_i(into), .random_i(random_i[18*r+:18]), .data_o(out)
    );
  end

  // Bit i of the factors, and of the product two cycles later.
  logic [1:0][31:0] first_q, other_q;
  for (genvar b = 0; b < 32; b++) begin : gen_product
    logic [1:0] sum;
    dom_product #(.Bits(1)) u_product (
      .clk_i, .a_i({first_q[1][b], first_q[0][b]}), .b_i({other_q[1][b], other_q[0][b]}),
      .add_i(2'b00), .random_i(random_i[72+b]), .product_o(sum)
    );
    assign {product[1][b], product[0][b]} = sum;
  end

  for (genvar i = 0; i < 2; i++) begin : gen_share
    logic [127:0] key, nonce, lengths, received, data, differs;
    logic [639:0] start;

    // What is public is in the first share.
    assign key = req_key_i[128*i+:128];
    assign data = blk_data_i[128*i+:128];
    if (i == 0) begin : gen_public
      assign nonce = req_nonce_i;
      assign lengths = {msg_bytes, 3'b000, ad_bytes, 3'b000};
      assign received = ~tag_i;
      assign start = aegis128_pkg::start(key, req_nonce_i);
    end else begin : gen_zero
      assign nonce = '0;
      assign lengths = '0;
      assign received = '0;
      assign start = {key, key, 256'd0, key};
    end

    assign message[i] = (data ^ block_q[i]) & mask;
    assign out_data_o[128*i+:128] = message[i] & {128{msg}};

    always_comb begin
      if (ad || msg) block[i] = msg & decrypt ? message[i] : data & mask;
      else if (is_final) block[i] = first ? state_q[i][3] ^ lengths : block_q[i];
      else block[i] = key ^ (nonce & {128{odd}});
    end

    aes_mix_column u_mix (.data_i(substituted[i]), .data_o(mixed[i]));
    assign absorbed[i] = block_q[i][32*column+:32] & {32{absorbs}};

    for (genvar w = 0; w < 5; w++) begin : gen_word
      for (genvar c = 0; c < 4; c++) begin : gen_column
        logic here;
        assign here = writes & (target == (w == 0 ? 3'd5 : 3'(w))) & (column == 2'(c));
        always_ff @(posedge clk_i) begin
          if (load) begin
            state_q[i][w][32*c+:32] <= start[128*w+32*c+:32];
          end else if (here) begin
            state_q[i][w][32*c+:32]
                <= state_q[i][w][32*c+:32] ^ mixed[i] ^ (w == 0 ? absorbed[i] : 32'd0);
          end
        end
      end
    end

    for (genvar c = 0; c < 4; c++) begin : gen_block
      always_ff @(posedge clk_i) begin
        if (en && need && !done) begin
          block_q[i][32*c+:32] <= block[i][32*c+:32];
        end else if (stores && late == 2'(c)) begin
          block_q[i][32*c+:32]
              <= state_q[i][1][32*c+:32] ^ state_q[i][4][32*c+:32] ^ product[i];
        end
      end
    end

    // Ones where a bit of the tag is right; their product over all bits is a one if all are.
    assign tag[i] = aegis128_pkg::tag(state_q[i]);
    assign differs = tag[i] ^ received;
    always_comb begin
      first_factor[i] = product[i];
      unique case (step_q[3:1])
        3'd0:    other_factor[i] = differs[63:32];
        3'd1:    other_factor[i] = differs[95:64];
        3'd2:    other_factor[i] = differs[127:96];
        3'd3:    other_factor[i] = product[i] >> 16;
        3'd4:    other_factor[i] = product[i] >> 8;
        3'd5:    other_factor[i] = product[i] >> 4;
        3'd6:    other_factor[i] = product[i] >> 2;
        default: other_factor[i] = product[i] >> 1;
      endcase
      if (compares && step_q[3:1] == 3'd0) first_factor[i] = differs[31:0];
      if (!compares) begin
        first_factor[i] = state_q[i][2][32*column+:32];
        other_factor[i] = state_q[i][3][32*column+:32];
      end
    end
    // A factor stays for two cycles where the products follow one another.
    always_ff @(posedge clk_i) begin
      if (!compares || !step_q[0]) begin
        first_q[i] <= first_factor[i] & {32{multiplies}};
        other_q[i] <= other_factor[i] & {32{multiplies}};
      end
    end
    assign rsp_tag_o[128*i+:128] = tag[i] & {128{rsp_valid_o & ~decrypt}};
  end

  logic [1:0] right_q;
  always_ff @(posedge clk_i) begin
    if (step_q == 5'd16) right_q <= {product[1][0], product[0][0]};
  end
  assign rsp_ok_o = rsp_valid_o & (~decrypt | (^right_q));
endmodule
