//! The comments of a blog stored in all three ways: embedded in the post, as separate documents, and in buckets of 50.
//! The example reads the same page in each way, and prints the documents and bytes that the server reads for the page;
//! then the example adds a comment and moves the documents into buckets.
//!
//! The posts and comments are made up: 100 posts with 200 comments each. `cargo run --example blog` starts a MongoDB
//! server; with `MONGODB_URI` the example runs on another server, in the database `schema_example_blog`, and first
//! empties the collections of the example.

use comfy_table::Table;
use indicatif::ProgressBar;
use schema_examples::{access, is_index_scan, table};
use schema_runtime::{
    Throttle,
    bson::{Document, doc},
    explain::Explain,
    local,
    prelude::*,
    verify::Finding,
};

/// The number of posts, and the number of comments of each post.
const POSTS: u32 = 100;
const COMMENTS: u32 = 200;
/// The number of comments on a page, equal to the size of a bucket.
const PAGE: u32 = 50;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[inverse(comments = Comment::post, linked_comments = LinkedComment::post)]
struct Post {
    #[serde(rename = "_id")]
    id: i32,
    #[bound(max_len = 100)]
    title: String,
    /// Embedded: read with the post, and written with the post.
    #[relation(one_to_few, embed, max = 200)]
    embedded: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Line {
    created_on: DateTime,
    #[bound(max_len = 40)]
    name: String,
    #[bound(max_len = 400)]
    comment: String,
}

/// Linked: a document for each comment.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "linked_comments")]
struct LinkedComment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = asc(created_on))]
    post: Ref<Post>,
    created_on: DateTime,
    #[bound(max_len = 40)]
    name: String,
    #[bound(max_len = 400)]
    comment: String,
}

/// In buckets: a document for fifty comments.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments", bucket(size = 50))]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = asc(created_on))]
    post: Ref<Post>,
    created_on: DateTime,
    #[bound(max_len = 40)]
    name: String,
    #[bound(max_len = 400)]
    comment: String,
}

fn line(post: u32, number: u32) -> Line {
    let minutes = i64::from(number * POSTS + post);
    Line {
        created_on: DateTime::from_millis(1_388_570_400_000 + minutes * 60_000),
        name: ["Peter Critic", "John Page", "Lisa Reader"][(post + number) as usize % 3].to_owned(),
        comment: format!("Comment {number} on post {post}: an awesome blog post, of which there is a lot to say. "),
    }
}

fn linked(post: &Post, Line { created_on, name, comment }: Line) -> LinkedComment {
    LinkedComment { id: ObjectId::new(), post: Ref::to(post), created_on, name, comment }
}

/// The cost of a read: the number of documents in the `explain`, and the size in bytes of the documents that the
/// pipeline finds.
struct Cost {
    way: &'static str,
    read: &'static str,
    comments: usize,
    documents: i64,
    bytes: i64,
    how: String,
}

