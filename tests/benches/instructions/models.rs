//! What both sides read and write.

use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "articles")]
pub(crate) struct Article {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[bound(max_len = 200)]
    pub(crate) title: String,
    #[bound(max = 1_000, max_len = 40)]
    pub(crate) tags: Vec<String>,
    #[relation(one_to_few, embed, max = 5)]
    pub(crate) authors: Vec<Author>,
    pub(crate) published: DateTime,
    pub(crate) views: i64,
    pub(crate) score: f64,
    pub(crate) subtitle: Option<String>,
    #[bound(max_len = 1_000)]
    pub(crate) text: String,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
pub(crate) struct Author {
    pub(crate) name: String,
    #[bound(max_len = 100)]
    pub(crate) city: String,
}

pub(crate) fn article(id: i64) -> Article {
    let author = |name: &str| Author { name: name.to_owned(), city: "Oslo".to_owned() };
    Article {
        id,
        title: format!("Article number {id}"),
        tags: vec!["news".to_owned(), "science".to_owned(), "long".to_owned()],
        authors: vec![author("Ada"), author("Grace")],
        published: DateTime::from_millis(id * 1_000),
        views: id,
        score: 0.5,
        subtitle: None,
        text: "words ".repeat(60),
    }
}
