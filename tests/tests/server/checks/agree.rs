//! The crate, the server, pymongo and a plain description of the rules agree on values near the limits.

use std::collections::BTreeSet;

use schema_runtime::{check_stored, prelude::*, schema};
use schema_tests::scale;

use super::models::{Numbers, checked, expected, unchecked};
use crate::python::Program;

/// The program: inserts each staged document into the collection, and prints whether the server takes the document.
const PROGRAM: &str = r#"
import sys
import pymongo
from bson.codec_options import CodecOptions
from bson.raw_bson import RawBSONDocument

database = pymongo.MongoClient(sys.argv[1])[sys.argv[2]]
options = CodecOptions(document_class=RawBSONDocument)
target = database.get_collection("goods", codec_options=options)
for document in database.get_collection("staged", codec_options=options).find().sort("_id"):
    try:
        target.insert_one(document)
        print("taken", flush=True)
    except pymongo.errors.WriteError as error:
        print("refused" if error.code == 121 else error, flush=True)
"#;

/// Returns the paths and the rules of an error; an exceeded bound is a rule.
fn found(error: &Error) -> BTreeSet<(String, String)> {
    match error.cause() {
        Error::DocumentInvalid { failures, .. } => {
            failures.iter().map(|failed| (failed.field.clone(), failed.rule.clone())).collect()
        }
        Error::BoundExceeded { field, others, .. } => {
            others.iter().map(|other| &other.field).chain([field]).map(|field| (field.clone(), String::new())).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn crate_server_and_pymongo_agree_on_random_values() {
    let db = schema_tests::database().await;
    schema![checked::Good].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let (mut numbers, mut again, mut wrong) = (Numbers(88_172_645_463_325_252), Numbers(88_172_645_463_325_252), 0);
    let staged = db.collection::<unchecked::Good>("staged");
    let count = i64::from(scale::PROPERTY_CASES.of(1_500));
    let mut are_right = Vec::new();
    for id in 1..=count {
        let (strict, loose) = (checked::random(id, &mut numbers), unchecked::random(id, &mut again));
        let expected: BTreeSet<(String, String)> =
            expected(&strict).into_iter().map(|(path, rule)| (path, rule.to_owned())).collect();
        let is_bound = |rule: &str| matches!(rule, "maxLength" | "maxItems" | "maxProperties");
        let only_bounds = expected.iter().all(|(_, rule)| is_bound(rule));
        let named = |list: &BTreeSet<(String, String)>| -> BTreeSet<(String, String)> {
            let shown = |(path, rule): &(String, String)| {
                (path.clone(), if only_bounds { String::new() } else { rule.clone() })
            };
            list.iter().map(shown).collect()
        };
        let by_crate = check_stored_faults(&strict);
        assert_eq!(by_crate, named(&expected), "{strict:?}");

        staged.insert_one(&loose).await.unwrap();
        let by_server = match unchecked::Good::insert(&db, &loose).await {
            Ok(()) => BTreeSet::new(),
            Err(error) => found(&error),
        };
        // The server reports the first wrong element of an array alone.
        let is_known = |fault: &(String, String)| fault.1.is_empty() || expected.contains(fault);
        assert!(by_server.iter().all(is_known), "{by_server:?} {loose:?}");
        assert_eq!(by_server.is_empty(), expected.is_empty(), "{by_server:?} {expected:?} {loose:?}");
        wrong += usize::from(!expected.is_empty());
        are_right.push(expected.is_empty());
    }
    assert!(wrong > are_right.len() / 4 && wrong < are_right.len(), "{wrong}");
    unchecked::Good::delete_many(&db, Filter::all()).await.unwrap();
    let mut program = Program::start(PROGRAM, &[schema_tests::server().await.uri(), db.name()]);
    for (at, is_right) in are_right.into_iter().enumerate() {
        assert_eq!(program.line(), if is_right { "taken" } else { "refused" }, "document {}", at + 1);
    }
}

/// Returns the faults that the crate finds.
fn check_stored_faults(value: &checked::Good) -> BTreeSet<(String, String)> {
    match check_stored(value) {
        Ok(()) => BTreeSet::new(),
        Err(error) => found(&error),
    }
}
