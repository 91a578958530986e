// The user of an AEAD core as the interface allows it, and what the core must keep to: for model
// checking. Every choice_* is free in every cycle; messages have up to three blocks, associated data
// and message together, and follow one another without an end.
//
// Of a core that interleaves Slots messages it is the user of one slot, whichever choice_slot_i says in the first
// cycle: it sees that message's cycles and no others, and in those the core may be given anything.
//
// Each output is a property, and is high in a cycle that breaks it. Nothing is assumed of the core.
module aead_protocol #(
  parameter int Rate = 128,          // bits of a block
  parameter int Bytes = 5,           // bits of a count of its bytes
  parameter int Tag = 128,
  parameter int Cycles = 22,         // of the longest message, if nobody waits, and of those its own
  parameter int Rav = 0,             // plaintext waits for the right tag
  parameter int Slots = 1
) (
  input  logic clk_i,

  input  logic [1:0] choice_slot_i,
  input  logic [1:0] slot_i,         // whose cycle it is, as the core says
  output logic       turn_o,         // it is this user's

  input  logic             choice_req_i,   // to offer, if nothing is holding it back
  input  logic             choice_blk_i,
  input  logic             choice_out_i,
  input  logic             choice_rsp_i,
  input  logic [1:0]       choice_ad_i,    // blocks
  input  logic [1:0]       choice_msg_i,
  input  logic             choice_decrypt_i,
  input  logic [Rate-1:0]  choice_data_i,
  input  logic [Bytes-1:0] choice_bytes_i,
  input  logic [Tag-1:0]   choice_tag_i,

  // To the core and from it.
  output logic             rst_no,
  output logic             req_valid_o,
  input  logic             req_ready_i,
  output logic             req_decrypt_o,
  output logic             req_ad_o,
  output logic             req_msg_o,
  output logic             blk_valid_o,
  input  logic             blk_ready_i,
  output logic [Rate-1:0]  blk_data_o,
  output logic [Bytes-1:0] blk_bytes_o,
  output logic             blk_last_o,
  input  logic             out_valid_i,
  output logic             out_ready_o,
  input  logic [Rate-1:0]  out_data_i,
  input  logic [Bytes-1:0] out_bytes_i,
  input  logic             out_last_i,
  output logic [Tag-1:0]   tag_o,
  input  logic             rsp_valid_i,
  output logic             rsp_ready_o,
  input  logic             rsp_ok_i,
  input  logic [Tag-1:0]   rsp_tag_i,
  input  logic [Tag-1:0]   kept_tag_i,  // the tag, or what stays as long as all that it is made of

  output logic request_twice_o,    // a request is taken that is not there, or before the response
  output logic block_invented_o,   // a block is taken that is not there, or before its request
  output logic output_invented_o,  // a block comes out that no message has, or too early
  output logic output_last_o,      // the wrong block is called the last
  output logic output_bytes_o,     // it has not as many bytes as the block that it is made of
  output logic early_o,            // a response, and the message is not through
  // No response after Cycles cycles in which the user did not wait, or no turn in Slots cycles.
  output logic late_o,
  output logic unverified_o,       // plaintext came out, and the response is that the tag is wrong
  output logic tag_leaked_o,       // a tag of a decryption
  output logic output_moved_o,     // a block that waits falls, or is another
  output logic response_moved_o,
  output logic ok_moved_o,         // of a response that waits: whether the tag is right
  output logic [Rate-1:0] data_moved_o,  // its data change, or those of the tag
  output logic [Tag-1:0]  tag_moved_o
);
  localparam logic [Bytes-1:0] Full = Bytes'(Rate / 8);
  localparam int Width = $clog2(Cycles + 2);

  // The first cycle is a reset; what is in the other flip-flops then is free.
  logic up_q = 1'b0;
  logic live, step, starved;
  always_ff @(posedge clk_i) up_q <= 1'b1;
  assign rst_no = up_q;

  if (Slots > 1) begin : gen_slot
    logic [1:0] slot_q, since_q;
    always_ff @(posedge clk_i) begin
      if (!up_q) slot_q <= choice_slot_i;
      since_q <= !up_q || turn_o ? '0 : since_q + 2'd1;
    end
    assign turn_o = slot_i == slot_q;
    assign starved = up_q & ~turn_o & (slot_q < 2'(Slots)) & (since_q == 2'(Slots - 1));
  end else begin : gen_alone
    assign turn_o = 1'b1;
    assign starved = 1'b0;
  end
  assign live = up_q & turn_o;
  assign step = ~up_q | turn_o;

  // The message whose request or blocks are offered. A new one may be while the last one's response
  // is due.
  logic [1:0]       ad_q, msg_q;
  logic             ad_req_q, msg_req_q, decrypt_q, requested_q, offered_q, stuck_q;
  logic [Rate-1:0]  data_q;
  logic [Bytes-1:0] bytes_q;
  logic             requested, taken, fresh, last;

  assign requested = req_valid_o & req_ready_i;
  assign taken = blk_valid_o & blk_ready_i;
  assign fresh = requested_q & (ad_q == 2'd0) & (msg_q == 2'd0);
  assign req_valid_o = up_q & ~requested_q & (offered_q | choice_req_i);
  assign req_decrypt_o = decrypt_q;
  assign req_ad_o = ad_req_q;
  assign req_msg_o = msg_req_q;
  assign last = ad_q != 2'd0 ? ad_q == 2'd1 : msg_q == 2'd1;
  assign blk_valid_o = up_q & ((ad_q != 2'd0) | (msg_q != 2'd0)) & (stuck_q | choice_blk_i);
  assign blk_data_o = stuck_q ? data_q : choice_data_i;
  assign blk_bytes_o = !last ? Full : stuck_q ? bytes_q
      : (choice_bytes_i == '0) || (choice_bytes_i > Full) ? Full : choice_bytes_i;
  assign blk_last_o = last;

  always_ff @(posedge clk_i) if (step) begin
    offered_q <= req_valid_o & ~req_ready_i;
    stuck_q <= blk_valid_o & ~blk_ready_i;
    data_q <= blk_data_o;
    bytes_q <= blk_bytes_o;
    if (!up_q || fresh) begin
      ad_q <= choice_ad_i;
      msg_q <= choice_msg_i > 2'd3 - choice_ad_i ? 2'd3 - choice_ad_i : choice_msg_i;
      ad_req_q <= choice_ad_i != 2'd0;
      msg_req_q <= (choice_msg_i != 2'd0) & (choice_ad_i != 2'd3);
      decrypt_q <= choice_decrypt_i;
      requested_q <= 1'b0;
    end else begin
      if (requested) requested_q <= 1'b1;
      if (taken) begin
        if (ad_q != 2'd0) ad_q <= ad_q - 2'd1;
        else msg_q <= msg_q - 2'd1;
      end
    end
  end

  // The message whose response is due.
  logic             due_q, opened_q, blocks_q;
  logic [1:0]       out_q, all_q;
  logic [Tag-1:0]   tag_q;
  logic [Width-1:0] count_q;
  logic             given, responded, waits, good;

  assign out_ready_o = choice_out_i;
  assign rsp_ready_o = choice_rsp_i;
  assign given = out_valid_i & out_ready_o;
  assign responded = rsp_valid_i & rsp_ready_o;
  assign tag_o = due_q ? tag_q : choice_tag_i;
  assign good = rsp_ok_i | ~opened_q;
  // The user holds the core up, or has nothing for it.
  assign waits = ~out_ready_o | ~rsp_ready_o | (~requested_q & ~req_valid_o)
      | (((ad_q != 2'd0) | (msg_q != 2'd0)) & ~blk_valid_o);

  always_ff @(posedge clk_i) if (step) begin
    tag_q <= tag_o;
    if (!up_q) begin
      due_q <= 1'b0;
      out_q <= '0;
      all_q <= '0;
      blocks_q <= 1'b0;
      count_q <= '0;
      opened_q <= 1'b0;
    end else begin
      if (requested) begin
        due_q <= 1'b1;
        opened_q <= decrypt_q;
        out_q <= msg_q;
        all_q <= msg_q;
        blocks_q <= (ad_q != 2'd0) | (msg_q != 2'd0);
      end else if (responded) begin
        due_q <= 1'b0;
        out_q <= '0;
      end else if (given) begin
        out_q <= out_q - 2'd1;
      end
      if (taken && blk_last_o && (ad_q == 2'd0 || !msg_req_q)) blocks_q <= 1'b0;
      if (responded) count_q <= '0;
      else if (!waits && count_q != '1) count_q <= count_q + 1'b1;
    end
  end

  assign request_twice_o = live & req_ready_i & (~req_valid_o | due_q);
  assign block_invented_o = live & blk_ready_i & (~blk_valid_o | ~requested_q);
  // An encryption's block comes out with the one that goes in, or before it is let go.
  assign output_invented_o = live & out_valid_i & (~due_q | (out_q == 2'd0)
      | ((Rav == 0 || !opened_q) & ~blk_valid_o) | ((Rav != 0) & opened_q & blocks_q));
  assign output_last_o = live & out_valid_i & (out_last_i != (out_q == 2'd1));
  assign output_bytes_o = live & out_valid_i & (Rav == 0 || !opened_q) & (out_bytes_i != blk_bytes_o);
  assign early_o = live & rsp_valid_i & (~due_q | blocks_q
      | (out_q != ((Rav != 0) & ~good ? all_q : 2'd0)));
  assign late_o = (live & (count_q > Width'(Cycles))) | starved;
  assign unverified_o = live & (Rav != 0) & rsp_valid_i & ~good & (out_q != all_q);
  assign tag_leaked_o = live & opened_q & due_q & (rsp_tag_i != '0);

  logic             out_wait_q, out_last_q, rsp_wait_q, rsp_ok_q;
  logic [Rate-1:0]  out_data_q;
  logic [Bytes-1:0] out_bytes_q;
  logic [Tag-1:0]   kept_tag_q;
  logic             out_waited, rsp_waited;

  assign out_waited = live & out_wait_q;
  assign rsp_waited = live & rsp_wait_q;
  always_ff @(posedge clk_i) if (step) begin
    out_wait_q <= up_q & out_valid_i & ~out_ready_o;
    out_data_q <= out_data_i;
    out_bytes_q <= out_bytes_i;
    out_last_q <= out_last_i;
    rsp_wait_q <= up_q & rsp_valid_i & ~rsp_ready_o;
    rsp_ok_q <= rsp_ok_i;
    kept_tag_q <= kept_tag_i;
  end
  assign output_moved_o = out_waited & (~out_valid_i | (out_bytes_i != out_bytes_q)
      | (out_last_i != out_last_q));
  assign response_moved_o = rsp_waited & ~rsp_valid_i;
  assign ok_moved_o = rsp_waited & (rsp_ok_i != rsp_ok_q);
  assign data_moved_o = (out_data_i ^ out_data_q) & {Rate{out_waited}};
  assign tag_moved_o = (kept_tag_i ^ kept_tag_q) & {Tag{rsp_waited}};
endmodule
