//! The documents in the clients' format: an id is hexadecimal text, a date is RFC 3339.

use schema_runtime::prelude::*;

use crate::models::{Author, Post};

#[derive(Serialize)]
pub(crate) struct AuthorView {
    id: String,
    name: String,
    email: String,
}

impl From<Author> for AuthorView {
    fn from(author: Author) -> Self {
        AuthorView { id: author.id.to_hex(), name: author.name, email: author.email }
    }
}

// ANCHOR: post_view
/// A post as clients see the post.
#[derive(Serialize)]
pub(crate) struct PostView {
    id: String,
    author: String,
    author_name: String,
    title: String,
    text: String,
    version: i64,
    created: String,
}

impl From<Post> for PostView {
    fn from(post: Post) -> Self {
        PostView {
            id: post.id.to_hex(),
            author: post.author.to_string(),
            author_name: post.author_name,
            title: post.title,
            text: post.text,
            version: post.version,
            created: post.created.try_to_rfc3339_string().unwrap_or_default(),
        }
    }
}
// ANCHOR_END: post_view

/// A page of posts, and the token that asks for the next page.
#[derive(Serialize)]
pub(crate) struct PostsView {
    pub(crate) posts: Vec<PostView>,
    pub(crate) next: Option<String>,
}
