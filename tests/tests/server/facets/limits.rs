//! Facets that are over the limits of one command, and numbers over the limits of a type.

use schema_runtime::{AggregateError, prelude::*};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "files")]
struct File {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 2_000_000)]
    content: String,
    owner: String,
    size: i64,
}

#[derive(Projection, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = File)]
struct Content {
    content: String,
}

#[derive(Facets, Deserialize, Clone, Debug, PartialEq)]
#[facets(of = File)]
struct Contents {
    #[page(limit = 20, order = asc(owner))]
    files: Vec<Content>,
    #[count]
    total: i64,
}

#[derive(Facets, Deserialize, Clone, Debug, PartialEq)]
#[facets(of = File)]
struct Sizes {
    #[sum(size)]
    bytes: i64,
}

fn file(id: i64, length: usize, size: i64) -> File {
    File { id, content: "x".repeat(length), owner: "me".to_owned(), size }
}

#[tokio::test]
async fn the_error_of_facets_over_16_mb_names_the_remedy() {
    let db = database().await;
    for id in 0..12 {
        File::insert(&db, &file(id, 1_900_000, 1)).await.unwrap();
    }
    let error = File::facets::<Contents>().fetch(&db).await.unwrap_err();
    assert!(matches!(error, Error::Aggregate(AggregateError::FacetsTooLarge { model: "File" })), "{error:?}");
    assert!(error.to_string().contains("separately()"), "{error}");
    let apart = File::facets::<Contents>().separately().fetch(&db).await.unwrap();
    assert_eq!((apart.files.len(), apart.total), (12, 12));
    assert!(apart.files.iter().all(|file| file.content.len() == 1_900_000));
}

#[tokio::test]
async fn a_sum_over_64_bits_is_an_error() {
    let db = database().await;
    File::insert_many(&db, [file(1, 1, i64::MAX), file(2, 1, 1)]).await.unwrap();
    for search in [File::facets::<Sizes>(), File::facets::<Sizes>().separately()] {
        let error = search.fetch(&db).await.unwrap_err();
        assert!(matches!(error, Error::Aggregate(AggregateError::Overflow { .. })), "{error:?}");
    }
    let fits = File::facets::<Sizes>().filter(File::F.id.eq(1)).fetch(&db).await.unwrap();
    assert_eq!(fits.bytes, i64::MAX);
}
