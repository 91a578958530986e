// Maximov and Ekdahl, trade-off: 10 MUX, 27 NAND, 5 NOR, 4 NOT, 8 XNOR, 61 XOR; depth 15. [MAXIMOV-
// EKDAHL] Written by roundworks.hardware.generate.netlists from spec/netlists/aes-sbox-maximov-
// ekdahl-tradeoff.toml; change that.
module aes_sbox_maximov_ekdahl_tradeoff (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  logic Z6, Q12, Q11, Q0, Z9, Z80, Q1, Q7, Q2, Q3, Q13, Q5, Z66, Z114, Q6, Q8, Q9, Q10, Q16, Q14,
      Q15, Q17, T20, T21, T22, w1, w2, T10, w3, w4, T11, w5, w6, T12, w7, w8, T13, w9, X0, w10, X1,
      w11, X2, w12, w13, X3, T0, T1, T2, Y0, Y2, T3, Y1, T4, Y3, T5, Y23, w14, w15, T6, w16, w17,
      Y01, Y02, Y13, Y00, N0, N1, N2, N3, N4, N5, N6, N7, N8, N9, N10, N11, N12, N13, N14, N15, N16,
      N17, H0, H1, H2, H3, H4, H5, H6, H7, H8, H9, H10, H11, H12, H13, H14, H15, H16, H17, H18, H19,
      H20, H21, H22, H23, R0, R2, R3, R4, R5, R6, R7;

  assign Z6 = data_i[6] ^ data_i[5];
  assign Q12 = Z6 ^ data_i[4];
  assign Q11 = data_i[3] ^ data_i[2];
  assign Q0 = Q12 ^ Q11;
  assign Z9 = data_i[7] ^ data_i[4];
  assign Z80 = data_i[3] ^ data_i[1];
  assign Q1 = Z9 ^ Z80;
  assign Q7 = Z6 ^ data_i[0];
  assign Q2 = Q1 ^ Q7;
  assign Q3 = Q1 ^ data_i[0];
  assign Q13 = data_i[2] ^ Z80;
  assign Q5 = Q12 ^ Q13;
  assign Z66 = data_i[6] ^ data_i[1];
  assign Z114 = Q11 ^ Z66;
  assign Q6 = data_i[0] ^ Z114;
  assign Q8 = Q1 ^ Z114;
  assign Q9 = Q7 ^ Z114;
  assign Q10 = data_i[5] ^ Q13;
  assign Q16 = Z9 ^ Z66;
  assign Q14 = Q16 ^ Q13;
  assign Q15 = data_i[7] ^ data_i[5];
  assign Q17 = Z9 ^ Z114;
  assign T20 = ~(Q6 & Q12);
  assign T21 = ~(Q3 & Q14);
  assign T22 = ~(Q1 & Q16);
  assign w1 = ~(Q3 | Q14);
  assign w2 = ~(Q0 & Q7);
  assign T10 = w1 ^ w2;
  assign w3 = ~(data_i[0] | Q13);
  assign w4 = ~(Q10 & Q11);
  assign T11 = w3 ^ w4;
  assign w5 = ~(Q2 | Q17);
  assign w6 = ~(Q5 & Q9);
  assign T12 = w5 ^ w6;
  assign w7 = ~(Q8 | Q15);
  assign w8 = ~(Q2 & Q17);
  assign T13 = w7 ^ w8;
  assign w9 = T20 ^ T22;
  assign X0 = T10 ^ w9;
  assign w10 = T21 ^ T20;
  assign X1 = T11 ^ w10;
  assign w11 = T21 ^ T22;
  assign X2 = T12 ^ w11;
  assign w12 = ~(data_i[0] & Q13);
  assign w13 = T21 ^ w12;
  assign X3 = T13 ^ w13;
  assign T0 = ~(X0 & X2);
  assign T1 = ~(X1 | X3);
  assign T2 = ~(T0 ^ T1);
  assign Y0 = X2 ? T2 : X3;
  assign Y2 = X0 ? T2 : X1;
  assign T3 = X1 ? X2 : 1'b1;
  assign Y1 = T2 ? X3 : T3;
  assign T4 = X3 ? X0 : 1'b1;
  assign Y3 = T2 ? X1 : T4;
  assign T5 = X0 ? T0 : X3;
  assign Y23 = X1 ? T5 : X0;
  assign w14 = ~X2;
  assign w15 = ~X3;
  assign T6 = T3 ? w14 : w15;
  assign w16 = ~T6;
  assign w17 = ~X3;
  assign Y01 = T0 ? w16 : w17;
  assign Y02 = Y2 ^ Y0;
  assign Y13 = Y3 ^ Y1;
  assign Y00 = Y01 ^ Y23;
  assign N0 = ~(Y01 & Q11);
  assign N1 = ~(Y0 & Q12);
  assign N2 = ~(Y1 & Q0);
  assign N3 = ~(Y23 & Q17);
  assign N4 = ~(Y2 & Q5);
  assign N5 = ~(Y3 & Q15);
  assign N6 = ~(Y13 & Q14);
  assign N7 = ~(Y00 & Q16);
  assign N8 = ~(Y02 & Q13);
  assign N9 = ~(Y01 & Q7);
  assign N10 = ~(Y0 & Q10);
  assign N11 = ~(Y1 & Q6);
  assign N12 = ~(Y23 & Q2);
  assign N13 = ~(Y2 & Q9);
  assign N14 = ~(Y3 & Q8);
  assign N15 = ~(Y13 & Q3);
  assign N16 = ~(Y00 & Q1);
  assign N17 = ~(Y02 & data_i[0]);
  assign H0 = N3 ^ N8;
  assign H1 = N5 ^ N6;
  assign H2 = ~(H0 ^ H1);
  assign H3 = N1 ^ N4;
  assign H4 = N9 ^ N10;
  assign H5 = N13 ^ N14;
  assign H6 = N15 ^ H4;
  assign H7 = N0 ^ H3;
  assign H8 = N17 ^ H5;
  assign H9 = N3 ^ H7;
  assign H10 = N15 ^ N17;
  assign H11 = N9 ^ N11;
  assign H12 = N12 ^ N14;
  assign H13 = N1 ^ N2;
  assign H14 = N5 ^ N16;
  assign H15 = N7 ^ H11;
  assign H16 = H10 ^ H11;
  assign H17 = N16 ^ H8;
  assign H18 = H6 ^ H8;
  assign H19 = H10 ^ H12;
  assign H20 = N2 ^ H3;
  assign H21 = H6 ^ H14;
  assign H22 = N8 ^ H12;
  assign H23 = H13 ^ H15;
  assign R0 = ~(H16 ^ H2);
  assign R2 = ~(H20 ^ H21);
  assign R3 = ~(H17 ^ H2);
  assign R4 = ~(H18 ^ H2);
  assign R5 = H22 ^ H23;
  assign R6 = ~(H19 ^ H9);
  assign R7 = ~(H18 ^ H9);

  assign data_o[0] = R7;
  assign data_o[1] = R6;
  assign data_o[2] = R5;
  assign data_o[3] = R4;
  assign data_o[4] = R3;
  assign data_o[5] = R2;
  assign data_o[6] = H2;
  assign data_o[7] = R0;
endmodule
