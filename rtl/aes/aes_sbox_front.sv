// The front of the S-box of Maximov and Ekdahl, fast: from a byte to the four bits whose inverse in
// GF(2^4) the back needs. [MAXIMOV-EKDAHL] Written by roundworks.hardware.generate.netlists from
// spec/netlists/aes-sbox-maximov-ekdahl-fast.toml; change that.
module aes_sbox_front (
  input  logic [7:0] data_i,
  output logic [3:0] waist_o
);
  logic Z18, L28, Q0, Z96, Q1, Z160, Q2, Q11, L6, Q3, Q16, Q4, Q5, Z10, Q6, Q7, Z36, Q8, L19, Q9,
      Q10, Q12, Q13, L10, Q14, Q15, T20, T21, T22, w1, w2, T10, w3, w4, T11, w5, w6, T12, w7, w8,
      T13, w9, X0, w10, X1, w11, X2, w12, w13, X3;

  assign Z18 = data_i[6] ^ data_i[3];
  assign L28 = Z18 ^ data_i[1];
  assign Q0 = data_i[5] ^ L28;
  assign Z96 = data_i[2] ^ data_i[1];
  assign Q1 = data_i[7] ^ Z96;
  assign Z160 = data_i[2] ^ data_i[0];
  assign Q2 = data_i[1] ^ Z160;
  assign Q11 = data_i[5] ^ data_i[4];
  assign L6 = data_i[3] ^ Z96;
  assign Q3 = Q11 ^ L6;
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
  assign Q14 = data_i[1] ^ L10;
  assign Q15 = data_i[7] ^ Q5;
  assign T20 = ~(Q6 & Q12);
  assign T21 = ~(Q3 & Q14);
  assign T22 = ~(Q1 & Q16);
  assign w1 = ~(Q3 | Q14);
  assign w2 = ~(Q0 & Q7);
  assign T10 = w1 ^ w2;
  assign w3 = ~(Q4 | Q13);
  assign w4 = ~(Q10 & Q11);
  assign T11 = w3 ^ w4;
  assign w5 = ~(Q2 | data_i[7]);
  assign w6 = ~(Q5 & Q9);
  assign T12 = w5 ^ w6;
  assign w7 = ~(Q8 | Q15);
  assign w8 = ~(Q2 & data_i[7]);
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

  assign waist_o = {X3, X2, X1, X0};
endmodule
