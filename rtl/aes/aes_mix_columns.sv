// MixColumns on Columns columns. Combinational.
module aes_mix_columns #(
  parameter int Columns = 4,
  parameter int Mix = aes_pkg::MixPlain
) (
  input  logic [32*Columns-1:0] data_i,
  output logic [32*Columns-1:0] data_o
);
  for (genvar c = 0; c < Columns; c++) begin : gen_column
    aes_mix_column #(.Mix(Mix)) u_mix (.data_i(data_i[32*c+:32]), .data_o(data_o[32*c+:32]));
  end
endmodule
