// M_b on 16 nibbles: nibble i is bits [4*i+3:4*i]. [AETHER, section 2] Written by
// roundworks.hardware.component_verilog; change that.
module aether_matrix #(
  parameter int Form = 0
) (
  input  logic [63:0] data_i,
  output logic [63:0] data_o
);
  logic [3:0] x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15;
  assign x0 = data_i[3:0];
  assign x1 = data_i[7:4];
  assign x2 = data_i[11:8];
  assign x3 = data_i[15:12];
  assign x4 = data_i[19:16];
  assign x5 = data_i[23:20];
  assign x6 = data_i[27:24];
  assign x7 = data_i[31:28];
  assign x8 = data_i[35:32];
  assign x9 = data_i[39:36];
  assign x10 = data_i[43:40];
  assign x11 = data_i[47:44];
  assign x12 = data_i[51:48];
  assign x13 = data_i[55:52];
  assign x14 = data_i[59:56];
  assign x15 = data_i[63:60];
  if (Form == 0) begin : gen_plain
    assign data_o[3:0] = (x0 ^ (x4 ^ x8)) ^ ((x12 ^ x13) ^ (x14 ^ x15));
    assign data_o[7:4] = (x1 ^ (x5 ^ x9)) ^ ((x12 ^ x13) ^ (x14 ^ x15));
    assign data_o[11:8] = (x2 ^ (x6 ^ x10)) ^ ((x12 ^ x13) ^ (x14 ^ x15));
    assign data_o[15:12] = (x3 ^ (x7 ^ x11)) ^ ((x12 ^ x13) ^ (x14 ^ x15));
    assign data_o[19:16] = (x0 ^ (x4 ^ x8)) ^ ((x9 ^ x10) ^ (x11 ^ x12));
    assign data_o[23:20] = (x1 ^ (x5 ^ x8)) ^ ((x9 ^ x10) ^ (x11 ^ x13));
    assign data_o[27:24] = (x2 ^ (x6 ^ x8)) ^ ((x9 ^ x10) ^ (x11 ^ x14));
    assign data_o[31:28] = (x3 ^ (x7 ^ x8)) ^ ((x9 ^ x10) ^ (x11 ^ x15));
    assign data_o[35:32] = (x0 ^ (x4 ^ x5)) ^ ((x6 ^ x7) ^ (x8 ^ x12));
    assign data_o[39:36] = (x1 ^ (x4 ^ x5)) ^ ((x6 ^ x7) ^ (x9 ^ x13));
    assign data_o[43:40] = (x2 ^ (x4 ^ x5)) ^ ((x6 ^ x7) ^ (x10 ^ x14));
    assign data_o[47:44] = (x3 ^ (x4 ^ x5)) ^ ((x6 ^ x7) ^ (x11 ^ x15));
    assign data_o[51:48] = (x0 ^ (x1 ^ x2)) ^ ((x3 ^ x4) ^ (x8 ^ x12));
    assign data_o[55:52] = (x0 ^ (x1 ^ x2)) ^ ((x3 ^ x5) ^ (x9 ^ x13));
    assign data_o[59:56] = (x0 ^ (x1 ^ x2)) ^ ((x3 ^ x6) ^ (x10 ^ x14));
    assign data_o[63:60] = (x0 ^ (x1 ^ x2)) ^ ((x3 ^ x7) ^ (x11 ^ x15));
  end else if (Form == 1) begin : gen_shared
    logic [3:0] t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16, t17, t18,
        t19, t20, t21, t22, t23, t24, t25, t26, t27, t28, t29, t30, t31, t32, t33, t34, t35, t36,
        t37, t38, t39, t40, t41, t42, t43, t44, t45, t46, t47, t48, t49, t50, t51;
    assign t0 = x0 ^ x1;
    assign t1 = x2 ^ x3;
    assign t2 = x4 ^ x5;
    assign t3 = x6 ^ x7;
    assign t4 = x8 ^ x9;
    assign t5 = x10 ^ x11;
    assign t6 = x12 ^ x13;
    assign t7 = x14 ^ x15;
    assign t8 = t0 ^ t1;
    assign t9 = t2 ^ t3;
    assign t10 = t4 ^ t5;
    assign t11 = t6 ^ t7;
    assign t12 = x0 ^ x4;
    assign t13 = x1 ^ x5;
    assign t14 = x2 ^ x6;
    assign t15 = x3 ^ x7;
    assign t16 = x8 ^ x12;
    assign t17 = x9 ^ x13;
    assign t18 = x10 ^ x14;
    assign t19 = x11 ^ x15;
    assign t20 = x0 ^ t9;
    assign t21 = x1 ^ t9;
    assign t22 = x2 ^ t9;
    assign t23 = x3 ^ t9;
    assign t24 = x4 ^ t8;
    assign t25 = x5 ^ t8;
    assign t26 = x6 ^ t8;
    assign t27 = x7 ^ t8;
    assign t28 = x8 ^ t11;
    assign t29 = x9 ^ t11;
    assign t30 = x10 ^ t11;
    assign t31 = x11 ^ t11;
    assign t32 = x12 ^ t10;
    assign t33 = x13 ^ t10;
    assign t34 = x14 ^ t10;
    assign t35 = x15 ^ t10;
    assign t36 = t12 ^ t28;
    assign t37 = t12 ^ t32;
    assign t38 = t13 ^ t29;
    assign t39 = t13 ^ t33;
    assign t40 = t14 ^ t30;
    assign t41 = t14 ^ t34;
    assign t42 = t15 ^ t31;
    assign t43 = t15 ^ t35;
    assign t44 = t16 ^ t20;
    assign t45 = t16 ^ t24;
    assign t46 = t17 ^ t21;
    assign t47 = t17 ^ t25;
    assign t48 = t18 ^ t22;
    assign t49 = t18 ^ t26;
    assign t50 = t19 ^ t23;
    assign t51 = t19 ^ t27;
    assign data_o[3:0] = t36;
    assign data_o[7:4] = t38;
    assign data_o[11:8] = t40;
    assign data_o[15:12] = t42;
    assign data_o[19:16] = t37;
    assign data_o[23:20] = t39;
    assign data_o[27:24] = t41;
    assign data_o[31:28] = t43;
    assign data_o[35:32] = t44;
    assign data_o[39:36] = t46;
    assign data_o[43:40] = t48;
    assign data_o[47:44] = t50;
    assign data_o[51:48] = t45;
    assign data_o[55:52] = t47;
    assign data_o[59:56] = t49;
    assign data_o[63:60] = t51;
  end else begin : gen_unknown
    assign data_o = '0;
`ifndef SYNTHESIS
    initial $fatal(1, "aether_matrix: Form: want 0 to 1, got %0d", Form);
`endif
  end
endmodule
