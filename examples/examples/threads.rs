//! The comments of posts in threads, by materialized paths: each comment stores the `_id`s of the comments above, from
//! the first comment on, in one text.
//!
//! A thread is shown depth first. The sort key is the path with the comment's own `_id` behind the path, so each
//! comment stands below the answered comment, and the answers to one comment follow each other in time. The own `_id`
//! is not part of the stored path, and so a subtree is one range of an index. The server finds by the path, and the
//! program sorts a page of at most some hundred comments.
//!
//! A page is a number of first comments, in the order of the `_id`s, with all comments below. The paths of the comments
//! below begin with the `_id`s of the first comments, so the comments below are one range too, from the first to the
//! last `_id`. A page takes two commands, with at most 500 answers.
//!
//! `cargo run --example threads` starts a MongoDB server; with `MONGODB_URI` the example runs on another server, in the
//! database `schema_example_threads`, and first empties the collections of the example.

use schema_runtime::{
    Error, Page, PageToken, TreeError, assert_indexed, assert_queries_indexed, bson::Document, local, prelude::*,
    transaction,
};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[inverse(comments = Comment::thread_id, on_delete = restrict)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 100)]
    title: String,
    #[computed(count(Comment::thread_id))]
    comments: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments")]
#[query(first_of(thread_id, parent), order = asc(id), page = 3, per_day = 50_000)]
#[query(below(thread_id, between(path)), order = asc(path), limit = 500, per_day = 50_000)]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    thread_id: Ref<Post>,
    #[tree(parent, max_depth = 20, on_delete = restrict)]
    parent: Option<Ref<Comment>>,
    #[tree(path)]
    path: TreePath<Comment>,
    #[tree(depth)]
    depth: i32,
    created: DateTime,
    #[bound(max_len = 40)]
    username: String,
    #[bound(max_len = 1_000)]
    body: String,
}

impl Comment {
    fn new(post: Ref<Post>, parent: Option<&Comment>, username: &str, body: &str) -> Self {
        Comment {
            id: ObjectId::new(),
            thread_id: post,
            parent: parent.map(Ref::to),
            path: TreePath::default(),
            depth: 0,
            created: DateTime::now(),
            username: username.to_owned(),
            body: body.to_owned(),
        }
    }

    /// Returns the sort key of the depth-first order.
    fn own_path(&self) -> String {
        format!("{}{}", self.path.as_str(), self.id)
    }
}

/// Answers a comment, in the same thread; the insert fills the path and the depth.
async fn reply(db: &Database, to: &Comment, username: &str, body: &str) -> Result<Comment> {
    let mut comment = Comment::new(to.thread_id, Some(to), username, body);
    Comment::create(db, &mut comment).await?;
    Ok(comment)
}

/// Returns a page of a thread, depth first, and the token of the next page.
async fn page(db: &Database, post: &Post, after: &Option<PageToken>) -> Result<(Vec<Comment>, Option<PageToken>)> {
    let first = Comment::first_of(post, None).after(after);
    assert_indexed(&first, db).await;
    let Page { items: mut comments, next, .. } = first.fetch(db).await?;
    if let [first, ..] = &comments[..] {
        let last = &comments[comments.len() - 1];
        // In the order of characters a `;` follows a `:`.
        let below = Comment::below(post, format!("{}:", first.id)..format!("{};", last.id));
        assert_indexed(&below, db).await;
        comments.extend(below.fetch_all(db).await?);
    }
    comments.sort_by_cached_key(Comment::own_path);
    Ok((comments, next))
}

fn print<'a>(comments: impl IntoIterator<Item = &'a Comment>) {
    for comment in comments {
        println!("  {}{}: {}", "    ".repeat(comment.depth as usize), comment.username, comment.body);
    }
}

/// Prints the whole thread, page by page.
async fn print_thread(db: &Database, post: &Post) -> Result<Vec<Comment>> {
    let (mut all, mut token, mut pages) = (Vec::new(), None, 0);
    loop {
        let (comments, next) = page(db, post, &token).await?;
        all.extend(comments);
        (token, pages) = (next, pages + 1);
        if token.is_none() {
            break;
        }
    }
    println!("{} comments on {pages} pages:", all.len());
    print(&all);
    println!();
    Ok(all)
}

