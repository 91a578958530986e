// The S-box of AES on slices, bit 0 lowest: 71 functions of three bits. [FIPS197, section 5.1.1]
//
// Found by a random walk from the circuit of Boyar and Peralta [BOYAR-MATTHEWS-PERALTA]: a wire takes
// other inputs that determine it, among all wires and some spare ones, and what nobody reads is
// dropped. Nobody has shown that fewer are too few.
#pragma once

#include "../common/bits.hpp"

namespace roundworks::aes {

template <typename W>
ROUNDWORKS_CODE void sbox(const W* x, W* y) {
  const W g0 = lop3<0x96>(x[0], x[5], x[7]);
  const W g1 = lop3<0x3c>(x[0], x[6], g0);
  const W g2 = lop3<0x96>(g1, x[4], x[3]);
  const W g3 = lop3<0x96>(g2, x[1], x[0]);
  const W g4 = lop3<0x5a>(x[2], x[4], g2);
  const W g5 = lop3<0x96>(x[7], x[5], g4);
  const W g6 = lop3<0x66>(x[5], x[6], g5);
  const W g7 = lop3<0x96>(g6, g4, x[2]);
  const W g8 = lop3<0x96>(g4, g3, x[5]);
  const W g9 = lop3<0x60>(g0, g8, g5);
  const W g10 = lop3<0x6a>(g5, g7, g9);
  const W g11 = lop3<0x5a>(g5, x[2], g8);
  const W g12 = lop3<0x96>(g11, g5, g3);
  const W g13 = lop3<0xa0>(g12, g3, g1);
  const W g14 = lop3<0x96>(x[4], x[5], g3);
  const W g15 = lop3<0x48>(x[4], g2, x[5]);
  const W g16 = lop3<0x5a>(g14, x[2], g5);
  const W g17 = lop3<0x66>(x[4], g16, g12);
  const W g18 = lop3<0xbe>(g6, g1, g17);
  const W g19 = lop3<0x96>(g10, g13, g18);
  const W g20 = lop3<0x6c>(x[2], g15, g14);
  const W g21 = lop3<0x5a>(g20, g15, g10);
  const W g22 = lop3<0x96>(g2, g21, x[6]);
  const W g23 = lop3<0xfa>(g11, g10, g0);
  const W g24 = lop3<0xfa>(g1, g3, g12);
  const W g25 = lop3<0x78>(g24, g16, g6);
  const W g26 = lop3<0x60>(g8, g0, g7);
  const W g27 = lop3<0x96>(g9, g25, g26);
  const W g28 = lop3<0x78>(g23, g4, g3);
  const W g29 = lop3<0x96>(g15, g26, g28);
  const W g30 = lop3<0x22>(g23, g27, g22);
  const W g31 = lop3<0x6c>(g27, g19, g29);
  const W g32 = lop3<0xa6>(g19, g22, g31);
  const W g33 = lop3<0xd8>(g22, g29, g31);
  const W g34 = lop3<0x4a>(g32, g22, g29);
  const W g35 = lop3<0x32>(g32, g30, g19);
  const W g36 = lop3<0x4a>(g32, g19, g27);
  const W g37 = lop3<0x66>(g25, g33, g34);
  const W g38 = lop3<0xa0>(g34, g21, g6);
  const W g39 = lop3<0x80>(g37, g24, g1);
  const W g40 = lop3<0x66>(g34, g33, g35);
  const W g41 = lop3<0x5a>(g35, g8, g36);
  const W g42 = lop3<0x66>(g36, g37, g41);
  const W g43 = lop3<0x60>(g42, x[2], g1);
  const W g44 = lop3<0x5a>(g42, x[2], g40);
  const W g45 = lop3<0x48>(g4, g33, g0);
  const W g46 = lop3<0xa0>(g2, g45, g36);
  const W g47 = lop3<0x96>(g46, g45, g38);
  const W g48 = lop3<0x6a>(g7, g44, g47);
  const W g49 = lop3<0x87>(g47, g4, g35);
  const W g50 = lop3<0x88>(g48, g41, g3);
  const W g51 = lop3<0x78>(g50, g12, g37);
  const W g52 = lop3<0x6a>(g40, g11, g50);
  const W g53 = lop3<0x48>(g17, g35, g11);
  const W g54 = lop3<0x6a>(g44, g5, g53);
  const W g55 = lop3<0x6a>(g33, g17, g53);
  const W g56 = lop3<0xa5>(g52, g6, g54);
  const W g57 = lop3<0x5a>(g56, g18, g49);
  const W g58 = lop3<0x78>(g52, g42, g8);
  const W g59 = lop3<0x78>(g57, g36, g14);
  const W g60 = lop3<0x6a>(g34, g16, g59);
  const W g61 = lop3<0x99>(g60, g59, g58);
  const W g62 = lop3<0x95>(g41, x[2], g61);
  const W g63 = lop3<0x96>(g62, g39, g38);
  const W g64 = lop3<0x96>(g62, g48, g57);
  const W g65 = lop3<0x87>(g64, g0, g40);
  const W g66 = lop3<0x5a>(g60, g43, g51);
  const W g67 = lop3<0x96>(g43, g48, g60);
  const W g68 = lop3<0x96>(g60, g66, g55);
  const W g69 = lop3<0x96>(g46, g67, g55);
  const W g70 = lop3<0x96>(g63, g46, g69);
  y[0] = g61, y[1] = g56, y[2] = g68, y[3] = g69, y[4] = g66, y[5] = g49, y[6] = g65, y[7] = g70;
}

}  // namespace roundworks::aes
