//! The models of the tests of search indexes.

use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
pub(crate) struct Maker {
    #[serde(rename = "fullName")]
    pub(crate) name: String,
    pub(crate) country: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[search_index(
    title = text(analyzer = "lucene.norwegian"),
    title = autocomplete,
    brand = facet,
    price = facet,
    sold = facet,
    maker.name = text,
    maker.country = facet,
    name = text(search_analyzer = "lucene.keyword"),
)]
#[vector_index(embedding, dimensions = 3, similarity = dot_product, filter(brand, maker.country))]
pub(crate) struct Product {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) title: String,
    pub(crate) name: String,
    #[serde(rename = "b")]
    pub(crate) brand: String,
    pub(crate) price: i64,
    pub(crate) sold: Option<DateTime>,
    #[relation(one_to_one, embed)]
    pub(crate) maker: Maker,
    #[bound(max_items = 3)]
    pub(crate) embedding: Vec<f32>,
}

/// The same collection with a changed search index, and a vector index of another name.
pub(crate) mod changed {
    use schema_runtime::prelude::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "products")]
    #[search_index(dynamic, title = text)]
    #[vector_index(embedding, name = "by_meaning", dimensions = 3, similarity = cosine)]
    pub(crate) struct Product {
        #[serde(rename = "_id")]
        pub(crate) id: i64,
        pub(crate) title: String,
        #[bound(max_items = 3)]
        pub(crate) embedding: Vec<f64>,
    }
}

/// The same collection, with a vector index under the name of the search index.
pub(crate) mod of_another_type {
    use schema_runtime::prelude::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "products")]
    #[vector_index(embedding, name = "default", dimensions = 3, similarity = euclidean)]
    pub(crate) struct Product {
        #[serde(rename = "_id")]
        pub(crate) id: i64,
        #[bound(max_items = 3)]
        pub(crate) embedding: Vec<f64>,
    }
}

/// A second model with a search index.
pub(crate) mod beside {
    use schema_runtime::prelude::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "others")]
    #[search_index(dynamic)]
    pub(crate) struct Other {
        #[serde(rename = "_id")]
        pub(crate) id: i64,
    }
}

/// Models of the kinds that have search indexes.
pub(crate) mod kinds {
    use schema_runtime::prelude::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "logs", capped(size = "1MiB"))]
    #[search_index(text = text)]
    pub(crate) struct Log {
        #[serde(rename = "_id")]
        pub(crate) id: i64,
        #[index(unique)]
        pub(crate) text: String,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "sessions", clustered)]
    #[index(text(words))]
    #[vector_index(meaning, dimensions = 2, similarity = cosine)]
    pub(crate) struct Session {
        #[serde(rename = "_id")]
        pub(crate) id: i64,
        pub(crate) words: String,
        #[bound(max_items = 2)]
        pub(crate) meaning: Option<Vec<f64>>,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "posts")]
    #[serde(tag = "kind")]
    #[search_index(title = text, length = facet)]
    pub(crate) enum Post {
        Text {
            #[serde(rename = "_id")]
            id: i64,
            title: String,
        },
        Film {
            #[serde(rename = "_id")]
            id: i64,
            title: String,
            length: i32,
        },
    }
}
