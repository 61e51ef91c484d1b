//! The models and the documents: comments on posts in buckets of 50, and the same comments each in a document of its own.

use std::sync::atomic::{AtomicI64, Ordering};

use schema_runtime::{
    mongodb::options::{DatabaseOptions, WriteConcern},
    prelude::*,
};

/// How many posts there are.
const POSTS: i64 = 200;
/// How many comments each has.
const COMMENTS: i64 = 500;
/// How many are on one page.
pub(crate) const PAGE: i64 = 50;

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "posts")]
#[inverse(comments = Comment::post)]
pub(crate) struct Post {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[bound(max_len = 40)]
    title: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "comments", bucket(size = 50))]
pub(crate) struct Comment {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(created_on))]
    pub(crate) post: Ref<Post>,
    pub(crate) created_on: DateTime,
    #[bound(max_len = 40)]
    pub(crate) author: String,
    #[bound(max_len = 400)]
    pub(crate) text: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "linked_comments")]
pub(crate) struct LinkedComment {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(created_on))]
    pub(crate) post: Ref<Post>,
    pub(crate) created_on: DateTime,
    #[bound(max_len = 40)]
    pub(crate) author: String,
    #[bound(max_len = 400)]
    pub(crate) text: String,
}

pub(crate) struct Data {
    /// Every write is on a majority, on both sides.
    pub(crate) db: Database,
    post: AtomicI64,
    inserted: AtomicI64,
}

pub(crate) fn comment(id: i64, post: i64) -> Comment {
    let text = format!("comment {id}: ").repeat(12);
    let author = format!("author {}", id % 97);
    Comment { id, post: Ref::new(post), created_on: DateTime::from_millis(id * 1_000), author, text }
}

pub(crate) fn linked(Comment { id, post, created_on, author, text }: Comment) -> LinkedComment {
    LinkedComment { id, post, created_on, author, text }
}

impl Data {
    pub(crate) async fn store() -> Self {
        let db = schema_tests::database().await;
        let mut options = DatabaseOptions::default();
        options.write_concern = Some(WriteConcern::majority());
        let db = db.client().database_with_options(db.name(), options);
        let schema = schema![Post, Comment, LinkedComment];
        schema.plan(&db).await.expect("a plan").apply(&db).await.expect("the plan applied");
        let posts = (0..POSTS).map(|id| Post { id, title: format!("post {id}") });
        Post::insert_many(&db, posts.collect::<Vec<_>>()).await.expect("posts");
        // As they arrive: each post gets one after the other.
        for at in 0..COMMENTS / PAGE {
            let arrived = at * PAGE..(at + 1) * PAGE;
            let some: Vec<Comment> =
                arrived.flat_map(|at| (0..POSTS).map(move |post| comment(at * POSTS + post, post))).collect();
            Comment::insert_many(&db, &some).await.expect("comments");
            let some: Vec<LinkedComment> = some.into_iter().map(linked).collect();
            LinkedComment::insert_many(&db, &some).await.expect("comments");
        }
        Data { db, post: AtomicI64::new(0), inserted: AtomicI64::new(POSTS * COMMENTS) }
    }

    /// A post and one of its pages, from 1 on; both sides get each twice.
    pub(crate) fn next(&self) -> (Post, i64) {
        let at = self.post.fetch_add(1, Ordering::Relaxed) / 4 * 7;
        (Post { id: at % POSTS, title: String::new() }, at % (COMMENTS / PAGE) + 1)
    }

    /// The `_id` of a comment that is to be inserted.
    pub(crate) fn new_id(&self) -> i64 {
        self.inserted.fetch_add(1, Ordering::Relaxed)
    }

    /// When the last comment of the page before this one was written.
    pub(crate) fn before(post: i64, page: i64) -> DateTime {
        DateTime::from_millis((((page - 1) * PAGE - 1) * POSTS + post) * 1_000)
    }
}
