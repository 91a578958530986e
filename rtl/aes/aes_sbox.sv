// SubBytes on one byte, by the circuit that Sbox names. Combinational. [FIPS197, section 5.1.1]
module aes_sbox #(
  parameter int Sbox = aes_pkg::SboxLut
) (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  if (Sbox == aes_pkg::SboxLut || Sbox == aes_pkg::SboxTTable) begin : gen_lut
    aes_sbox_lut u_sbox (.data_i, .data_o);
  end else if (Sbox == aes_pkg::SboxBoyarPeralta) begin : gen_boyar_peralta
    aes_sbox_boyar_peralta u_sbox (.data_i, .data_o);
  end else if (Sbox == aes_pkg::SboxMaximovEkdahlFast) begin : gen_maximov_ekdahl_fast
    aes_sbox_maximov_ekdahl_fast u_sbox (.data_i, .data_o);
  end else if (Sbox == aes_pkg::SboxMaximovEkdahlTradeoff) begin : gen_maximov_ekdahl_tradeoff
    aes_sbox_maximov_ekdahl_tradeoff u_sbox (.data_i, .data_o);
  end else if (Sbox == aes_pkg::SboxMaximovEkdahlBonus) begin : gen_maximov_ekdahl_bonus
    aes_sbox_maximov_ekdahl_bonus u_sbox (.data_i, .data_o);
  end else if (Sbox == aes_pkg::SboxReyhaniMasoleh) begin : gen_reyhani_masoleh
    aes_sbox_reyhani_masoleh u_sbox (.data_i, .data_o);
  end else if (Sbox == aes_pkg::SboxCanright) begin : gen_canright
    aes_sbox_canright u_sbox (.data_i, .data_o);
  end else if (Sbox == aes_pkg::SboxDse) begin : gen_dse
    aes_sbox_dse u_sbox (.data_i, .data_o);
  end else if (Sbox == aes_pkg::SboxBoyarPeralta115) begin : gen_boyar_peralta_115
    aes_sbox_boyar_peralta_115 u_sbox (.data_i, .data_o);
  end else if (Sbox == aes_pkg::SboxBoyarPeraltaDepth16) begin : gen_boyar_peralta_depth16
    aes_sbox_boyar_peralta_depth16 u_sbox (.data_i, .data_o);
  end else begin : gen_unknown
    assign data_o = '0;
`ifndef SYNTHESIS
    initial $fatal(1, "aes_sbox: Sbox: want 0 to 10, got %0d; see aes_pkg::sbox_e", Sbox);
`endif
  end
endmodule
