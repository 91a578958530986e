// The back of the S-box of Maximov and Ekdahl, fast: from a byte and what aes_sbox_front made of it
// to the S-box's value. [MAXIMOV-EKDAHL] Written by roundworks.hardware.generate.netlists from
// spec/netlists/aes-sbox-maximov-ekdahl-fast.toml; change that.
module aes_sbox_back (
  input  logic [7:0] data_i,
  input  logic [3:0] waist_i,
  output logic [7:0] data_o
);
  logic Z18, L28, Q0, Z96, Q1, Z160, Q2, Q11, L6, Q16, Q4, Q5, Z10, Q6, Q7, Z36, Q8, L19, Q9, Q10,
      Q12, Q13, L10, Q15, L8, L12, L16, L15, L31, L5, L13, L17, L29, L14, L26, L30, L7, L11, L27,
      T0, T1, T2, Y0, Y2, T3, Y1, T4, Y3, K4, K8, K24, K28, K0, K12, K16, K20, K1, K5, K9, K13, K17,
      K21, K25, K29, K2, K6, K10, K14, K18, K22, K26, K30, K3, K7, K11, K15, K19, K23, K27, K31,
      w14, w15, R0, w16, w17, R1, w18, w19, R2, w20, w21, R3, w22, w23, R4, w24, w25, R5, w26, w27,
      R6, w28, w29, R7;

  assign Z18 = data_i[6] ^ data_i[3];
  assign L28 = Z18 ^ data_i[1];
  assign Q0 = data_i[5] ^ L28;
  assign Z96 = data_i[2] ^ data_i[1];
  assign Q1 = data_i[7] ^ Z96;
  assign Z160 = data_i[2] ^ data_i[0];
  assign Q2 = data_i[1] ^ Z160;
  assign Q11 = data_i[5] ^ data_i[4];
  assign L6 = data_i[3] ^ Z96;
  assign Q16 = data_i[7] ^ Q11;
  assign Q4 = Q16 ^ data_i[3];
  assign Q5 = Z18 ^ Z160;
  assign Z10 = data_i[6] ^ data_i[4];
  assign Q6 = Z10 ^ Q2;
  assign Q7 = data_i[7] ^ data_i[0];
  assign Z36 = data_i[5] ^ data_i[2];
  assign Q8 = Z36 ^ Q5;
  assign L19 = data_i[5] ^ Z96;
  assign Q9 = Z18 ^ L19;
  assign Q10 = Z10 ^ Q1;
  assign Q12 = data_i[4] ^ L28;
  assign Q13 = data_i[4] ^ Q2;
  assign L10 = Z36 ^ Q7;
  assign Q15 = data_i[7] ^ Q5;
  assign L8 = data_i[4] ^ Q5;
  assign L12 = Q16 ^ Q2;
  assign L16 = data_i[5] ^ Q4;
  assign L15 = data_i[6] ^ Z96;
  assign L31 = Q16 ^ L15;
  assign L5 = Q12 ^ L31;
  assign L13 = data_i[4] ^ Q8;
  assign L17 = data_i[3] ^ L10;
  assign L29 = Z96 ^ L10;
  assign L14 = Q11 ^ L10;
  assign L26 = Q11 ^ Q5;
  assign L30 = Q11 ^ data_i[1];
  assign L7 = Q12 ^ Q1;
  assign L11 = Q12 ^ L15;
  assign L27 = L30 ^ L10;
  assign T0 = ~(waist_i[0] & waist_i[2]);
  assign T1 = ~(waist_i[1] | waist_i[3]);
  assign T2 = ~(T0 ^ T1);
  assign Y0 = waist_i[2] ? T2 : waist_i[3];
  assign Y2 = waist_i[0] ? T2 : waist_i[1];
  assign T3 = waist_i[1] ? waist_i[2] : 1'b1;
  assign Y1 = T2 ? waist_i[3] : T3;
  assign T4 = waist_i[3] ? waist_i[0] : 1'b1;
  assign Y3 = T2 ? waist_i[1] : T4;
  assign K4 = Y0 & data_i[1];
  assign K8 = Y0 & L8;
  assign K24 = Y0 & Q16;
  assign K28 = Y0 & L28;
  assign K0 = ~(Y0 & Q10);
  assign K12 = ~(Y0 & L12);
  assign K16 = ~(Y0 & L16);
  assign K20 = ~(Y0 & Q0);
  assign K1 = ~(Y1 & Q6);
  assign K5 = ~(Y1 & L5);
  assign K9 = ~(Y1 & data_i[2]);
  assign K13 = ~(Y1 & L13);
  assign K17 = ~(Y1 & L17);
  assign K21 = ~(Y1 & Q11);
  assign K25 = ~(Y1 & Q13);
  assign K29 = ~(Y1 & L29);
  assign K2 = ~(Y2 & Q9);
  assign K6 = ~(Y2 & L6);
  assign K10 = ~(Y2 & L10);
  assign K14 = ~(Y2 & L14);
  assign K18 = ~(Y2 & data_i[6]);
  assign K22 = ~(Y2 & Q15);
  assign K26 = ~(Y2 & L26);
  assign K30 = ~(Y2 & L30);
  assign K3 = ~(Y3 & Q8);
  assign K7 = ~(Y3 & L7);
  assign K11 = ~(Y3 & L11);
  assign K15 = ~(Y3 & L15);
  assign K19 = ~(Y3 & L19);
  assign K23 = ~(Y3 & data_i[7]);
  assign K27 = ~(Y3 & L27);
  assign K31 = ~(Y3 & L31);
  assign w14 = K0 ^ K1;
  assign w15 = K2 ^ K3;
  assign R0 = w14 ^ w15;
  assign w16 = K4 ^ K5;
  assign w17 = K6 ^ K7;
  assign R1 = w16 ^ w17;
  assign w18 = K8 ^ K9;
  assign w19 = K10 ^ K11;
  assign R2 = w18 ^ w19;
  assign w20 = K12 ^ K13;
  assign w21 = K14 ^ K15;
  assign R3 = w20 ^ w21;
  assign w22 = K16 ^ K17;
  assign w23 = K18 ^ K19;
  assign R4 = w22 ^ w23;
  assign w24 = K20 ^ K21;
  assign w25 = K22 ^ K23;
  assign R5 = w24 ^ w25;
  assign w26 = K24 ^ K25;
  assign w27 = K26 ^ K27;
  assign R6 = w26 ^ w27;
  assign w28 = K28 ^ K29;
  assign w29 = K30 ^ K31;
  assign R7 = w28 ^ w29;

  assign data_o = {R0, R1, R2, R3, R4, R5, R6, R7};
endmodule
