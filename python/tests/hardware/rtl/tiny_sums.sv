// Sums with negations inside. Combinational.
module tiny_sums (
  input  logic [7:0] data_i,
  output logic [1:0] data_o
);

  assign data_o[0] = ~(data_i[4] ^ (data_i[5] & data_i[6])) ^ ~data_i[7];
  assign data_o[1] = ~(data_i[0] ^ (data_i[1] & data_i[2])) ^ ~data_i[3];

endmodule
