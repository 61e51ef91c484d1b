//! The rules about the tokens refuse the random collections that a server refuses, and accept the collections that a
//! server makes. A test of a server judges the same collections.

#[path = "../../../tests/tests/server/collections/property/attributes.rs"]
mod attributes;
#[allow(dead_code, reason = "the test of a server uses the rest")]
#[path = "../../../tests/tests/server/collections/property/cases.rs"]
mod cases;
#[allow(dead_code, reason = "the test of a server uses the rest")]
#[path = "../../../tests/tests/server/collections/property/verdict.rs"]
mod verdict;

use proc_macro2::TokenStream;
use proptest::{
    prelude::*,
    test_runner::{Config, TestRng, TestRunner},
};

use crate::pipeline;

#[test]
fn the_rules_refuse_the_random_collections_that_the_server_refuses() {
    let config = Config { cases: 2_000, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(config.rng_algorithm);
    let result = TestRunner::new_with_rng(config, rng).run(&cases::things(), |things| {
        let source = things.source();
        let item: TokenStream = source.parse().expect("tokens");
        let code = pipeline::derive_model(item).to_string();
        let is_refused = code.contains("compile_error");
        let refusal = verdict::of(&things);
        prop_assert_eq!(is_refused, refusal.is_some(), "{:?}: {}", refusal, source);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}
