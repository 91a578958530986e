// M_b on 16 nibbles: nibble i is bits [4*i+3:4*i]. [AETHER, section 2] Written by
// roundworks.hardware.component_verilog; change that.
module aether_matrix #(
  parameter int Form = 0
) (
  input  logic [63:0] data_i,
  output logic [63:0] data_o
);
  if (Form == 0) begin : gen_plain
    assign data_o[3:0] = (data_i[3:0] ^ (data_i[19:16] ^ data_i[35:32])) ^ ((data_i[51:48] ^
        data_i[55:52]) ^ (data_i[59:56] ^ data_i[63:60]));
    assign data_o[7:4] = (data_i[7:4] ^ (data_i[23:20] ^ data_i[39:36])) ^ ((data_i[51:48] ^
        data_i[55:52]) ^ (data_i[59:56] ^ data_i[63:60]));
    assign data_o[11:8] = (data_i[11:8] ^ (data_i[27:24] ^ data_i[43:40])) ^ ((data_i[51:48] ^
        data_i[55:52]) ^ (data_i[59:56] ^ data_i[63:60]));
    assign data_o[15:12] = (data_i[15:12] ^ (data_i[31:28] ^ data_i[47:44])) ^ ((data_i[51:48] ^
        data_i[55:52]) ^ (data_i[59:56] ^ data_i[63:60]));
    assign data_o[19:16] = (data_i[3:0] ^ (data_i[19:16] ^ data_i[35:32])) ^ ((data_i[39:36] ^
        data_i[43:40]) ^ (data_i[47:44] ^ data_i[51:48]));
    assign data_o[23:20] = (data_i[7:4] ^ (data_i[23:20] ^ data_i[35:32])) ^ ((data_i[39:36] ^
        data_i[43:40]) ^ (data_i[47:44] ^ data_i[55:52]));
    assign data_o[27:24] = (data_i[11:8] ^ (data_i[27:24] ^ data_i[35:32])) ^ ((data_i[39:36] ^
        data_i[43:40]) ^ (data_i[47:44] ^ data_i[59:56]));
    assign data_o[31:28] = (data_i[15:12] ^ (data_i[31:28] ^ data_i[35:32])) ^ ((data_i[39:36] ^
        data_i[43:40]) ^ (data_i[47:44] ^ data_i[63:60]));
    assign data_o[35:32] = (data_i[3:0] ^ (data_i[19:16] ^ data_i[23:20])) ^ ((data_i[27:24] ^
        data_i[31:28]) ^ (data_i[35:32] ^ data_i[51:48]));
    assign data_o[39:36] = (data_i[7:4] ^ (data_i[19:16] ^ data_i[23:20])) ^ ((data_i[27:24] ^
        data_i[31:28]) ^ (data_i[39:36] ^ data_i[55:52]));
    assign data_o[43:40] = (data_i[11:8] ^ (data_i[19:16] ^ data_i[23:20])) ^ ((data_i[27:24] ^
        data_i[31:28]) ^ (data_i[43:40] ^ data_i[59:56]));
    assign data_o[47:44] = (data_i[15:12] ^ (data_i[19:16] ^ data_i[23:20])) ^ ((data_i[27:24] ^
        data_i[31:28]) ^ (data_i[47:44] ^ data_i[63:60]));
    assign data_o[51:48] = (data_i[3:0] ^ (data_i[7:4] ^ data_i[11:8])) ^ ((data_i[15:12] ^
        data_i[19:16]) ^ (data_i[35:32] ^ data_i[51:48]));
    assign data_o[55:52] = (data_i[3:0] ^ (data_i[7:4] ^ data_i[11:8])) ^ ((data_i[15:12] ^
        data_i[23:20]) ^ (data_i[39:36] ^ data_i[55:52]));
    assign data_o[59:56] = (data_i[3:0] ^ (data_i[7:4] ^ data_i[11:8])) ^ ((data_i[15:12] ^
        data_i[27:24]) ^ (data_i[43:40] ^ data_i[59:56]));
    assign data_o[63:60] = (data_i[3:0] ^ (data_i[7:4] ^ data_i[11:8])) ^ ((data_i[15:12] ^
        data_i[31:28]) ^ (data_i[47:44] ^ data_i[63:60]));
  end else if (Form == 1) begin : gen_shared
    logic [3:0] t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16, t17, t18,
        t19, t20, t21, t22, t23, t24, t25, t26, t27, t28, t29, t30, t31, t32, t33, t34, t35, t36,
        t37, t38, t39, t40, t41, t42, t43, t44, t45, t46, t47, t48, t49, t50, t51;
    assign t0 = data_i[3:0] ^ data_i[7:4];
    assign t1 = data_i[11:8] ^ data_i[15:12];
    assign t2 = data_i[19:16] ^ data_i[23:20];
    assign t3 = data_i[27:24] ^ data_i[31:28];
    assign t4 = data_i[35:32] ^ data_i[39:36];
    assign t5 = data_i[43:40] ^ data_i[47:44];
    assign t6 = data_i[51:48] ^ data_i[55:52];
    assign t7 = data_i[59:56] ^ data_i[63:60];
    assign t8 = t0 ^ t1;
    assign t9 = t2 ^ t3;
    assign t10 = t4 ^ t5;
    assign t11 = t6 ^ t7;
    assign t12 = data_i[3:0] ^ data_i[19:16];
    assign t13 = data_i[7:4] ^ data_i[23:20];
    assign t14 = data_i[11:8] ^ data_i[27:24];
    assign t15 = data_i[15:12] ^ data_i[31:28];
    assign t16 = data_i[35:32] ^ data_i[51:48];
    assign t17 = data_i[39:36] ^ data_i[55:52];
    assign t18 = data_i[43:40] ^ data_i[59:56];
    assign t19 = data_i[47:44] ^ data_i[63:60];
    assign t20 = data_i[3:0] ^ t9;
    assign t21 = data_i[7:4] ^ t9;
    assign t22 = data_i[11:8] ^ t9;
    assign t23 = data_i[15:12] ^ t9;
    assign t24 = data_i[19:16] ^ t8;
    assign t25 = data_i[23:20] ^ t8;
    assign t26 = data_i[27:24] ^ t8;
    assign t27 = data_i[31:28] ^ t8;
    assign t28 = data_i[35:32] ^ t11;
    assign t29 = data_i[39:36] ^ t11;
    assign t30 = data_i[43:40] ^ t11;
    assign t31 = data_i[47:44] ^ t11;
    assign t32 = data_i[51:48] ^ t10;
    assign t33 = data_i[55:52] ^ t10;
    assign t34 = data_i[59:56] ^ t10;
    assign t35 = data_i[63:60] ^ t10;
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
