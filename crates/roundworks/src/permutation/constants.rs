//! Round constants, from digits of pi. As in the papers: numbers, least significant byte first in
//! memory.
#![forbid(unsafe_code)]

use crate::aes::Lane;

const fn lanes<const N: usize>(numbers: [u128; N]) -> [Lane; N] {
    let mut lanes = [[0; 16]; N];
    let mut i = 0;
    while i < N {
        lanes[i] = numbers[i].to_le_bytes();
        i += 1;
    }
    lanes
}

/// InvMixColumns of each: what `aesdec` adds where `aesenc` added the constant.
/// [FIPS197, section 5.3.5]
pub(crate) const fn unmixed<const N: usize>(mut lanes: [Lane; N]) -> [Lane; N] {
    let mut i = 0;
    while i < 4 * N {
        let (lane, at) = (i / 4, i % 4 * 4);
        let a = lanes[lane];
        let mut row = 0;
        while row < 4 {
            lanes[lane][at + row] = times(a[at + row], 14)
                ^ times(a[at + (row + 1) % 4], 11)
                ^ times(a[at + (row + 2) % 4], 13)
                ^ times(a[at + (row + 3) % 4], 9);
            row += 1;
        }
        i += 1;
    }
    lanes
}

/// In the field of AES. [FIPS197, section 4.2]
const fn times(a: u8, by: u8) -> u8 {
    let (mut sum, mut power, mut bit) = (0, a, 0);
    while bit < 4 {
        if by >> bit & 1 == 1 {
            sum ^= power;
        }
        power = power << 1 ^ if power >> 7 == 1 { 0x1b } else { 0 };
        bit += 1;
    }
    sum
}

/// Of Areion and of the Feistel family. [AREION, section 3]
pub(crate) const AREION: [Lane; 64] = lanes([
    0x243f6a88_85a308d3_13198a2e_03707344,
    0xa4093822_299f31d0_082efa98_ec4e6c89,
    0x452821e6_38d01377_be5466cf_34e90c6c,
    0xc0ac29b7_c97c50dd_3f84d5b5_b5470917,
    0x9216d5d9_8979fb1b_d1310ba6_98dfb5ac,
    0x2ffd72db_d01adfb7_b8e1afed_6a267e96,
    0xba7c9045_f12c7f99_24a19947_b3916cf7,
    0x801f2e28_58efc166_36920d87_1574e690,
    0xa458fea3_f4933d7e_0d95748f_728eb658,
    0x718bcd58_82154aee_7b54a41d_c25a59b5,
    0x9c30d539_2af26013_c5d1b023_286085f0,
    0xca417918_b8db38ef_8e79dcb0_603a180e,
    0x6c9e0e8b_b01e8a3e_d71577c1_bd314b27,
    0x78af2fda_55605c60_e65525f3_aa55ab94,
    0x57489862_63e81440_55ca396a_2aab10b6,
    0xb4cc5c34_1141e8ce_a15486af_7c72e993,
    0xb3ee1411_636fbc2a_2ba9c55d_741831f6,
    0xce5c3e16_9b87931e_afd6ba33_6c24cf5c,
    0x7a325381_28958677_3b8f4898_6b4bb9af,
    0xc4bfe81b_66282193_61d809cc_fb21a991,
    0x487cac60_5dec8032_ef845d5d_e98575b1,
    0xdc262302_eb651b88_23893e81_d396acc5,
    0xf6d6ff38_3f442392_e0b4482a_48420040,
    0x69c8f04a_9e1f9b5e_21c66842_f6e96c9a,
    0x670c9c61_abd388f0_6a51a0d2_d8542f68,
    0x960fa728_ab5133a3_6eef0b6c_137a3be4,
    0xba3bf050_7efb2a98_a1f1651d_39af0176,
    0x66ca593e_82430e88_8cee8619_456f9fb4,
    0x7d84a5c3_3b8b5ebe_e06f75d8_85c12073,
    0x401a449f_56c16aa6_4ed3aa62_363f7706,
    0x1bfedf72_429b023d_37d0d724_d00a1248,
    0xdb0fead3_49f1c09b_075372c9_80991b7b,
    0x25d479d8_f6e8def7_e3fe501a_b6794c3b,
    0x976ce0bd_04c006ba_c1a94fb6_409f60c4,
    0x5e5c9ec2_196a2463_68fb6faf_3e6c53b5,
    0x1339b2eb_3b52ec6f_6dfc511f_9b30952c,
    0xcc814544_af5ebd09_bee3d004_de334afd,
    0x660f2807_192e4bb3_c0cba857_45c8740f,
    0xd20b5f39_b9d3fbdb_5579c0bd_1a60320a,
    0xd6a100c6_402c7279_679f25fe_fb1fa3cc,
    0x8ea5e9f8_db3222f8_3c7516df_fd616b15,
    0x2f501ec8_ad0552ab_323db5fa_fd238760,
    0x53317b48_3e00df82_9e5c57bb_ca6f8ca0,
    0x1a87562e_df1769db_d542a8f6_287effc3,
    0xac6732c6_8c4f5573_695b27b0_bbca58c8,
    0xe1ffa35d_b8f011a0_10fa3d98_fd2183b8,
    0x4afcb56c_2dd1d35b_9a53e479_b6f84565,
    0xd28e49bc_4bfb9790_e1ddf2da_a4cb7e33,
    0x62fb1341_cee4c6e8_ef20cada_36774c01,
    0xd07e9efe_2bf11fb4_95dbda4d_ae909198,
    0xeaad8e71_6b93d5a0_d08ed1d0_afc725e0,
    0x8e3c5b2f_8e7594b7_8ff6e2fb_f2122b64,
    0x8888b812_900df01c_4fad5ea0_688fc31c,
    0xd1cff191_b3a8c1ad_2f2f2218_be0e1777,
    0xea752dfe_8b021fa1_e5a0cc0f_b56f74e8,
    0x18acf3d6_ce89e299_b4a84fe0_fd13e0b7,
    0x7cc43b81_d2ada8d9_165fa266_80957705,
    0x93cc7314_211a1477_e6ad2065_77b5fa86,
    0xc75442f5_fb9d35cf_ebcdaf0c_7b3e89a0,
    0xd6411bd3_ae1e7e49_00250e2d_2071b35e,
    0x226800bb_57b8e0af_2464369b_f009b91e,
    0x5563911d_59dfa6aa_78c14389_d95a537f,
    0x207d5ba2_02e5b9c5_83260376_6295cfa9,
    0x11c81968_4e734a41_b3472dca_7b14a94a,
]);

