// SubBytes and MixColumns on bytes that ShiftRows has moved already: a T table for each byte, and
// the sum of four. Software does AES so; the sums are all that is left of MixColumns.
// Combinational. [FIPS197, section 5.1]
module aes_t_columns #(
  parameter int Columns = 4
) (
  input  logic [32*Columns-1:0] data_i,
  output logic [32*Columns-1:0] data_o
);
  for (genvar c = 0; c < Columns; c++) begin : gen_column
    logic [3:0][2:0][7:0] times;  // of row r: once, twice and three times its S-box
    for (genvar r = 0; r < 4; r++) begin : gen_row
      aes_t_table u_table (.data_i(data_i[32*c+8*r+:8]), .data_o(times[r]));
      assign data_o[32*c+8*r+:8] = (times[r][1] ^ times[(r+1)%4][2])
          ^ (times[(r+2)%4][0] ^ times[(r+3)%4][0]);
    end
  end
endmodule
