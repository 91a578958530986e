// Boyar and Peralta, depth 16: 34 AND, 4 XNOR, 90 XOR; depth 16. [BOYAR-PERALTA] [NIST-CIRCUITS]
// Written by roundworks.hardware.generate.netlists from spec/netlists/aes-sbox-boyar-peralta-
// depth16.toml; change that.
module aes_sbox_boyar_peralta_depth16 (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  logic t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16, t17, t18, t19, t20,
      t21, t22, t23, t24, t25, t26, t27, t28, t29, t30, t31, t32, t33, t34, t35, t36, t37, t38, t39,
      t40, t41, t42, t43, t44, t45, t46, t47, t48, t49, t50, t51, t52, t53, t54, t55, t56, t57, t58,
      t59, t60, t61, t62, t63, t64, t65, t66, t67, t68, t69, t70, t71, t72, t73, t74, t75, t76, t77,
      t78, t79, t80, t81, t82, t83, t84, t85, t86, t87, t88, t89, t90, t91, t92, t93, t94, t95, t96,
      t97, t98, t99, t100, t101, t102, t103, t104, t105, t106, t107, t108, t109, t110, t111, t112,
      t113, t114, t115, t116, t117, t118, t119, t120, S0, S1, S2, S3, S4, S5, S6, S7;

  assign t1 = data_i[7] ^ data_i[4];
  assign t2 = data_i[7] ^ data_i[2];
  assign t3 = data_i[7] ^ data_i[1];
  assign t4 = data_i[4] ^ data_i[2];
  assign t5 = data_i[3] ^ data_i[1];
  assign t6 = t1 ^ t5;
  assign t7 = data_i[6] ^ data_i[5];
  assign t8 = data_i[0] ^ t6;
  assign t9 = data_i[0] ^ t7;
  assign t10 = t6 ^ t7;
  assign t11 = data_i[6] ^ data_i[2];
  assign t12 = data_i[5] ^ data_i[2];
  assign t13 = t3 ^ t4;
  assign t14 = t6 ^ t11;
  assign t15 = t5 ^ t11;
  assign t16 = t5 ^ t12;
  assign t17 = t9 ^ t16;
  assign t18 = data_i[4] ^ data_i[0];
  assign t19 = t7 ^ t18;
  assign t20 = t1 ^ t19;
  assign t21 = data_i[1] ^ data_i[0];
  assign t22 = t7 ^ t21;
  assign t23 = t2 ^ t22;
  assign t24 = t2 ^ t10;
  assign t25 = t20 ^ t17;
  assign t26 = t3 ^ t16;
  assign t27 = t1 ^ t12;
  assign t28 = t13 & t6;
  assign t29 = t23 & t8;
  assign t30 = t14 ^ t28;
  assign t31 = t19 & data_i[0];
  assign t32 = t31 ^ t28;
  assign t33 = t3 & t16;
  assign t34 = t22 & t9;
  assign t35 = t26 ^ t33;
  assign t36 = t20 & t17;
  assign t37 = t36 ^ t33;
  assign t38 = t1 & t15;
  assign t39 = t4 & t27;
  assign t40 = t39 ^ t38;
  assign t41 = t2 & t10;
  assign t42 = t41 ^ t38;
  assign t43 = t30 ^ t29;
  assign t44 = t32 ^ t24;
  assign t45 = t35 ^ t34;
  assign t46 = t37 ^ t42;
  assign t47 = t43 ^ t40;
  assign t48 = t44 ^ t42;
  assign t49 = t45 ^ t40;
  assign t50 = t46 ^ t25;
  assign t51 = t49 ^ t50;
  assign t52 = t49 & t47;
  assign t53 = t48 ^ t52;
  assign t54 = t47 ^ t48;
  assign t55 = t50 ^ t52;
  assign t56 = t55 & t54;
  assign t57 = t53 & t51;
  assign t58 = t47 & t50;
  assign t59 = t54 & t58;
  assign t60 = t54 ^ t52;
  assign t61 = t48 & t49;
  assign t62 = t51 & t61;
  assign t63 = t51 ^ t52;
  assign t64 = t48 ^ t56;
  assign t65 = t59 ^ t60;
  assign t66 = t50 ^ t57;
  assign t67 = t62 ^ t63;
  assign t68 = t65 ^ t67;
  assign t69 = t64 ^ t66;
  assign t70 = t64 ^ t65;
  assign t71 = t66 ^ t67;
  assign t72 = t69 ^ t68;
  assign t73 = t71 & t6;
  assign t74 = t67 & t8;
  assign t75 = t66 & data_i[0];
  assign t76 = t70 & t16;
  assign t77 = t65 & t9;
  assign t78 = t64 & t17;
  assign t79 = t69 & t15;
  assign t80 = t72 & t27;
  assign t81 = t68 & t10;
  assign t82 = t71 & t13;
  assign t83 = t67 & t23;
  assign t84 = t66 & t19;
  assign t85 = t70 & t3;
  assign t86 = t65 & t22;
  assign t87 = t64 & t20;
  assign t88 = t69 & t1;
  assign t89 = t72 & t4;
  assign t90 = t68 & t2;
  assign t91 = t88 ^ t89;
  assign t92 = t77 ^ t83;
  assign t93 = t73 ^ t75;
  assign t94 = t74 ^ t82;
  assign t95 = t81 ^ t85;
  assign t96 = t76 ^ t88;
  assign t97 = t89 ^ t96;
  assign t98 = t73 ^ t94;
  assign t99 = t78 ^ t86;
  assign t100 = t79 ^ t80;
  assign t101 = t80 ^ t95;
  assign t102 = t87 ^ t93;
  assign t103 = t75 ^ t78;
  assign t104 = t77 ^ t91;
  assign t105 = t79 ^ t88;
  assign t106 = t82 ^ t92;
  assign t107 = t83 ^ t91;
  assign t108 = t84 ^ t92;
  assign t109 = t85 ^ t99;
  assign t110 = t90 ^ t95;
  assign t111 = t91 ^ t92;
  assign t112 = t92 ^ t98;
  assign t113 = t94 ^ t103;
  assign t114 = t109 ^ t93;
  assign t115 = t106 ^ t100;
  assign t116 = t97 ^ t101;
  assign t117 = t98 ^ t100;
  assign t118 = t99 ^ t101;
  assign t119 = t102 ^ t105;
  assign t120 = t102 ^ t108;
  assign S0 = t97 ^ t115;
  assign S1 = ~(t107 ^ t117);
  assign S2 = ~(t110 ^ t119);
  assign S3 = t97 ^ t112;
  assign S4 = t111 ^ t113;
  assign S5 = t116 ^ t120;
  assign S6 = ~(t104 ^ t118);
  assign S7 = ~(t97 ^ t114);

  assign data_o[0] = S7;
  assign data_o[1] = S6;
  assign data_o[2] = S5;
  assign data_o[3] = S4;
  assign data_o[4] = S3;
  assign data_o[5] = S2;
  assign data_o[6] = S1;
  assign data_o[7] = S0;
endmodule