async fn cost(
    db: &Database,
    [way, read]: [&'static str; 2],
    comments: usize,
    explained: &Document,
    (collection, mut found): (&str, Vec<Document>),
) -> Result<Cost> {
    assert!(is_index_scan(explained), "{way}: {explained}");
    found.push(
        doc! { "$group": { "_id": null, "documents": { "$sum": 1 }, "bytes": { "$sum": { "$bsonSize": "$$ROOT" } } } },
    );
    let mut sums = db.collection::<Document>(collection).aggregate(found).await?;
    sums.advance().await?;
    let sum = sums.current();
    let number = |name| sum.get_i32(name).map(i64::from).or_else(|_| sum.get_i64(name)).unwrap_or_default();
    let documents = explained.get_document("executionStats").and_then(|stats| stats.get_i32("totalDocsExamined"));
    let documents = documents.map(i64::from).unwrap_or_else(|_| number("documents"));
    assert_eq!(documents, number("documents"), "{way}: what is weighed is what is read");
    Ok(Cost { way, read, comments, documents, bytes: number("bytes"), how: access(explained) })
}

fn costs(rows: &[Cost]) -> Table {
    let row = |row: &Cost| {
        [
            row.way.to_owned(),
            row.read.to_owned(),
            row.comments.to_string(),
            row.documents.to_string(),
            row.bytes.to_string(),
            row.how.clone(),
        ]
    };
    table(["comments are", "read", "comments", "documents", "bytes", "how"], rows.iter().map(row))
}

/// Reads the third page, and the newest fifty, of comments stored as documents.
async fn read_linked(db: &Database, post: &Post, rows: &mut Vec<Cost>) -> Result<()> {
    let comments = || post.linked_comments();
    let mut page = comments().paginate(PAGE).fetch(db).await?;
    for _ in 0..2 {
        let token = page.next.take();
        page = comments().paginate(PAGE).after(&token).fetch(db).await?;
    }
    let second = comments().paginate(PAGE).fetch(db).await?.next;
    let second = comments().paginate(PAGE).after(&second).fetch(db).await?.next;
    let explained = comments().paginate(PAGE).after(&second).explain(db).await?;
    let from = i64::from(2 * PAGE);
    let sorted = doc! { "$sort": { "created_on": 1, "_id": 1 } };
    // The page and one more document: the read finds out whether a next page exists.
    let found = vec![
        doc! { "$match": { "post": post.id } },
        sorted,
        doc! { "$skip": from },
        doc! { "$limit": i64::from(PAGE) + 1 },
    ];
    rows.push(cost(db, ["documents", "page 3"], page.items.len(), &explained, ("linked_comments", found)).await?);
    // The order is ascending, so the newest comments are the last page. The read also finds out whether a page comes
    // before.
    let newest = comments().paginate(PAGE).last();
    let sorted = doc! { "$sort": { "created_on": -1, "_id": -1 } };
    let found = vec![doc! { "$match": { "post": post.id } }, sorted, doc! { "$limit": i64::from(PAGE) + 1 }];
    let explained = newest.explain(db).await?;
    let read = newest.fetch(db).await?.items.len();
    rows.push(cost(db, ["documents", "newest 50"], read, &explained, ("linked_comments", found)).await?);
    Ok(())
}

/// Reads the third page, and the newest fifty, of comments stored in buckets.
async fn read_buckets(db: &Database, post: &Post, rows: &mut Vec<Cost>) -> Result<()> {
    let third = post.comments().bucket(3);
    let found = |pages: &[i64]| vec![doc! { "$match": { "post": post.id, "page": { "$in": pages } } }];
    let (explained, comments) = (third.explain(db).await?, third.fetch_all(db).await?);
    assert!(comments.iter().is_sorted_by_key(|comment| comment.created_on));
    rows.push(cost(db, ["in buckets", "page 3"], comments.len(), &explained, ("comments", found(&[3]))).await?);
    // The last bucket may have one comment or fifty, so the bucket before is read too.
    let latest = post.comments().latest(PAGE);
    let explained = latest.explain(db).await?;
    rows.push(
        cost(
            db,
            ["in buckets", "newest 50"],
            latest.fetch_all(db).await?.len(),
            &explained,
            ("comments", found(&[3, 4])),
        )
        .await?,
    );
    Ok(())
}

/// Reads the third page, and the newest fifty, of the embedded comments: the server reads the post and sends a part.
async fn read_embedded(db: &Database, post: &Post, rows: &mut Vec<Cost>) -> Result<()> {
    let explained = Post::find(Post::F.id.eq(post.id)).explain(db).await?;
    let found = || ("posts", vec![doc! { "$match": { "_id": post.id } }]);
    let page = Post::EMBEDDED.slice(db, post, 2 * PAGE, PAGE).await?;
    rows.push(cost(db, ["embedded", "page 3"], page.len(), &explained, found()).await?);
    let latest = Post::EMBEDDED.slice(db, post, COMMENTS - PAGE, PAGE).await?;
    rows.push(cost(db, ["embedded", "newest 50"], latest.len(), &explained, found()).await?);
    Ok(())
}

/// Returns the number of children in each bucket of a post.
async fn counts(db: &Database, post: &Post) -> Result<Vec<u64>> {
    let mut found =
        db.collection::<Document>("comments").find(doc! { "post": post.id }).sort(doc! { "page": 1 }).await?;
    let mut counts = Vec::new();
    while found.advance().await? {
        let count = found.current().get_i32("count").map(u64::try_from);
        counts.push(count.ok().and_then(|count| count.ok()).unwrap_or_default());
    }
    Ok(counts)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let db = local::connect("schema_example_blog").await?;
    for collection in ["posts", "linked_comments", "comments"] {
        db.collection::<Document>(collection).drop().await?;
    }
    let schema = schema![Post, LinkedComment, Comment];
    println!("{}", schema.plan(&db).await?.apply(&db).await?);

    let posts: Vec<Post> = (0..POSTS)
        .map(|id| Post {
            id: id as i32,
            title: format!("An awesome blog, part {id}"),
            embedded: (0..COMMENTS).map(|number| line(id, number)).collect(),
        })
        .collect();
    Post::insert_many(&db, &posts).await?;
    // In the order of arrival: all posts are read at the same time.
    for number in 0..COMMENTS {
        let arrived = posts.iter().map(|post| linked(post, line(post.id as u32, number)));
        LinkedComment::insert_many(&db, arrived.collect::<Vec<_>>()).await?;
    }

    let (post, mut rows) = (&posts[42], Vec::new());
    read_embedded(&db, post, &mut rows).await?;
    read_linked(&db, post, &mut rows).await?;

    let bar = ProgressBar::new(u64::from(POSTS * COMMENTS));
    let seen = bar.clone();
    let throttle = Throttle::new().progress(move |progress| seen.set_position(progress.done));
    let moved = Comment::into_buckets::<LinkedComment>(&db, &throttle).await?;
    bar.finish_and_clear();
    println!(
        "{moved} documents moved into {} buckets\n",
        db.collection::<Document>("comments").count_documents(doc! {}).await?
    );
    read_buckets(&db, post, &mut rows).await?;
    println!("What a page of 50 reads:\n{}\n", costs(&rows));
    assert_eq!(rows.iter().map(|row| row.comments).collect::<Vec<_>>(), [PAGE as usize; 6]);
    assert_eq!(rows.iter().map(|row| row.documents).collect::<Vec<_>>(), [1, 1, 51, 51, 1, 2]);
    assert!(rows[4].bytes < rows[0].bytes / 3, "a bucket is a quarter of all comments of a post");

    let Line { created_on, name, comment } = line(42, COMMENTS);
    let comment = Comment { id: ObjectId::new(), post: Ref::to(post), created_on, name, comment };
    Comment::insert(&db, &comment).await?;
    println!("One more comment begins a bucket: {:?}", counts(&db, post).await?);
    match Post::update_by_id(post.id).push(Post::F.embedded, &line(42, COMMENTS)).execute(&db).await {
        Err(error @ Error::BoundExceeded { .. }) => println!("Embedded, it is one too many: {error}"),
        other => return Err(format!("a bound was not held: {other:?}").into()),
    }

    Comment::update_by_id(&comment)
        .set(Comment::F.comment, "I have read it again, and it is awesome.")
        .execute(&db)
        .await?;
    let by_lisa =
        Comment::find(Comment::F.post.eq(Ref::to(post)).and(Comment::F.name.eq("Lisa Reader"))).fetch_all(&db).await?;
    for comment in &by_lisa[..30] {
        Comment::delete(&db, comment).await?;
    }
    println!("30 comments of {} are deleted: {:?}", by_lisa.len(), counts(&db, post).await?);
    println!("compact: {}: {:?}", Comment::compact(&db, post).await?, counts(&db, post).await?);
    assert_eq!(counts(&db, post).await?, [50, 50, 50, 21, 0]);
    assert_eq!(post.comments().count(&db).await?, 171);
    let found = schema.verify(&db).await?;
    println!("verify: {found}");
    // The only finding is the full array.
    assert!(matches!(found.findings(), [Finding::ArrayNearBound(_)]));
    Ok(())
}
