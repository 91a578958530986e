// Some function of a word: it may be any, but of the same word, a cycle later, it gives the same. Cells of Yosys,
// which its `techmap` puts in place.
module kept_function (input [127:0] data_i, output [127:0] data_o);
  wire [127:0] any, last, kept;
  \$anyseq #(.WIDTH(128)) u_any (.Y(any));
  \$ff #(.WIDTH(128)) u_last (.D(data_i), .Q(last));
  \$ff #(.WIDTH(128)) u_kept (.D(data_o), .Q(kept));
  assign data_o = data_i == last ? kept : any;
endmodule
