// MixColumns on one column, by the circuit that Mix names; byte 0 is its top. Combinational.
// [FIPS197, section 5.1.3]
module aes_mix_column #(
  parameter int Mix = aes_pkg::MixPlain
) (
  input  logic [31:0] data_i,
  output logic [31:0] data_o
);
  if (Mix == aes_pkg::MixPlain) begin : gen_plain
    logic [7:0] whole;
    assign whole = data_i[7:0] ^ data_i[15:8] ^ data_i[23:16] ^ data_i[31:24];
    for (genvar r = 0; r < 4; r++) begin : gen_row
      // 2 a_r + 3 a_(r+1) + a_(r+2) + a_(r+3) = a_r + 2 (a_r + a_(r+1)) + the sum of all.
      assign data_o[8*r+:8] = data_i[8*r+:8] ^ whole
          ^ aes_pkg::xtime(data_i[8*r+:8] ^ data_i[8*((r+1)%4)+:8]);
    end
  end else if (Mix == aes_pkg::MixMaximov) begin : gen_maximov
    aes_mix_column_92 u_mix (.data_i, .data_o);
  end else begin : gen_unknown
    assign data_o = '0;
`ifndef SYNTHESIS
    initial $fatal(1, "aes_mix_column: Mix: want 0 or 1, got %0d; see aes_pkg::mix_e", Mix);
`endif
  end
endmodule
