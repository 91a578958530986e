//! Constants against `spec/`.

use super::constants::{AREION, HARAKA, HARAKA_UNMIXED, unmixed};

#[test]
fn constants_are_those_of_spec() {
    let mut compared = 0;
    for family in roundworks_vectors::permutations() {
        let ours: &[_] = match family.family.as_str() {
            "areion" => &AREION,
            "haraka" => &HARAKA,
            _ => &[],
        };
        let listed = family.round_constants.iter().map(|c| &c.0[..]);
        assert!(
            listed.eq(ours.iter().map(|c: &[u8; 16]| &c[..])),
            "spec/{}",
            family.family
        );
        compared += ours.len();
    }
    assert_eq!(compared, AREION.len() + HARAKA.len());
}

#[test]
fn unmixed_is_inv_mix_columns() {
    // First column of round 1. [FIPS197, appendix B]
    let mut mixed = [0; 16];
    mixed[..4].copy_from_slice(&[0x04, 0x66, 0x81, 0xe5]);
    assert_eq!(unmixed([mixed])[0][..4], [0xd4, 0xbf, 0x5d, 0x30]);
    // Four times MixColumns is nothing, so three times InvMixColumns goes the other way.
    let thrice = unmixed(unmixed(unmixed(HARAKA_UNMIXED)));
    assert_eq!(thrice, HARAKA);
}
