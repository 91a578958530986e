// python/tests/hardware/rtl/tiny.sv (Kind 0, Depth 1) synthesised by Yosys 0.70 to Debian's osu018.

module tiny(clk_i, rst_ni, req_valid_i, req_ready_o, req_data_i, req_key_i, rsp_valid_o, rsp_ready_i, rsp_data_o);
  input clk_i;
  wire clk_i;
  input rst_ni;
  wire rst_ni;
  input req_valid_i;
  wire req_valid_i;
  output req_ready_o;
  wire req_ready_o;
  input [7:0] req_data_i;
  wire [7:0] req_data_i;
  input [7:0] req_key_i;
  wire [7:0] req_key_i;
  output rsp_valid_o;
  wire rsp_valid_o;
  input rsp_ready_i;
  wire rsp_ready_i;
  output [7:0] rsp_data_o;
  wire [7:0] rsp_data_o;
  wire _00_;
  wire _01_;
  wire _02_;
  wire _03_;
  wire _04_;
  wire _05_;
  wire _06_;
  wire _07_;
  wire _08_;
  wire _09_;
  wire _10_;
  wire _11_;
  wire _12_;
  wire _13_;
  wire _14_;
  wire _15_;
  wire _16_;
  wire _17_;
  wire _18_;
  wire _19_;
  wire _20_;
  wire _21_;
  wire _22_;
  wire _23_;
  wire _24_;
  wire _25_;
  wire _26_;
  INVX1 _27_ (
    .A(rsp_data_o[5]),
    .Y(_09_)
  );
  INVX1 _28_ (
    .A(rsp_data_o[7]),
    .Y(_10_)
  );
  INVX1 _29_ (
    .A(_18_),
    .Y(req_ready_o)
  );
  XNOR2X1 _30_ (
    .A(req_data_i[5]),
    .B(req_key_i[5]),
    .Y(_19_)
  );
  MUX2X1 _31_ (
    .A(_09_),
    .B(_19_),
    .S(_18_),
    .Y(_07_)
  );
  XNOR2X1 _32_ (
    .A(req_data_i[7]),
    .B(req_key_i[7]),
    .Y(_20_)
  );
  MUX2X1 _33_ (
    .A(_10_),
    .B(_20_),
    .S(_18_),
    .Y(_06_)
  );
  XNOR2X1 _34_ (
    .A(req_data_i[6]),
    .B(req_key_i[6]),
    .Y(_21_)
  );
  MUX2X1 _35_ (
    .A(_11_),
    .B(_21_),
    .S(_18_),
    .Y(_05_)
  );
  XNOR2X1 _36_ (
    .A(req_data_i[4]),
    .B(req_key_i[4]),
    .Y(_22_)
  );
  MUX2X1 _37_ (
    .A(_12_),
    .B(_22_),
    .S(_18_),
    .Y(_04_)
  );
  OR2X1 _38_ (
    .A(req_valid_i),
    .B(_18_),
    .Y(_03_)
  );
  INVX1 _39_ (
    .A(rsp_data_o[6]),
    .Y(_11_)
  );
  XNOR2X1 _40_ (
    .A(req_data_i[0]),
    .B(req_key_i[0]),
    .Y(_23_)
  );
  MUX2X1 _41_ (
    .A(_14_),
    .B(_23_),
    .S(_18_),
    .Y(_02_)
  );
  XNOR2X1 _42_ (
    .A(req_data_i[1]),
    .B(req_key_i[1]),
    .Y(_24_)
  );
  MUX2X1 _43_ (
    .A(_15_),
    .B(_24_),
    .S(_18_),
    .Y(_01_)
  );
  XNOR2X1 _44_ (
    .A(req_data_i[2]),
    .B(req_key_i[2]),
    .Y(_25_)
  );
  MUX2X1 _45_ (
    .A(_16_),
    .B(_25_),
    .S(_18_),
    .Y(_00_)
  );
  XNOR2X1 _46_ (
    .A(req_data_i[3]),
    .B(req_key_i[3]),
    .Y(_26_)
  );
  MUX2X1 _47_ (
    .A(_17_),
    .B(_26_),
    .S(_18_),
    .Y(_08_)
  );
  INVX1 _48_ (
    .A(rsp_data_o[4]),
    .Y(_12_)
  );
  INVX1 _49_ (
    .A(rsp_valid_o),
    .Y(_13_)
  );
  INVX1 _50_ (
    .A(rsp_data_o[0]),
    .Y(_14_)
  );
  INVX1 _51_ (
    .A(rsp_data_o[1]),
    .Y(_15_)
  );
  INVX1 _52_ (
    .A(rsp_data_o[2]),
    .Y(_16_)
  );
  INVX1 _53_ (
    .A(rsp_data_o[3]),
    .Y(_17_)
  );
  NOR2X1 _54_ (
    .A(_13_),
    .B(rsp_ready_i),
    .Y(_18_)
  );
  DFFSR _55_ (
    .CLK(clk_i),
    .D(_02_),
    .Q(rsp_data_o[0]),
    .R(rst_ni),
    .S(1'b1)
  );
  DFFSR _56_ (
    .CLK(clk_i),
    .D(_01_),
    .Q(rsp_data_o[1]),
    .R(rst_ni),
    .S(1'b1)
  );
  DFFSR _57_ (
    .CLK(clk_i),
    .D(_00_),
    .Q(rsp_data_o[2]),
    .R(rst_ni),
    .S(1'b1)
  );
  DFFSR _58_ (
    .CLK(clk_i),
    .D(_08_),
    .Q(rsp_data_o[3]),
    .R(rst_ni),
    .S(1'b1)
  );
  DFFSR _59_ (
    .CLK(clk_i),
    .D(_04_),
    .Q(rsp_data_o[4]),
    .R(rst_ni),
    .S(1'b1)
  );
  DFFSR _60_ (
    .CLK(clk_i),
    .D(_07_),
    .Q(rsp_data_o[5]),
    .R(rst_ni),
    .S(1'b1)
  );
  DFFSR _61_ (
    .CLK(clk_i),
    .D(_05_),
    .Q(rsp_data_o[6]),
    .R(rst_ni),
    .S(1'b1)
  );
  DFFSR _62_ (
    .CLK(clk_i),
    .D(_06_),
    .Q(rsp_data_o[7]),
    .R(rst_ni),
    .S(1'b1)
  );
  DFFSR _63_ (
    .CLK(clk_i),
    .D(_03_),
    .Q(rsp_valid_o),
    .R(rst_ni),
    .S(1'b1)
  );
endmodule
