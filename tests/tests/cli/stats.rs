//! `stats`: sizes, the longest arrays beside the bounds, and the use of the indexes.

use schema_tests::copies::{self, Place};

use crate::program::Program;

#[tokio::test]
async fn the_figures_of_a_database() {
    let program = Program::with("copies").await;
    let ended = program.run(&["stats"]).await;
    assert_eq!((ended.with(0), &*ended.stderr), ("no collection of the schema is stored\n", ""));
    assert!(program.db.list_collection_names().await.expect("names").is_empty());

    copies::prepare(&program.db).await;
    Place(1).begin(&program.db).await.expect("documents");
    let ended = program.run(&["stats"]).await;
    let text = ended.with(0);
    assert!(text.contains("items (Item): 2 documents of "), "{text}");
    assert!(text.contains("of at most 16.8 MB\n"), "{text}");
    assert!(text.contains("\n  tags: at most 3 elements in a sample, the bound is 40\n"), "{text}");
    assert!(text.contains("\n  index _id_: "), "{text}");

    let (code, json) = program.json(&["stats"]).await;
    assert_eq!(code, Some(0));
    let collections = json["collections"].as_array().expect("collections");
    let items = collections.iter().find(|collection| collection["model"] == "Item").expect("the items");
    assert_eq!((&items["documents"], &items["arrays"][0]["bound"]), (&2.into(), &40.into()), "{json}");
    assert!(items["bytes"].as_u64() > Some(0) && items["largest_sampled"].as_u64() > Some(0), "{json}");
    assert!(items["indexes"].as_array().is_some_and(|indexes| indexes.len() > 1), "{json}");
}
