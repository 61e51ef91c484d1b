//! The documents, and the bodies of requests that are no whole documents.

use schema_runtime::{patch::nullable, prelude::*};

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
#[serde(rename_all = "camelCase")]
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
    #[bound(max_items = 5)]
    pub(crate) tags: Vec<String>,
    pub(crate) published: Option<DateTime>,
    #[created_at]
    pub(crate) created: DateTime,
    /// The address of the client; never in an answer.
    #[json(skip)]
    #[bound(max_len = 45)]
    pub(crate) client: Option<String>,
}

/// The body of `POST /authors`.
#[derive(Embed, Serialize, Deserialize)]
pub(crate) struct AuthorInput {
    pub(crate) name: String,
    pub(crate) email: String,
}

/// The body of `POST /posts`.
#[derive(Embed, Serialize, Deserialize)]
pub(crate) struct PostInput {
    pub(crate) author: Ref<Author>,
    pub(crate) title: String,
    pub(crate) text: String,
    #[bound(max_items = 5)]
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    pub(crate) published: Option<DateTime>,
}

impl PostInput {
    /// Makes the post. The insert fills the name of the author and the time.
    pub(crate) fn into_post(self, client: Option<String>) -> Post {
        let PostInput { author, title, text, tags, published } = self;
        let (id, author_name, created) = (ObjectId::new(), String::new(), DateTime::now());
        Post { id, author, author_name, title, text, tags, published, created, client }
    }
}

/// The body of `PATCH /posts/{id}`: an absent field does not change. Null removes the date.
#[derive(Patch, Default, Deserialize)]
#[patch(Post)]
#[serde(default)]
pub(crate) struct EditPost {
    title: Option<String>,
    text: Option<String>,
    tags: Option<Vec<String>>,
    #[serde(with = "nullable")]
    published: Option<Option<DateTime>>,
}

/// The body of `PATCH /authors/{id}`.
#[derive(Patch, Default, Deserialize)]
#[patch(Author)]
#[serde(default)]
pub(crate) struct EditAuthor {
    name: Option<String>,
    email: Option<String>,
}
