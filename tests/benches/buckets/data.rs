//! The models and the documents: comments on posts in buckets of 50, and the same comments as documents of their own.

use std::sync::atomic::{AtomicI64, Ordering};

use futures_util::TryStreamExt;
use schema_runtime::{
    bson::{Document, doc},
    local::Server,
    mongodb::{
        IndexModel,
        options::{DatabaseOptions, WriteConcern},
    },
    prelude::*,
};

/// The number of posts, and the number of comments of each post, for data that fit into the server's cache.
const SMALL: (i64, i64) = (200, 500);
/// The numbers for data of a multiple of the cache: 2 x 1,000,000 comments of about 400 bytes, and [`CACHE`].
const LARGE: (i64, i64) = (4_000, 250);
/// The least cache that a server has, in GB.
const CACHE: f64 = 0.25;
/// The number of comments on a page.
pub(crate) const PAGE: i64 = 50;
/// The collection of buckets that are written by hand.
pub(crate) const PUSHED_BY_HAND: &str = "pushed_by_hand";

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
    /// The database. A majority has every write, on both sides.
    pub(crate) db: Database,
    posts: i64,
    pages: i64,
    post: AtomicI64,
    inserted: AtomicI64,
    /// The server of the data. The server ends with the data.
    _server: Option<Server>,
}

pub(crate) fn comment(id: i64, post: i64) -> Comment {
    // Like a natural text: no two texts are equal, and compression does not shrink the texts to nothing.
    let mut words = fastrand::Rng::with_seed(id.cast_unsigned());
    let text: String = (0..260).map(|_| if words.u8(0..6) == 0 { ' ' } else { words.lowercase() }).collect();
    let author = format!("author {}", id % 97);
    Comment { id, post: Ref::new(post), created_on: DateTime::from_millis(id * 1_000), author, text }
}

pub(crate) fn linked(Comment { id, post, created_on, author, text }: Comment) -> LinkedComment {
    LinkedComment { id, post, created_on, author, text }
}

impl Data {
    pub(crate) async fn small() -> Self {
        Self::store(schema_tests::database().await, SMALL, None).await
    }

    /// Stores the data on a separate server that reads from the disk, and not from the memory of the system: this
    /// machine has more memory than data, unlike the machine of a database worth the measurement.
    pub(crate) async fn large() -> Self {
        let direct = ["--wiredTigerEngineConfigString", "direct_io=[data]"];
        let server = Server::builder().own(true).cache_gigabytes(CACHE).arguments(direct);
        let server = server.start().await.expect("a server");
        let db = server.database("large").await.expect("a database");
        Self::store(db, LARGE, Some(server)).await
    }

    async fn store(db: Database, (posts, comments): (i64, i64), server: Option<Server>) -> Self {
        let mut options = DatabaseOptions::default();
        options.write_concern = Some(WriteConcern::majority());
        let db = db.client().database_with_options(db.name(), options);
        let schema = schema![Post, Comment, LinkedComment];
        schema.plan(&db).await.expect("a plan").apply(&db).await.expect("the plan applied");
        let all = (0..posts).map(|id| Post { id, title: format!("post {id}") });
        Post::insert_many(&db, all.collect::<Vec<_>>()).await.expect("posts");
        let pages = comments / PAGE;
        for page in 0..pages {
            // In the order of arrival: comments of all posts arrive concurrently, and the comments of a post are not
            // side by side.
            for at in page * PAGE..(page + 1) * PAGE {
                let arrived = (0..posts).map(|post| linked(comment(at * posts + post, post)));
                LinkedComment::insert_many(&db, arrived.collect::<Vec<_>>()).await.expect("comments");
            }
            for post in 0..posts {
                let arrived = (page * PAGE..(page + 1) * PAGE).map(|at| comment(at * posts + post, post));
                Comment::insert_many(&db, arrived.collect::<Vec<_>>()).await.expect("comments");
            }
        }
        prepare_pushed_by_hand(&db).await;
        let inserted = AtomicI64::new(posts * comments);
        Data { db, posts, pages, post: AtomicI64::new(0), inserted, _server: server }
    }

    /// Returns a post and a page number of the post, from 1 on; both sides get each pair twice.
    pub(crate) fn next(&self) -> (Post, i64) {
        // The step has no common factor with the number of posts: the posts repeat only after a long time.
        let at = self.post.fetch_add(1, Ordering::Relaxed) / 4 * 1_237;
        (Post { id: at % self.posts, title: String::new() }, at % self.pages + 1)
    }

    /// Returns the `_id` of the next inserted comment.
    pub(crate) fn new_id(&self) -> i64 {
        self.inserted.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns the time of the last comment of the page before this page.
    pub(crate) fn before(&self, post: i64, page: i64) -> DateTime {
        DateTime::from_millis((((page - 1) * PAGE - 1) * self.posts + post) * 1_000)
    }
}

/// Makes a collection with the validator of the buckets, and the index that the bucket pattern needs.
async fn prepare_pushed_by_hand(db: &Database) {
    let mut listed = db.list_collections().filter(doc! { "name": "comments" }).await.expect("a list");
    let options = listed.try_next().await.expect("a list").expect("the buckets").options;
    let created = db.create_collection(PUSHED_BY_HAND).validator(options.validator.expect("a validator"));
    created.await.expect("a collection");
    let index = IndexModel::builder().keys(doc! { "post": 1, "count": 1 }).build();
    db.collection::<Document>(PUSHED_BY_HAND).create_index(index).await.expect("an index");
}
