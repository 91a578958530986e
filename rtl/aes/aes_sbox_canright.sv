// Canright, forward path: 34 NAND, 6 NOR, 8 XNOR, 74 XOR; depth 23. [CANRIGHT] Written by
// roundworks.hardware.generate.netlists from spec/netlists/aes-sbox-canright.toml; change that.
module aes_sbox_canright (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  logic w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15, w16, w17, w18, w19, w20,
      w21, w22, w23, w24, w25, w26, w27, w28, w31, w32, w33, w34, w35, w36, w37, w40, w41, w42, w43,
      w44, w46, w47, w48, w49, w50, w53, w54, w55, w56, w57, w58, w59, w60, w61, w62, w63, w64, w65,
      w66, w67, w68, w69, w70, w71, w72, w73, w74, w75, w76, w77, w78, w79, w80, w81, w82, w83, w84,
      w85, w86, w87, w88, w89, w90, w91, w92, w93, w94, w95, w96, w97, w98, w99, w100, w101, w102,
      w103, w104, w105, w106, w107, w108, w109, w110, w111, w112, w113, w114, w115, w116, w117,
      w118, w119, w120, w121, w122, w123, w124, w125, w126, w127, w128, w129;

  assign w1 = data_i[5] ^ data_i[7];
  assign w2 = ~(data_i[4] ^ data_i[7]);
  assign w3 = data_i[0] ^ data_i[6];
  assign w4 = w3 ^ data_i[5];
  assign w5 = w4 ^ data_i[4];
  assign w6 = data_i[0] ^ data_i[3];
  assign w7 = w1 ^ data_i[2];
  assign w8 = w3 ^ data_i[1];
  assign w9 = w8 ^ data_i[3];
  assign w10 = w7 ^ w8;
  assign w11 = w4 ^ data_i[1];
  assign w12 = w1 ^ w3;
  assign w13 = w2 ^ data_i[1];
  assign w14 = ~(w13 ^ w6);
  assign w15 = w9 ^ data_i[2];
  assign w16 = w12 ^ w5;
  assign w17 = w10 ^ w11;
  assign w18 = w15 ^ data_i[0];
  assign w19 = w14 ^ w4;
  assign w20 = w11 ^ w12;
  assign w21 = w10 ^ w5;
  assign w22 = w16 ^ w17;
  assign w23 = w15 ^ w4;
  assign w24 = w14 ^ data_i[0];
  assign w25 = w18 ^ w19;
  assign w26 = ~(w21 & w24);
  assign w27 = ~(w16 & w18);
  assign w28 = ~(w22 & w25);
  assign w31 = ~(w12 | w15);
  assign w32 = ~(w20 & w23);
  assign w33 = w31 ^ w32;
  assign w34 = ~(w17 & w19);
  assign w35 = w33 ^ w34;
  assign w36 = w27 ^ w35;
  assign w37 = ~(w20 | w23);
  assign w40 = ~(w11 & w4);
  assign w41 = w37 ^ w40;
  assign w42 = w27 ^ w28;
  assign w43 = w41 ^ w42;
  assign w44 = ~(w17 | w19);
  assign w46 = ~(data_i[0] & w5);
  assign w47 = w44 ^ w46;
  assign w48 = w26 ^ w47;
  assign w49 = w27 ^ w48;
  assign w50 = ~(w16 | w18);
  assign w53 = ~(w10 & w14);
  assign w54 = w50 ^ w53;
  assign w55 = w26 ^ w54;
  assign w56 = w28 ^ w55;
  assign w57 = w49 ^ w56;
  assign w58 = w36 ^ w43;
  assign w59 = ~(w57 | w58);
  assign w60 = ~(w36 & w49);
  assign w61 = w59 ^ w60;
  assign w62 = ~(w43 | w56);
  assign w63 = ~(w57 & w58);
  assign w64 = w62 ^ w63;
  assign w65 = w61 ^ w64;
  assign w66 = ~(w58 & w65);
  assign w67 = ~(w36 & w64);
  assign w68 = w66 ^ w67;
  assign w69 = ~(w43 & w61);
  assign w70 = w66 ^ w69;
  assign w71 = ~(w57 & w65);
  assign w72 = ~(w49 & w64);
  assign w73 = w71 ^ w72;
  assign w74 = ~(w56 & w61);
  assign w75 = w71 ^ w74;
  assign w76 = w68 ^ w73;
  assign w77 = w70 ^ w75;
  assign w78 = w73 ^ w75;
  assign w79 = w68 ^ w70;
  assign w80 = w76 ^ w77;
  assign w81 = ~(w24 & w79);
  assign w82 = ~(w68 & data_i[0]);
  assign w83 = w81 ^ w82;
  assign w84 = ~(w70 & w14);
  assign w85 = w81 ^ w84;
  assign w86 = ~(w23 & w78);
  assign w87 = ~(w73 & w15);
  assign w88 = w86 ^ w87;
  assign w89 = ~(w75 & w4);
  assign w90 = w86 ^ w89;
  assign w91 = ~(w18 & w76);
  assign w92 = ~(w25 & w80);
  assign w93 = w91 ^ w92;
  assign w94 = ~(w19 & w77);
  assign w95 = w91 ^ w94;
  assign w96 = w88 ^ w95;
  assign w97 = w90 ^ w93;
  assign w98 = w83 ^ w95;
  assign w99 = w85 ^ w93;
  assign w100 = ~(w21 & w79);
  assign w101 = ~(w68 & w5);
  assign w102 = w100 ^ w101;
  assign w103 = ~(w70 & w10);
  assign w104 = w100 ^ w103;
  assign w105 = ~(w20 & w78);
  assign w106 = ~(w73 & w12);
  assign w107 = w105 ^ w106;
  assign w108 = ~(w75 & w11);
  assign w109 = w105 ^ w108;
  assign w110 = ~(w16 & w76);
  assign w111 = ~(w22 & w80);
  assign w112 = w110 ^ w111;
  assign w113 = ~(w17 & w77);
  assign w114 = w110 ^ w113;
  assign w115 = w107 ^ w114;
  assign w116 = w109 ^ w112;
  assign w117 = w102 ^ w114;
  assign w118 = w104 ^ w112;
  assign w119 = ~(w118 ^ w99);
  assign w120 = w96 ^ w98;
  assign w121 = ~(w115 ^ w98);
  assign w122 = w118 ^ w97;
  assign w123 = ~(w119 ^ w97);
  assign w124 = ~(w116 ^ w97);
  assign w125 = w124 ^ w96;
  assign w126 = ~(w117 ^ w122);
  assign w127 = ~(w116 ^ w120);
  assign w128 = w121 ^ w126;
  assign w129 = w120 ^ w123;

  assign data_o[0] = w127;
  assign data_o[1] = w125;
  assign data_o[2] = w128;
  assign data_o[3] = w129;
  assign data_o[4] = w123;
  assign data_o[5] = w121;
  assign data_o[6] = w119;
  assign data_o[7] = w122;
endmodule
