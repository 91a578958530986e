// Boyar and Peralta, 115 gates as published: 32 AND, 4 XNOR, 79 XOR; depth 28. [BOYAR-MATTHEWS-
// PERALTA] [NIST-CIRCUITS] Written by roundworks.hardware.generate.netlists from spec/netlists/aes-
// sbox-boyar-peralta-115.toml; change that.
module aes_sbox_boyar_peralta_115 (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  logic t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16, t17, t18, t19, t20,
      t21, t22, t23, t24, t25, t26, t27, t28, t29, t30, t31, t32, t33, t34, t35, t36, t37, t38, t39,
      t40, t41, t42, t43, t44, t45, t46, t47, t48, t49, t50, t51, t52, t53, t54, t55, t56, t57, t58,
      t59, t60, t61, t62, t63, t64, t65, t66, t67, t68, t69, t70, t71, t72, t73, t74, t75, t76, t77,
      t78, t79, t80, t81, t82, t83, t84, t85, t86, t87, t88, t89, t90, t91, t92, t93, t94, t95, t96,
      t97, t98, t99, t100, t101, t102, t103, t104, t105, t106, S0, S6, S7, t107, S3, S4, S5, S1, S2;

  assign t1 = data_i[4] ^ data_i[2];
  assign t2 = data_i[7] ^ data_i[1];
  assign t3 = data_i[7] ^ data_i[4];
  assign t4 = data_i[7] ^ data_i[2];
  assign t5 = data_i[6] ^ data_i[5];
  assign t6 = t5 ^ data_i[0];
  assign t7 = t6 ^ data_i[4];
  assign t8 = t2 ^ t1;
  assign t9 = t6 ^ data_i[7];
  assign t10 = t6 ^ data_i[1];
  assign t11 = t10 ^ t4;
  assign t12 = data_i[3] ^ t8;
  assign t13 = t12 ^ data_i[2];
  assign t14 = t12 ^ data_i[6];
  assign t15 = t13 ^ data_i[0];
  assign t16 = t13 ^ t5;
  assign t17 = t14 ^ t3;
  assign t18 = data_i[0] ^ t17;
  assign t19 = t16 ^ t17;
  assign t20 = t16 ^ t4;
  assign t21 = t5 ^ t17;
  assign t22 = t2 ^ t21;
  assign t23 = data_i[7] ^ t21;
  assign t24 = t8 & t13;
  assign t25 = t11 & t15;
  assign t26 = t25 ^ t24;
  assign t27 = t7 & data_i[0];
  assign t28 = t27 ^ t24;
  assign t29 = t2 & t21;
  assign t30 = t10 & t6;
  assign t31 = t30 ^ t29;
  assign t32 = t9 & t18;
  assign t33 = t32 ^ t29;
  assign t34 = t3 & t17;
  assign t35 = t1 & t19;
  assign t36 = t35 ^ t34;
  assign t37 = t4 & t16;
  assign t38 = t37 ^ t34;
  assign t39 = t26 ^ t36;
  assign t40 = t28 ^ t38;
  assign t41 = t31 ^ t36;
  assign t42 = t33 ^ t38;
  assign t43 = t39 ^ t14;
  assign t44 = t40 ^ t20;
  assign t45 = t41 ^ t22;
  assign t46 = t42 ^ t23;
  assign t47 = t43 ^ t44;
  assign t48 = t43 & t45;
  assign t49 = t46 ^ t48;
  assign t50 = t47 & t49;
  assign t51 = t50 ^ t44;
  assign t52 = t45 ^ t46;
  assign t53 = t44 ^ t48;
  assign t54 = t53 & t52;
  assign t55 = t54 ^ t46;
  assign t56 = t45 ^ t55;
  assign t57 = t49 ^ t55;
  assign t58 = t46 & t57;
  assign t59 = t58 ^ t56;
  assign t60 = t49 ^ t58;
  assign t61 = t51 & t60;
  assign t62 = t47 ^ t61;
  assign t63 = t62 ^ t59;
  assign t64 = t51 ^ t55;
  assign t65 = t51 ^ t62;
  assign t66 = t55 ^ t59;
  assign t67 = t64 ^ t63;
  assign t68 = t66 & t13;
  assign t69 = t59 & t15;
  assign t70 = t55 & data_i[0];
  assign t71 = t65 & t21;
  assign t72 = t62 & t6;
  assign t73 = t51 & t18;
  assign t74 = t64 & t17;
  assign t75 = t67 & t19;
  assign t76 = t63 & t16;
  assign t77 = t66 & t8;
  assign t78 = t59 & t11;
  assign t79 = t55 & t7;
  assign t80 = t65 & t2;
  assign t81 = t62 & t10;
  assign t82 = t51 & t9;
  assign t83 = t64 & t3;
  assign t84 = t67 & t1;
  assign t85 = t63 & t4;
  assign t86 = t83 ^ t84;
  assign t87 = t78 ^ t79;
  assign t88 = t73 ^ t81;
  assign t89 = t77 ^ t78;
  assign t90 = t70 ^ t80;
  assign t91 = t70 ^ t73;
  assign t92 = t75 ^ t76;
  assign t93 = t68 ^ t71;
  assign t94 = t74 ^ t75;
  assign t95 = t84 ^ t85;
  assign t96 = t80 ^ t88;
  assign t97 = t90 ^ t93;
  assign t98 = t72 ^ t86;
  assign t99 = t71 ^ t94;
  assign t100 = t86 ^ t97;
  assign t101 = t82 ^ t97;
  assign t102 = t92 ^ t98;
  assign t103 = t89 ^ t98;
  assign t104 = t72 ^ t99;
  assign t105 = t101 ^ t102;
  assign t106 = t69 ^ t103;
  assign S0 = t99 ^ t103;
  assign S6 = ~(t96 ^ t102);
  assign S7 = ~(t88 ^ t100);
  assign t107 = t104 ^ t105;
  assign S3 = t93 ^ t106;
  assign S4 = t91 ^ t106;
  assign S5 = t87 ^ t105;
  assign S1 = ~(t104 ^ S3);
  assign S2 = ~(t95 ^ t107);

  assign data_o[0] = S7;
  assign data_o[1] = S6;
  assign data_o[2] = S5;
  assign data_o[3] = S4;
  assign data_o[4] = S3;
  assign data_o[5] = S2;
  assign data_o[6] = S1;
  assign data_o[7] = S0;
endmodule
