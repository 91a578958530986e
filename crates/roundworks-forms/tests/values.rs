//! Bits of random programs against their values for every input: equal bits are equal functions.

use std::collections::HashMap;

use roundworks_forms::{Bit, Symbols};

const INPUTS: usize = 10;
/// What a function is for each of the 1,024 inputs.
type Values = [u64; 1 << (INPUTS - 6)];

const SBOX: [u8; 16] = [13, 4, 11, 1, 7, 0, 2, 14, 9, 15, 3, 8, 6, 10, 12, 5];
/// Its first output is a sum of inputs.
const LINEAR: [u8; 16] = [0, 3, 5, 6, 9, 10, 12, 15, 8, 11, 13, 14, 1, 2, 4, 7];

struct Program {
    symbols: Symbols,
    bits: Vec<(Bit, Values)>,
    state: u64,
}

fn map(f: impl Fn(usize) -> bool) -> Values {
    std::array::from_fn(|i| (0..64).fold(0, |word, j| word | u64::from(f(64 * i + j)) << j))
}

fn value(values: &Values, input: usize) -> usize {
    (values[input >> 6] >> (input & 63) & 1) as usize
}

impl Program {
    fn new(seed: u64) -> Self {
        let mut symbols = Symbols::new();
        let inputs = symbols.fresh(INPUTS).into_iter().enumerate();
        let mut bits: Vec<_> = inputs
            .map(|(i, bit)| (bit, map(|input| input >> i & 1 == 1)))
            .collect();
        bits.extend([(0, map(|_| false)), (1, map(|_| true))]);
        Self {
            symbols,
            bits,
            state: seed,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % bound
    }

    /// One of the last bits, or of all.
    fn any(&mut self) -> (Bit, Values) {
        let recent = if self.below(3) == 0 {
            self.bits.len()
        } else {
            self.bits.len().min(24)
        };
        let at = self.bits.len() - 1 - self.below(recent);
        let (bit, values) = self.bits[at];
        if self.below(4) == 0 {
            (bit ^ 1, values.map(|word| !word))
        } else {
            (bit, values)
        }
    }

    fn several<const N: usize>(&mut self) -> ([Bit; N], [Values; N]) {
        let chosen: [_; N] = std::array::from_fn(|_| self.any());
        (chosen.map(|(bit, _)| bit), chosen.map(|(_, values)| values))
    }

    fn keep(&mut self, bit: Bit, values: Values) {
        self.bits.push((bit, values));
    }

    fn index(values: &[Values], input: usize) -> usize {
        values
            .iter()
            .enumerate()
            .fold(0, |index, (i, bit)| index | value(bit, input) << i)
    }

    fn step(&mut self) {
        match self.below(9) {
            0 | 1 => {
                let ([a, b], [x, y]) = self.several();
                let made = self.symbols.xor(a, b);
                self.keep(made, std::array::from_fn(|i| x[i] ^ y[i]));
            }
            2 | 3 => {
                let ([a, b], [x, y]) = self.several();
                if let Ok(made) = self.symbols.times(a, b) {
                    self.keep(made, std::array::from_fn(|i| x[i] & y[i]));
                }
            }
            4 => {
                let ([a, b], [x, y]) = self.several();
                if let Ok(made) = self.symbols.either(a, b) {
                    self.keep(made, std::array::from_fn(|i| x[i] | y[i]));
                }
            }
            5 => {
                let (bits, [x, y, z]) = self.several::<3>();
                let table = self.below(256) as u8;
                let row = |input| 4 * value(&x, input) + 2 * value(&y, input) + value(&z, input);
                if let Ok(made) = self.symbols.of_three(bits, table) {
                    self.keep(made, map(|input| table >> row(input) & 1 == 1));
                }
            }
            6 => {
                let (bits, values) = self.several::<4>();
                let table = if self.below(3) == 0 { LINEAR } else { SBOX };
                let (sbox, mut made) = (self.symbols.sbox(&table), Vec::new());
                if self.symbols.substituted(&bits, sbox, &mut made).is_ok() {
                    for (j, bit) in made.into_iter().enumerate() {
                        self.keep(
                            bit,
                            map(|input| table[Self::index(&values, input)] >> j & 1 == 1),
                        );
                    }
                }
            }
            7 => {
                let (bits, values) = self.several::<5>();
                let table: Vec<u64> = (0..32).map(|_| self.below(8) as u64).collect();
                if let Ok(made) = self.symbols.looked_up(&bits, &table, 3) {
                    for (j, bit) in made.into_iter().enumerate() {
                        self.keep(
                            bit,
                            map(|input| table[Self::index(&values, input)] >> j & 1 == 1),
                        );
                    }
                }
            }
            _ => {
                let (bits, values) = self.several::<6>();
                let places = [0, 2, 3, 5];
                let sum = self.symbols.sum_at(&bits, &places);
                self.keep(
                    sum,
                    std::array::from_fn(|i| {
                        places
                            .iter()
                            .fold(0, |sum, &at| sum ^ values[usize::from(at)][i])
                    }),
                );
                let (bit, values) = self.any();
                let settled = self.symbols.settled(bit);
                self.keep(settled, values);
            }
        }
    }
}

#[test]
fn equal_bits_are_equal_functions() {
    let (mut lost, mut together) = (0, 0);
    for seed in 0..200 {
        let mut program = Program::new(seed);
        for step in 0..120 {
            program.symbols.is_complete = step > 40;
            program.step();
        }
        let mut known: HashMap<Bit, Values> = HashMap::new();
        for &(bit, values) in &program.bits {
            let plain = if bit & 1 == 1 {
                values.map(|word| !word)
            } else {
                values
            };
            lost += usize::from(program.symbols.is_lost(bit));
            if let Some(before) = known.insert(bit >> 1, plain) {
                assert_eq!(before, plain, "seed {seed}: two functions are bit {bit}");
                together += 1;
            }
        }
    }
    assert!(
        lost > 500 && together > 500,
        "{lost} lost, {together} equal"
    );
}

#[test]
fn functions_of_one_cell_are_equal_bits() {
    let mut functions = 0;
    for seed in 0..50 {
        let mut program = Program::new(seed);
        program.bits.truncate(4);
        program
            .bits
            .extend([(0, map(|_| false)), (1, map(|_| true))]);
        let inputs: Vec<Bit> = program.bits[..4].iter().map(|&(bit, _)| bit).collect();
        let (sbox, mut made) = (program.symbols.sbox(&SBOX), Vec::new());
        program
            .symbols
            .substituted(&inputs, sbox, &mut made)
            .unwrap();
        for (j, bit) in made.into_iter().enumerate() {
            program.keep(bit, map(|input| SBOX[input & 15] >> j & 1 == 1));
        }
        program.symbols.is_complete = true;
        for _ in 0..200 {
            let ([a, b], [x, y]) = program.several();
            let (product, sum) = (
                program.symbols.times(a, b).unwrap(),
                program.symbols.xor(a, b),
            );
            program.keep(product, std::array::from_fn(|i| x[i] & y[i]));
            program.keep(sum, std::array::from_fn(|i| x[i] ^ y[i]));
        }
        let mut bits: HashMap<Values, Bit> = HashMap::new();
        for &(bit, values) in &program.bits {
            assert_eq!(
                *bits.entry(values).or_insert(bit),
                bit,
                "seed {seed}: one function is two bits"
            );
        }
        functions += bits.len();
    }
    assert!(functions > 2000, "{functions} functions");
}

#[test]
fn an_sbox_behind_any_constant_is_its_look_up() {
    let (mut symbols, mut program) = (Symbols::new(), Program::new(7));
    let mut table: Vec<u8> = (0..=255).collect();
    for i in (1..256).rev() {
        table.swap(i, program.below(i + 1));
    }
    let (x, sbox) = (symbols.fresh(8), symbols.sbox(&table));
    let values: Vec<u64> = table.iter().map(|&value| value.into()).collect();
    for constant in 0..256 {
        let moved: Vec<Bit> = (0..8).map(|i| x[i] ^ (constant >> i & 1)).collect();
        let mut made = Vec::new();
        symbols.substituted(&moved, sbox, &mut made).unwrap();
        assert_eq!(symbols.looked_up(&moved, &values, 8).unwrap(), made);
        assert!(made.iter().all(|&bit| symbols.is_sum(bit)));
    }
    // Functions of one cell, and more than a word has bits.
    assert!(symbols.count() > 200, "{} symbols", symbols.count());
}

/// a (b + c) + d is one instruction where a description has two, or another sum as its factor.
#[test]
fn a_product_of_sums_is_known_however_it_is_multiplied_out() {
    let mut functions = 0;
    for table in 0..=255 {
        // Each way to write the same function: one product of two sums, with or without a sum added.
        for (p, q) in [
            (0b001, 0b110),
            (0b010, 0b101),
            (0b100, 0b011),
            (0b101, 0b110),
        ] {
            let mut symbols = Symbols::new();
            let bits: [Bit; 3] = symbols.fresh(3).try_into().expect("three");
            let sum_of = |symbols: &mut Symbols, set: usize| {
                (0..3)
                    .filter(|i| set >> i & 1 == 1)
                    .fold(0, |sum, i| symbols.xor(sum, bits[2 - i]))
            };
            let bit_of = |set: usize, row: usize| (set & row).count_ones() & 1;
            let linear = (0..16).find(|&set: &usize| {
                (0..8).all(|row| {
                    let product = bit_of(p, row) & bit_of(q, row);
                    product ^ bit_of(set & 7, row) ^ (set >> 3) as u32
                        == u32::from(table) >> row & 1
                })
            });
            let Some(set) = linear else { continue };
            let (left, right) = (sum_of(&mut symbols, p), sum_of(&mut symbols, q));
            let product = symbols.times(left, right).expect("sums");
            let rest = sum_of(&mut symbols, set & 7) ^ (set >> 3) as Bit;
            let described = symbols.xor(product, rest);
            symbols.is_complete = true;
            assert_eq!(symbols.of_three(bits, table), Ok(described), "{table:#x}");
            let third = symbols.xor(left, right);
            let other = symbols.times(left, third).expect("sums");
            assert_eq!(symbols.xor(other, left), product, "p (p + q) + p = p q");
            functions += 1;
        }
    }
    assert_eq!(functions, 4 * 16);
}
