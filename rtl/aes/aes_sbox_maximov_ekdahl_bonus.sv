// Maximov and Ekdahl, bonus: the smallest: 6 MUX, 27 NAND, 5 NOR, 6 XNOR, 58 XOR; depth 24.
// [MAXIMOV-EKDAHL] Written by roundworks.hardware.generate.netlists from spec/netlists/aes-sbox-
// maximov-ekdahl-bonus.toml; change that.
module aes_sbox_maximov_ekdahl_bonus (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  logic Z24, Q17, Q16, Q0, Z66, Q7, Q2, Q1, Q3, Q4, Q5, Q6, Q10, Q8, Q9, Q12, Q15, Q13, Q14, T20,
      T21, T22, w1, w2, T10, w3, w4, T11, w5, w6, T12, w7, w8, T13, w9, X0, w10, X1, w11, X2, w12,
      w13, X3, T0, T1, T2, Y0, Y2, T3, Y1, T4, Y3, Y02, Y13, Y23, Y01, Y00, N0, N1, N2, N3, N4, N5,
      N6, N7, N8, N9, N10, N11, N12, N13, N14, N15, N16, N17, H0, H1, R2, H2, H3, R6, H4, H5, R5,
      H6, H7, H8, R7, H9, H10, R3, H11, H12, H13, R4, H14, H15, H16, R1, H17, H18, R0;

  assign Z24 = data_i[4] ^ data_i[3];
  assign Q17 = data_i[6] ^ data_i[0];
  assign Q16 = data_i[2] ^ Q17;
  assign Q0 = Z24 ^ Q16;
  assign Z66 = data_i[6] ^ data_i[1];
  assign Q7 = Z24 ^ Z66;
  assign Q2 = data_i[5] ^ Q0;
  assign Q1 = Q7 ^ Q2;
  assign Q3 = data_i[7] ^ Q7;
  assign Q4 = data_i[7] ^ Q2;
  assign Q5 = data_i[6] ^ Q4;
  assign Q6 = data_i[5] ^ data_i[4];
  assign Q10 = Q6 ^ Q7;
  assign Q8 = data_i[7] ^ Q10;
  assign Q9 = Q8 ^ Q2;
  assign Q12 = Z24 ^ Q17;
  assign Q15 = data_i[0] ^ Q4;
  assign Q13 = Z24 ^ Q15;
  assign Q14 = Q15 ^ Q0;
  assign T20 = ~(Q6 & Q12);
  assign T21 = ~(Q3 & Q14);
  assign T22 = ~(Q1 & Q16);
  assign w1 = ~(Q3 | Q14);
  assign w2 = ~(Q0 & Q7);
  assign T10 = w1 ^ w2;
  assign w3 = ~(Q4 | Q13);
  assign w4 = ~(Q10 & data_i[2]);
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
  assign w12 = ~(Q4 & Q13);
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
  assign Y02 = Y2 ^ Y0;
  assign Y13 = Y3 ^ Y1;
  assign Y23 = Y3 ^ Y2;
  assign Y01 = Y1 ^ Y0;
  assign Y00 = Y02 ^ Y13;
  assign N0 = ~(Y01 & data_i[2]);
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
  assign N17 = ~(Y02 & Q4);
  assign H0 = N1 ^ N5;
  assign H1 = N4 ^ H0;
  assign R2 = ~(N2 ^ H1);
  assign H2 = N9 ^ N15;
  assign H3 = N11 ^ N17;
  assign R6 = ~(H2 ^ H3);
  assign H4 = N11 ^ N14;
  assign H5 = N9 ^ N12;
  assign R5 = H4 ^ H5;
  assign H6 = N16 ^ H2;
  assign H7 = R2 ^ R6;
  assign H8 = N10 ^ H7;
  assign R7 = ~(H6 ^ H8);
  assign H9 = N8 ^ H1;
  assign H10 = N13 ^ H8;
  assign R3 = H5 ^ H10;
  assign H11 = H9 ^ H10;
  assign H12 = N7 ^ H11;
  assign H13 = H4 ^ H12;
  assign R4 = N1 ^ H13;
  assign H14 = ~(N0 ^ R7);
  assign H15 = H9 ^ H14;
  assign H16 = H7 ^ H15;
  assign R1 = ~(N6 ^ H16);
  assign H17 = N4 ^ H14;
  assign H18 = N3 ^ H17;
  assign R0 = H13 ^ H18;

  assign data_o[0] = R7;
  assign data_o[1] = R6;
  assign data_o[2] = R5;
  assign data_o[3] = R4;
  assign data_o[4] = R3;
  assign data_o[5] = R2;
  assign data_o[6] = R1;
  assign data_o[7] = R0;
endmodule
