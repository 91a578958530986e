// What a device can do of one thing and nothing else: three-input logic, and look-ups in shared memory
// where every lane has a bank of its own. A kernel's speed is stated as a share of these.
#pragma once

#include "../common/bits.hpp"

namespace roundworks::ceilings {

// Independent chains, enough to hide the latency of either, and steps of each in one turn of a loop.
constexpr unsigned CHAINS = 8, STEPS = 32;
// Entries of the table, a copy for each of 32 banks: 32 KB.
constexpr unsigned ENTRIES = 256, BANKS = 32;

// Neither NAND nor XOR alone: no compiler shortens a chain of it.
constexpr uint8_t MIXED = (A & B) ^ C ^ 0xff;

// `turns` times CHAINS * STEPS LOP3; what comes out keeps them from being left out.
template <typename W>
ROUNDWORKS_CODE W logic(W seed, uint32_t turns) {
  W x[CHAINS];
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < CHAINS; i++) x[i] = seed + i;
  ROUNDWORKS_ROLLED
  for (uint32_t turn = 0; turn < turns; turn++) {
    ROUNDWORKS_UNROLL
    for (unsigned step = 0; step < STEPS; step++) {
      ROUNDWORKS_UNROLL
      for (unsigned i = 0; i < CHAINS; i++)
        x[i] = lop3<MIXED>(x[i], x[(i + 1) % CHAINS], x[(i + 3) % CHAINS]);
    }
  }
  W sum = x[0];
  ROUNDWORKS_UNROLL
  for (unsigned i = 1; i < CHAINS; i++) sum = sum ^ x[i];
  return sum;
}

// Entry x of the table in every bank: where the next look-up of a chain reads in the lane's own.
template <typename W>
ROUNDWORKS_CODE void fill(uint32_t* table, W x) {
  ROUNDWORKS_ROLLED
  for (unsigned bank = 0; bank < BANKS; bank++)
    store(table, x * BANKS + bank, ((x * 5 + 1) & (ENTRIES - 1)) * BANKS + bank);
}

// `turns` times CHAINS * STEPS look-ups, and nothing between two of a chain.
template <typename W>
ROUNDWORKS_CODE W look_ups(const uint32_t* table, uint32_t turns) {
  W x[CHAINS];
  ROUNDWORKS_UNROLL
  for (unsigned i = 0; i < CHAINS; i++) x[i] = (lane<W>() & (BANKS - 1)) + i * BANKS;
  ROUNDWORKS_ROLLED
  for (uint32_t turn = 0; turn < turns; turn++) {
    ROUNDWORKS_UNROLL
    for (unsigned step = 0; step < STEPS; step++) {
      ROUNDWORKS_UNROLL
      for (unsigned i = 0; i < CHAINS; i++) x[i] = load(table, x[i]);
    }
  }
  W sum = x[0];
  ROUNDWORKS_UNROLL
  for (unsigned i = 1; i < CHAINS; i++) sum = sum + x[i];
  return sum;
}

}  // namespace roundworks::ceilings
