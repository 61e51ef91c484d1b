//! Enums with data: stored as serde writes the enum, refused by the validator exactly when the client refuses the
//! value, and found by variant.

mod adjacent;
mod arrays;
mod beside;
mod embedded;
mod models;
mod property;
mod updates;

use schema_runtime::{prelude::*, schema};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "posts")]
#[index(body.author)]
#[index(body.stars)]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    body: Body,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    aside: Option<Body>,
    #[relation(one_to_few, embed, max = 5)]
    blocks: Vec<Body>,
}

/// Each form of a variant: fields, renamed fields, a struct.
#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Body {
    Text {
        author: String,
        #[bound(max_len = 10)]
        caption: String,
        #[bound(max_items = 3, max_len = 4)]
        tags: Vec<String>,
    },
    Picture {
        author: String,
        #[bound(max_len = 20)]
        caption: String,
        #[serde(rename = "px")]
        size: i32,
        alt_text: Option<String>,
    },
    #[serde(rename = "vote")]
    Poll { author: String, stars: i64 },
}

fn text(caption: &str) -> Body {
    Body::Text { author: "Ada".to_owned(), caption: caption.to_owned(), tags: vec!["a".to_owned()] }
}

fn picture(caption: &str) -> Body {
    Body::Picture { author: "Ben".to_owned(), caption: caption.to_owned(), size: 5, alt_text: None }
}

fn poll(stars: i64) -> Body {
    Body::Poll { author: "Ada".to_owned(), stars }
}

fn post(id: i64, body: Body) -> Post {
    Post { id, body, aside: None, blocks: vec![] }
}

async fn start() -> Database {
    let db = database().await;
    schema![Post].plan(&db).await.unwrap().apply(&db).await.unwrap();
    db
}

async fn ids(db: &Database, filter: Filter<Post>) -> Vec<i64> {
    let found = Post::find(filter).sort(Post::F.id.asc()).fetch_all(db).await.unwrap();
    found.into_iter().map(|post| post.id).collect()
}
