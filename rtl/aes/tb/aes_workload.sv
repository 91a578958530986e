// A core under the load of [AES-HW, table 3]: Blocks counter blocks, one key, nothing waits. Prints
// the cycles of all, those of the repeated rounds, and the XOR of all ciphertexts. Simulation only;
// wants Verilator with --binary.
module aes_workload #(
  parameter int Blocks = 150000
);
  logic clk, rst_n, req_valid, req_ready, rsp_valid;
  logic [127:0] key, block, digest;
  int sent, taken, cycles, repeated;
  bit running;

  aes_stepped u_core (
    .clk_i(clk), .rst_ni(rst_n),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_decrypt_i(1'b0), .req_key_i(key),
    .req_block_i({96'h0, sent}), .rsp_valid_o(rsp_valid), .rsp_ready_i(1'b1), .rsp_block_o(block)
  );

  // The key 00 01 .. 0f.
  for (genvar i = 0; i < 16; i++) begin : gen_key
    assign key[8*i+:8] = i;
  end
  assign req_valid = rst_n && sent < Blocks;

  initial begin : p_clock
    clk = 1'b0;
    rst_n = 1'b0;
    #20 rst_n = 1'b1;
  end
  always #5 clk = !clk;

  always_ff @(posedge clk) begin : p_count
    if (!rst_n) begin
      sent <= 0;
      taken <= 0;
      cycles <= 0;
      repeated <= 0;
      digest <= '0;
      running <= 1'b0;
    end else begin
      if (req_valid && req_ready) sent <= sent + 1;
      // From the edge after the first request to the last response.
      running <= running || (req_valid && req_ready);
      if (running) cycles <= cycles + 1;
      if (u_core.fsm_q == u_core.Repeat) repeated <= repeated + 1;
      if (rsp_valid) begin
        taken <= taken + 1;
        digest <= digest ^ block;
        if (taken == Blocks - 1) begin
          $display("workload blocks=%0d cycles=%0d repeated=%0d digest=%032x", Blocks, cycles + 1,
                   repeated, digest ^ block);
          $finish;
        end
      end
    end
  end
endmodule
