//! Everything that must not compile, with the words it is refused in. One folder a rule.
//!
//! Bless new wording with `TRYBUILD=overwrite cargo test -p schema-tests --test ui`, then read the difference.

#[test]
fn refused_schemas() {
    trybuild::TestCases::new().compile_fail("ui/*/*.rs");
}
