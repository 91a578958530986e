// Between an AEAD core and AXI4-Stream: four streams, and no register but for the tag that a
// decryption is compared with.
//
// A request is one transfer: bit 0 decrypts, bit 1 says that associated data follow, bit 2 that a
// message does; from bit 8 on stand key, nonce and tag, each with byte 0 in its low bits. A block is
// one transfer, its bytes those of TKEEP, without a gap from byte 0 on; TLAST ends a part, associated
// data first. Of a response bit 0 says that all is well, bit 1 that the message was too long for the
// buffer of the core; from bit 8 on stands the tag.
//
// Three rules for the sender of blocks; ROUNDWORKS_ASSERT checks them:
// - Every block of a part is full, but for the one with TLAST, which may be short.
// - The block with TLAST has at least one byte. An empty part has no block; the request says so.
// - TKEEP has no gap.
// A transfer with neither a byte nor TLAST is allowed at any time, and is dropped in its cycle. There
// is no register in which short blocks could be packed together: that is the sender's work.
//
// A request is taken late, when the core has used the key up. Its sender must not wait for that before
// it offers blocks, nor with taking output before the response.
module aead_axis #(
  parameter int Rate = 128,          // bits of a block
  parameter int Tag = 128,
  parameter int Key = 128,
  parameter int Nonce = 128,
  parameter int Bytes = 5            // bits of a count of a block's bytes
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  logic                         s_req_tvalid_i,
  output logic                         s_req_tready_o,
  input  logic [7+Key+Nonce+Tag:0]     s_req_tdata_i,
  input  logic                         s_blk_tvalid_i,
  output logic                         s_blk_tready_o,
  input  logic [Rate-1:0]              s_blk_tdata_i,
  input  logic [Rate/8-1:0]            s_blk_tkeep_i,
  input  logic                         s_blk_tlast_i,
  output logic                         m_out_tvalid_o,
  input  logic                         m_out_tready_i,
  output logic [Rate-1:0]              m_out_tdata_o,
  output logic [Rate/8-1:0]            m_out_tkeep_o,
  output logic                         m_out_tlast_o,
  output logic                         m_rsp_tvalid_o,
  input  logic                         m_rsp_tready_i,
  output logic [7+Tag:0]               m_rsp_tdata_o,

  // The core's.
  output logic                         req_valid_o,
  input  logic                         req_ready_i,
  output logic                         req_decrypt_o,
  output logic                         req_ad_o,
  output logic                         req_msg_o,
  output logic [Key-1:0]               req_key_o,
  output logic [Nonce-1:0]             req_nonce_o,
  output logic                         blk_valid_o,
  input  logic                         blk_ready_i,
  output logic [Rate-1:0]              blk_data_o,
  output logic [Bytes-1:0]             blk_bytes_o,
  output logic                         blk_last_o,
  input  logic                         out_valid_i,
  output logic                         out_ready_o,
  input  logic [Rate-1:0]              out_data_i,
  input  logic [Bytes-1:0]             out_bytes_i,
  input  logic                         out_last_i,
  output logic [Tag-1:0]               tag_o,
  input  logic                         rsp_valid_i,
  output logic                         rsp_ready_o,
  input  logic                         rsp_ok_i,
  input  logic                         rsp_long_i,
  input  logic [Tag-1:0]               rsp_tag_i
);
  assign req_valid_o = s_req_tvalid_i;
  assign s_req_tready_o = req_ready_i;
  assign {req_msg_o, req_ad_o, req_decrypt_o} = s_req_tdata_i[2:0];
  assign req_key_o = s_req_tdata_i[8+:Key];
  assign req_nonce_o = s_req_tdata_i[8+Key+:Nonce];

  // The core compares at its response; the request is gone then.
  logic [Tag-1:0] tag_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) tag_q <= '0;
    else if (req_valid_o && req_ready_i) tag_q <= s_req_tdata_i[8+Key+Nonce+:Tag];
  end
  assign tag_o = tag_q;

  // A transfer without bytes that ends nothing: the core does not see it.
  logic dropped;
  assign dropped = s_blk_tvalid_i & ~s_blk_tlast_i & (s_blk_tkeep_i == '0);
  assign blk_valid_o = s_blk_tvalid_i & ~dropped;
  assign s_blk_tready_o = blk_ready_i | dropped;
  assign blk_data_o = s_blk_tdata_i;
  assign blk_last_o = s_blk_tlast_i;
  // Two blocks: in one, a simulator sees a loop through a core whose output follows its input.
  always_comb begin
    blk_bytes_o = '0;
    for (int i = 0; i < Rate / 8; i++) blk_bytes_o += Bytes'(s_blk_tkeep_i[i]);
  end
  always_comb for (int i = 0; i < Rate / 8; i++) m_out_tkeep_o[i] = Bytes'(i) < out_bytes_i;

  assign m_out_tvalid_o = out_valid_i;
  assign out_ready_o = m_out_tready_i;
  assign m_out_tdata_o = out_data_i;
  assign m_out_tlast_o = out_last_i;

  assign m_rsp_tvalid_o = rsp_valid_i;
  assign rsp_ready_o = m_rsp_tready_i;
  assign m_rsp_tdata_o = {rsp_tag_i, 6'd0, rsp_long_i, rsp_ok_i};

  logic unused;
  assign unused = ^s_req_tdata_i[7:3];

`ifdef ROUNDWORKS_ASSERT
  // Otherwise the core would take a block for another one, and no output would show it.
  Full_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (blk_valid_o && !s_blk_tlast_i) |-> (s_blk_tkeep_i == '1));
  Bytes_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (blk_valid_o && s_blk_tlast_i) |-> (s_blk_tkeep_i != '0));
  // Plus one, the bytes that count are a power of two, or overflow.
  Gap_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      blk_valid_o |-> ((s_blk_tkeep_i & (s_blk_tkeep_i + 1'b1)) == '0));
`endif
endmodule