/// Of Haraka v2, which are Pholkos' too. [HARAKA, section 2]
pub(crate) const HARAKA: [Lane; 40] = lanes([
    0x0684704c_e620c00a_b2c5fef0_75817b9d,
    0x8b66b4e1_88f3a06b_640f6ba4_2f08f717,
    0x3402de2d_53f28498_cf029d60_9f029114,
    0x0ed6eae6_2e7b4f08_bbf3bcaf_fd5b4f79,
    0xcbcfb0cb_4872448b_79eecd1c_be397044,
    0x7eeacdee_6e9032b7_8d5335ed_2b8a057b,
    0x67c28f43_5e2e7cd0_e2412761_da4fef1b,
    0x2924d9b0_afcacc07_675ffde2_1fc70b3b,
    0xab4d63f1_e6867fe9_ecdb8fca_b9d465ee,
    0x1c30bf84_d4b7cd64_5b2a404f_ad037e33,
    0xb2cc0bb9_941723bf_69028b2e_8df69800,
    0xfa0478a6_de6f5572_4aaa9ec8_5c9d2d8a,
    0xdfb49f2b_6b772a12_0efa4f2e_29129fd4,
    0x1ea10344_f449a236_32d611ae_bb6a12ee,
    0xaf044988_4b050084_5f9600c9_9ca8eca6,
    0x21025ed8_9d199c4f_78a2c7e3_27e593ec,
    0xbf3aaaf8_a759c9b7_b9282ecd_82d40173,
    0x6260700d_6186b017_37f2efd9_10307d6b,
    0x5aca45c2_21300443_81c29153_f6fc9ac6,
    0x9223973c_226b68bb_2caf92e8_36d1943a,
    0xd3bf9238_225886eb_6cbab958_e51071b4,
    0xdb863ce5_aef0c677_933dfddd_24e1128d,
    0xbb606268_ffeba09c_83e48de3_cb2212b1,
    0x734bd3dc_e2e4d19c_2db91a4e_c72bf77d,
    0x43bb47c3_61301b43_4b1415c4_2cb3924e,
    0xdba775a8_e707eff6_03b231dd_16eb6899,
    0x6df3614b_3c755977_8e5e2302_7eca472c,
    0xcda75a17_d6de7d77_6d1be5b9_b88617f9,
    0xec6b43f0_6ba8e9aa_9d6c069d_a946ee5d,
    0xcb1e6950_f957332b_a2531159_3bf327c1,
    0x2cee0c75_00da619c_e4ed0353_600ed0d9,
    0xf0b1a5a1_96e90cab_80bbbabc_63a4a350,
    0xae3db102_5e962988_ab0dde30_938dca39,
    0x17bb8f38_d554a40b_8814f3a8_2e75b442,
    0x34bb8a5b_5f427fd7_aeb6b779_360a16f6,
    0x26f65241_cbe55438_43ce5918_ffbaafde,
    0x4ce99a54_b9f3026a_a2ca9cf7_839ec978,
    0xae51a51a_1bdff7be_40c06e28_22901235,
    0xa0c1613c_ba7ed22b_c173bc0f_48a659cf,
    0x756acc03_02288288_4ad6bdfd_e9c59da1,
]);

pub(crate) const HARAKA_UNMIXED: [Lane; 40] = unmixed(HARAKA);
