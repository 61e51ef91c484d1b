//! The models that both sides read and write.

use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "articles")]
pub(crate) struct Article {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[bound(max_len = 200)]
    pub(crate) title: String,
    #[bound(max_items = 1_000, max_len = 40)]
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

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "makers")]
pub(crate) struct Maker {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[copied_to(Part::maker_name, fan_out = 500)]
    pub(crate) name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
pub(crate) struct Part {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[copied_to(Product::parts, fan_out = 500)]
    pub(crate) name: String,
    #[relation(one_to_many, parent_ref)]
    pub(crate) maker: Ref<Maker>,
    #[denormalize(from = maker.name)]
    pub(crate) maker_name: String,
    pub(crate) qty: i32,
}

#[derive(Embed, Serialize, Deserialize)]
pub(crate) struct PartRef {
    pub(crate) id: Ref<Part>,
    #[denormalize(from = id.name)]
    pub(crate) name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
pub(crate) struct Product {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_many, child_refs, by = id, max = 200)]
    pub(crate) parts: Vec<PartRef>,
}
