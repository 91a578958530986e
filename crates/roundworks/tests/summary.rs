//! The last line of the tests: which back ends ran. Cargo runs test programs by name, so this one
//! comes after `suite`.

use roundworks::Backend;

#[path = "suite/backends.rs"]
mod backends;

#[test]
fn back_ends() {
    let usable = backends::usable("back ends", &Backend::ALL);
    // Of an emulated CPU it is known what it lacks: a back end more is a detection gone wrong.
    if std::env::var_os("ROUNDWORKS_NO_OTHER_BACKENDS").is_some() {
        assert_eq!(usable, backends::required(), "back ends detected, required");
    }
    let names = |list: Vec<Backend>| list.iter().map(|b| b.name()).collect::<Vec<_>>().join(", ");
    let skipped = names(
        Backend::ALL
            .into_iter()
            .filter(|b| !usable.contains(b))
            .collect(),
    );
    let skipped = if skipped.is_empty() {
        String::from("none")
    } else {
        skipped
    };
    backends::report(&format!("ran {}; skipped {skipped}", names(usable)));
}