/// Prints a comment alone: the comments above, and all comments below.
async fn print_one(db: &Database, comment: &Comment) -> Result<()> {
    let below = comment.descendants().sort(Comment::F.path.asc()).limit(500);
    assert_indexed(&below, db).await;
    let mut below = below.fetch_all(db).await?;
    below.sort_by_cached_key(Comment::own_path);
    let above = comment.ancestors().fetch_all(db).await?;
    println!("{}", above.iter().map(|one| one.body.as_str()).collect::<Vec<_>>().join(" > "));
    print([comment].into_iter().chain(&below));
    println!();
    Ok(())
}

/// Deletes a comment alone: the answers to the comment become answers to the comment above. Both writes are done, or
/// nothing.
async fn delete(db: &Database, comment: &Comment) -> Result<u64> {
    let id = comment.id;
    transaction(db, |tx| async move {
        let promoted = Comment::promote_children(&tx, id).await?;
        Comment::delete_by_id(&tx, id).await?;
        Ok(promoted)
    })
    .await
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let db = local::connect("schema_example_threads").await?;
    for collection in ["posts", "comments"] {
        db.collection::<Document>(collection).drop().await?;
    }
    let schema = schema![Post, Comment];
    println!("{}", schema.plan(&db).await?.apply(&db).await?);

    let [post, other] =
        ["Hiding places", "Donuts"].map(|title| Post { id: ObjectId::new(), title: title.to_owned(), comments: 0 });
    Post::insert_many(&db, [&post, &other]).await?;
    let first = Comment::new(Ref::to(&post), None, "homer", "Now where did I put that beer ... DOH!");
    Comment::insert(&db, &first).await?;
    let fridge = reply(&db, &first, "marge", "In the fridge?").await?;
    let looked = reply(&db, &fridge, "homer", "I have looked there.").await?;
    let cellar = reply(&db, &first, "bart", "In the cellar!").await?;
    reply(&db, &looked, "lisa", "Behind the donuts?").await?;
    reply(&db, &cellar, "homer", "We have a cellar?").await?;
    let rest = (1..=5).map(|number| Comment::new(Ref::to(&post), None, "moe", &format!("Mine is better ({number})")));
    let elsewhere = (0..200).map(|_| Comment::new(Ref::to(&other), None, "homer", "Mmmh."));
    Comment::insert_many(&db, rest.chain(elsewhere)).await?;

    let shown = print_thread(&db, &post).await?;
    let depths: Vec<i32> = shown.iter().map(|comment| comment.depth).collect();
    assert_eq!(depths, [0, 1, 2, 3, 1, 2, 0, 0, 0, 0, 0]);
    println!("The third comment, below what it answers:");
    print_one(&db, &shown[2]).await?;

    println!("Another answer was meant, and a comment goes there with all that is below it:");
    Comment::move_under(&db, looked.id, cellar.id).await?;
    print_one(&db, &Comment::get_by_id(&db, cellar.id).await?).await?;
    let under_itself = Comment::move_under(&db, first.id, looked.id).await;
    assert!(matches!(under_itself, Err(Error::Tree(TreeError::Cycle { .. }))));

    match Comment::delete(&db, &cellar).await {
        Err(Error::DeleteRestricted { relation, .. }) => println!("A comment with answers stays: {relation}"),
        other => return Err(format!("deleted: {other:?}").into()),
    }
    println!("Deleted by itself: {} of its answers answer the first comment now.\n", delete(&db, &cellar).await?);
    let shown = print_thread(&db, &post).await?;
    assert_eq!(shown.len() as i64, Post::get_by_id(&db, post.id).await?.comments);

    assert_indexed(&Comment::roots().limit(10), &db).await;
    assert_queries_indexed(&schema, &db).await;
    let found = schema.verify(&db).await?;
    if !found.is_clean() {
        return Err(format!("the threads are not in order: {found}").into());
    }
    Ok(())
}
