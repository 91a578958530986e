// The S-box of AES on slices, bit 0 lowest: 70 functions of three bits. [FIPS197, section 5.1.1]
//
// Found by a random walk from the circuit of Boyar and Peralta [BOYAR-MATTHEWS-PERALTA]: a wire takes
// other inputs that determine it, among all wires and some spare ones, and what nobody reads is
// dropped. Nobody has shown that fewer are too few.
#pragma once

#include "../common/bits.hpp"

namespace roundworks::aes {

template <typename W>
ROUNDWORKS_CODE void sbox(const W* x, W* y) {
  const W g0 = x[0] ^ x[6];
  const W g1 = lop3<0x96>(x[4], x[3], g0);
  const W g2 = lop3<0x96>(x[1], g1, x[0]);
  const W g3 = g2 ^ x[7];
  const W g4 = g1 ^ x[2];
  const W g5 = g4 ^ x[5];
  const W g6 = x[7] ^ g5;
  const W g7 = g3 ^ g6;
  const W g8 = lop3<0x96>(x[5], x[7], x[0]);
  const W g9 = lop3<0xa0>(g8, g2, g3);
  const W g10 = lop3<0x96>(g2, x[5], x[4]);
  const W g11 = g10 ^ x[7];
  const W g12 = g11 ^ g5;
  const W g13 = lop3<0x28>(g3, g11, g1);
  const W g14 = lop3<0x78>(g13, g10, x[2]);
  const W g15 = g6 ^ x[6];
  const W g16 = lop3<0xfa>(g8, x[5], g3);
  const W g17 = lop3<0x6c>(g2, g16, g4);
  const W g18 = g15 ^ g1;
  const W g19 = lop3<0x60>(g7, g8, g18);
  const W g20 = lop3<0x96>(g17, g13, g19);
  const W g21 = lop3<0xfa>(g5, g19, g0);
  const W g22 = lop3<0x6c>(g12, g21, g15);
  const W g23 = lop3<0x96>(g9, g22, g19);
  const W g24 = lop3<0xd2>(g9, g18, g6);
  const W g25 = lop3<0x96>(g14, g18, g24);
  const W g26 = lop3<0x6c>(g0, g6, g5);
  const W g27 = lop3<0xde>(g6, g11, x[0]);
  const W g28 = lop3<0x96>(g26, g24, g27);
  const W g29 = lop3<0x6a>(g23, g20, g28);
  const W g30 = g25 ^ g29;
  const W g31 = lop3<0xe4>(g20, g30, g29);
  const W g32 = lop3<0xe8>(g23, g28, g30);
  const W g33 = lop3<0x60>(g32, x[4], x[5]);
  const W g34 = lop3<0x78>(g33, g11, g31);
  const W g35 = g32 ^ g31;
  const W g36 = lop3<0x6a>(g25, g28, g30);
  const W g37 = lop3<0x58>(g20, g25, g36);
  const W g38 = lop3<0x58>(g23, g28, g36);
  const W g39 = g38 ^ g32;
  const W g40 = lop3<0xa0>(g1, g31, g38);
  const W g41 = g31 ^ g37;
  const W g42 = g39 ^ g41;
  const W g43 = lop3<0x88>(g42, g2, g39);
  const W g44 = lop3<0x6a>(g3, g35, g43);
  const W g45 = lop3<0x78>(g43, g41, g5);
  const W g46 = lop3<0x6c>(g7, g44, g42);
  const W g47 = lop3<0x48>(g8, g31, g4);
  const W g48 = lop3<0x60>(g42, g0, x[2]);
  const W g49 = lop3<0xa0>(g0, x[3], g41);
  const W g50 = lop3<0x96>(g41, g35, g39);
  const W g51 = lop3<0x6c>(g50, g33, g6);
  const W g52 = lop3<0xa5>(g51, g19, g44);
  const W g53 = lop3<0x88>(g52, g37, g15);
  const W g54 = lop3<0x96>(g53, g47, g40);
  const W g55 = lop3<0x95>(g32, g4, g54);
  const W g56 = g55 ^ g52;
  const W g57 = lop3<0x78>(g54, g18, g50);
  const W g58 = lop3<0x6a>(g10, g38, g56);
  const W g59 = lop3<0xa5>(g46, g47, g58);
  const W g60 = lop3<0x6c>(g37, g58, g12);
  const W g61 = lop3<0x87>(g59, g39, x[2]);
  const W g62 = g60 ^ g45;
  const W g63 = lop3<0x96>(g49, g61, g53);
  const W g64 = lop3<0x96>(g61, g57, g56);
  const W g65 = lop3<0x93>(g8, g64, g35);
  const W g66 = lop3<0x96>(g60, g57, g48);
  const W g67 = lop3<0x96>(g62, g34, g60);
  const W g68 = lop3<0x96>(g40, g66, g34);
  const W g69 = lop3<0x96>(g40, g68, g63);
  y[0] = g59, y[1] = g52, y[2] = g67, y[3] = g68, y[4] = g62, y[5] = g55, y[6] = g65, y[7] = g69;
}

}  // namespace roundworks::aes
