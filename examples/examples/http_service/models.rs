//! The models of a blog: authors, and posts with a copy of the author's name.

use schema_runtime::prelude::*;

// ANCHOR: models
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
#[inverse(posts = Post::author, on_delete = restrict)]
pub(crate) struct Author {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    #[bound(max_len = 60)]
    #[copied_to(Post::author_name)]
    pub(crate) name: String,
    #[bound(max_len = 254)]
    #[index(unique)]
    pub(crate) email: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[query(newest, order = desc(created), page = 20, per_day = 50_000)]
pub(crate) struct Post {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    pub(crate) author: Ref<Author>,
    #[bound(max_len = 60)]
    #[denormalize(from = author.name)]
    pub(crate) author_name: String,
    #[bound(max_len = 120)]
    pub(crate) title: String,
    #[bound(max_len = 20_000)]
    pub(crate) text: String,
    #[version]
    pub(crate) version: i64,
    #[created_at]
    pub(crate) created: DateTime,
}
// ANCHOR_END: models

impl Post {
    /// Makes a new post. The insert fills the name of the author and the time.
    pub(crate) fn new(author: Ref<Author>, title: String, text: String) -> Self {
        Post {
            id: ObjectId::new(),
            author,
            author_name: String::new(),
            title,
            text,
            version: 0,
            created: DateTime::now(),
        }
    }
}
