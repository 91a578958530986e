// Reyhani-Masoleh, Taha and Ashmawy, lightweight: 33 NAND, 8 NOR, 6 XNOR, 63 XOR; depth 25.
// [REYHANI-MASOLEH] Written by roundworks.hardware.generate.netlists from spec/netlists/aes-sbox-
// reyhani-masoleh.toml; change that.
module aes_sbox_reyhani_masoleh (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  logic i_t1, i_t2, i_t3, i_t4, i_t5, i_t6, i_t7, i_t8, i_t9, i_t10, i_t11, i_t12, i_t13, i_t14,
      i_t15, i_t16, i_t17, i_t18, i_t19, t_t1, t_t2, t_t3, t_t13, t_t14, t_t4, t_t5, t_t6, t_t7,
      t_t8, t_t15, t_t16, t_t17, t_t18, t_t9, t_t10, t_t11, t_t12, t_t19, t_t20, t_t21, t_t22,
      t_t23, t_t24, m_t1, m_t2, m_t3, m_t4, m_t5, m_t6, m_t7, m_t8, m_t9, m_t10, m_t11, m_t12,
      m_t13, m_t14, m_t15, k_k4, k_k3, k_k2, k_k1, k_k0, e17, e16, e15, e14, e13, e12, e11, e10, e9,
      e8, e7, e6, e5, e4, e3, e2, e1, e0, o_E11, o_E10, o_E9, o_E8, o_E7, o_E6, o_E5, o_E4, o_E3,
      o_E2, o_E1, o_E0, o_t1, o_t2, o_t3, o_t4, o_t5, o_t6, o_t7, o_t8, o_t9, o_t10, o_t11, o_t12,
      o_t13, o_t14, o_t15, o_t16, o_t17;

  assign i_t1 = data_i[7] ^ data_i[4];
  assign i_t2 = data_i[3] ^ data_i[1];
  assign i_t3 = data_i[2] ^ i_t2;
  assign i_t4 = data_i[6] ^ i_t3;
  assign i_t5 = data_i[0] ^ i_t4;
  assign i_t6 = data_i[5] ^ i_t3;
  assign i_t7 = i_t5 ^ i_t6;
  assign i_t8 = data_i[4] ^ i_t7;
  assign i_t9 = i_t1 ^ i_t2;
  assign i_t10 = i_t1 ^ i_t8;
  assign i_t11 = data_i[0] ^ i_t9;
  assign i_t12 = data_i[4] ^ data_i[2];
  assign i_t13 = data_i[1] ^ i_t7;
  assign i_t14 = data_i[7] ^ data_i[2];
  assign i_t15 = i_t13 ^ i_t14;
  assign i_t16 = data_i[7] ^ data_i[1];
  assign i_t17 = i_t12 ^ i_t16;
  assign i_t18 = i_t6 ^ i_t9;
  assign i_t19 = i_t7 ^ i_t11;
  assign t_t1 = ~(i_t11 & i_t15);
  assign t_t2 = ~(i_t9 & i_t17);
  assign t_t3 = ~(data_i[0] & i_t8);
  assign t_t13 = t_t1 ^ t_t2;
  assign t_t14 = t_t3 ^ t_t1;
  assign t_t4 = ~(i_t4 & i_t1);
  assign t_t5 = ~(i_t4 | i_t1);
  assign t_t6 = ~(i_t18 & i_t12);
  assign t_t7 = ~(i_t18 | i_t12);
  assign t_t8 = ~(i_t19 & i_t14);
  assign t_t15 = t_t5 ^ t_t6;
  assign t_t16 = t_t8 ^ t_t7;
  assign t_t17 = t_t4 ^ t_t6;
  assign t_t18 = t_t8 ^ t_t6;
  assign t_t9 = ~(i_t7 & i_t13);
  assign t_t10 = ~(i_t6 | i_t16);
  assign t_t11 = ~(i_t5 & i_t10);
  assign t_t12 = ~(i_t7 | i_t13);
  assign t_t19 = t_t9 ^ t_t10;
  assign t_t20 = t_t11 ^ t_t12;
  assign t_t21 = t_t13 ^ t_t15;
  assign t_t22 = t_t14 ^ t_t16;
  assign t_t23 = t_t19 ^ t_t17;
  assign t_t24 = t_t20 ^ t_t18;
  assign m_t1 = ~(t_t21 & t_t24);
  assign m_t2 = ~(m_t1 | t_t22);
  assign m_t3 = ~(t_t22 & t_t24);
  assign m_t4 = t_t23 ^ m_t3;
  assign m_t5 = ~(t_t22 | m_t4);
  assign m_t6 = ~(t_t23 & m_t4);
  assign m_t7 = ~(t_t21 | m_t4);
  assign m_t8 = ~(m_t7 | m_t2);
  assign m_t9 = ~(m_t5 ^ m_t7);
  assign m_t10 = ~(m_t9 ^ t_t21);
  assign m_t11 = ~(m_t6 & m_t8);
  assign m_t12 = ~(m_t8 & t_t23);
  assign m_t13 = ~(t_t24 ^ m_t12);
  assign m_t14 = ~(m_t1 & t_t22);
  assign m_t15 = ~(m_t9 & m_t14);
  assign k_k4 = m_t13 ^ m_t11;
  assign k_k3 = m_t13 ^ m_t15;
  assign k_k2 = m_t11 ^ m_t10;
  assign k_k1 = k_k3 ^ k_k2;
  assign k_k0 = m_t15 ^ m_t10;
  assign e17 = ~(i_t15 & m_t11);
  assign e16 = ~(i_t8 & m_t13);
  assign e15 = ~(i_t17 & k_k4);
  assign e14 = ~(i_t12 & k_k1);
  assign e13 = ~(i_t14 & k_k2);
  assign e12 = ~(i_t1 & k_k3);
  assign e11 = ~(i_t13 & m_t10);
  assign e10 = ~(i_t10 & m_t15);
  assign e9 = ~(i_t16 & k_k0);
  assign e8 = ~(i_t11 & m_t11);
  assign e7 = ~(data_i[0] & m_t13);
  assign e6 = ~(i_t9 & k_k4);
  assign e5 = ~(i_t18 & k_k1);
  assign e4 = ~(i_t19 & k_k2);
  assign e3 = ~(i_t4 & k_k3);
  assign e2 = ~(i_t7 & m_t10);
  assign e1 = ~(i_t5 & m_t15);
  assign e0 = ~(i_t6 & k_k0);
  assign o_E11 = e17 ^ e16;
  assign o_E10 = e15 ^ e16;
  assign o_E9 = e14 ^ e13;
  assign o_E8 = e12 ^ e13;
  assign o_E7 = e11 ^ e10;
  assign o_E6 = e9 ^ e10;
  assign o_E5 = e8 ^ e7;
  assign o_E4 = e6 ^ e7;
  assign o_E3 = e5 ^ e4;
  assign o_E2 = e3 ^ e4;
  assign o_E1 = e2 ^ e1;
  assign o_E0 = e0 ^ e1;
  assign o_t1 = o_E2 ^ o_E0;
  assign o_t2 = o_E10 ^ o_t1;
  assign o_t3 = o_E8 ^ o_t2;
  assign o_t4 = o_E5 ^ o_E1;
  assign o_t5 = o_E5 ^ o_E3;
  assign o_t6 = o_E7 ^ o_t5;
  assign o_t7 = o_E8 ^ o_E6;
  assign o_t8 = o_E2 ^ o_t3;
  assign o_t9 = o_E4 ^ o_t8;
  assign o_t10 = o_t1 ^ o_t5;
  assign o_t11 = ~(o_E9 ^ o_t6);
  assign o_t12 = ~(o_t4 ^ o_t7);
  assign o_t13 = o_t3 ^ o_t6;
  assign o_t14 = o_E11 ^ o_t13;
  assign o_t15 = ~(o_t1 ^ o_t9);
  assign o_t16 = o_t10 ^ o_t12;
  assign o_t17 = o_t4 ^ o_t9;

  assign data_o[0] = o_t12;
  assign data_o[1] = o_t16;
  assign data_o[2] = o_t14;
  assign data_o[3] = o_t17;
  assign data_o[4] = o_t9;
  assign data_o[5] = o_t11;
  assign data_o[6] = o_t15;
  assign data_o[7] = o_t3;
endmodule
