// Some function of a word, for models of the control: it may be any, but while what the word is made of stays it gives
// the same. So a tag that waits can stay. `hardware/formal/stays.py` puts in its inside.
module kept_function #(
  parameter int Width = 128
) (
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);
endmodule
