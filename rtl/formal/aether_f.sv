// What `aether_f` is to a model of the control.
module aether_f #(
  parameter int Sbox = aether_pkg::SboxTable,
  parameter int Mix = aether_pkg::MixPlain
) (
  input  logic [127:0] data_i,
  output logic [127:0] data_o
);
  kept_function u_any (.data_i, .data_o);
endmodule
