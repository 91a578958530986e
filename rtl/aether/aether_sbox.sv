// The S-box of Orthros. [AETHER, table 2] Written by roundworks.hardware.component_verilog; change
// that.
module aether_sbox #(
  parameter int Form = 0
) (
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  if (Form == 0) begin : gen_table
    always_comb begin
      case (data_i)
        4'd0: data_o = 4'd1; 4'd1: data_o = 4'd0; 4'd2: data_o = 4'd2;
        4'd3: data_o = 4'd4; 4'd4: data_o = 4'd3; 4'd5: data_o = 4'd8;
        4'd6: data_o = 4'd6; 4'd7: data_o = 4'd13; 4'd8: data_o = 4'd9;
        4'd9: data_o = 4'd10; 4'd10: data_o = 4'd11; 4'd11: data_o = 4'd14;
        4'd12: data_o = 4'd15; 4'd13: data_o = 4'd12; 4'd14: data_o = 4'd7;
        4'd15: data_o = 4'd5;
        default: data_o = '0;
      endcase
    end
  end else if (Form == 1) begin : gen_dse
    logic [3:0] low;
    logic [3:0] high;
    logic [15:0] hot;
    for (genvar i = 0; i < 4; i++) begin : gen_low_line
      assign low[i] = data_i[1:0] == 2'(i);
    end
    for (genvar i = 0; i < 4; i++) begin : gen_high_line
      assign high[i] = data_i[3:2] == 2'(i);
    end
    for (genvar i = 0; i < 16; i++) begin : gen_hot_line
      assign hot[i] = low[i%4] & high[i/4];
    end
    assign data_o[0] = |(hot & 16'hd591);
    assign data_o[1] = |(hot & 16'h5e54);
    assign data_o[2] = |(hot & 16'hf8c8);
    assign data_o[3] = |(hot & 16'h3fa0);
  end else begin : gen_unknown
    assign data_o = '0;
`ifndef SYNTHESIS
    initial $fatal(1, "aether_sbox: Form: want 0 to 1, got %0d", Form);
`endif
  end
endmodule
