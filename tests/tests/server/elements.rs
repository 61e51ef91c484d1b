//! Elements of the embedded arrays of many documents: found, sorted and paged, compared with the same work by hand.

use futures_util::TryStreamExt;
use mongodb::{Database, bson::doc};
use schema_runtime::{
    Error, PageToken, Point, assert_indexed, check_indexed,
    explain::{ReadProblem, problems},
    prelude::*,
    relation::FoundElement,
};
use schema_tests::{database, database_with_log};

use crate::sent::sent;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "posts")]
#[index(comments.name, comments.likes)]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 20)]
    topic: String,
    #[relation(one_to_few, embed, max = 30)]
    #[serde(rename = "said")]
    comments: Vec<Comment>,
    #[relation(one_to_few, embed, max = 5)]
    hidden: Option<Vec<Comment>>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Comment {
    #[bound(max_len = 20)]
    name: String,
    likes: i32,
    author: Author,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Author {
    #[bound(max_len = 20)]
    city: Option<String>,
}

const NAMES: [&str; 5] = ["Alice", "Bob", "Chen", "$Dora", "Ed.Gar"];

fn comment(number: i64) -> Comment {
    let city = (number % 3 == 0).then(|| format!("city {}", number % 7));
    Comment { name: NAMES[number as usize % 5].to_owned(), likes: (number * 7 % 11) as i32, author: Author { city } }
}

fn posts() -> Vec<Post> {
    let post = |id: i64| Post {
        id,
        topic: format!("topic {}", id % 4),
        comments: (0..id % 9).map(|at| comment(id * 13 + at * at)).collect(),
        hidden: (id % 2 == 0).then(|| vec![comment(id)]),
    };
    (0..60).map(post).collect()
}

async fn stored(db: &Database) -> Vec<Post> {
    schema![Post].plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    let posts = posts();
    Post::insert_many(db, &posts).await.unwrap();
    posts
}

/// Finds the elements by hand, in the order of the documents.
fn by_hand(posts: &[Post], holds: impl Fn(&Comment) -> bool) -> Vec<FoundElement<Post, Comment>> {
    let all =
        posts.iter().flat_map(|post| post.comments.iter().enumerate().map(move |(at, comment)| (post.id, at, comment)));
    let found = all.filter(|(_, _, comment)| holds(comment));
    found.map(|(document, at, comment)| FoundElement { document, index: at as u32, element: comment.clone() }).collect()
}

fn in_order(mut found: Vec<FoundElement<Post, Comment>>) -> Vec<FoundElement<Post, Comment>> {
    found.sort_by_key(|found| (found.document, found.index));
    found
}

#[tokio::test]
async fn what_is_found_is_what_a_predicate_finds() {
    let db = database().await;
    let posts = stored(&db).await;
    for name in NAMES {
        for likes in [-1, 3, 10] {
            let found = Post::COMMENTS.find(|c| c.name.eq(name) & c.likes.gte(likes)).fetch_all(&db).await.unwrap();
            assert_eq!(in_order(found), by_hand(&posts, |c| c.name == name && c.likes >= likes));
            let either = Post::COMMENTS.find(|c| c.name.eq(name) | c.likes.gt(likes)).fetch_all(&db).await.unwrap();
            assert_eq!(in_order(either), by_hand(&posts, |c| c.name == name || c.likes > likes));
            let neither = Post::COMMENTS.find(|c| !(c.name.eq(name) | c.likes.gt(likes)));
            assert_eq!(
                in_order(neither.clone().fetch_all(&db).await.unwrap()),
                by_hand(&posts, |c| !(c.name == name || c.likes > likes))
            );
            let expected = by_hand(&posts, |c| !(c.name == name || c.likes > likes)).len();
            assert_eq!(neither.clone().count(&db).await.unwrap(), expected as u64);
            assert_eq!(neither.exists(&db).await.unwrap(), expected > 0);
        }
    }
    let with_city = Post::COMMENTS.find(|c| c.author.city.eq("city 3")).fetch_all(&db).await.unwrap();
    assert_eq!(in_order(with_city), by_hand(&posts, |c| c.author.city.as_deref() == Some("city 3")));
    let none = Post::COMMENTS.find(|c| c.author.city.is_null()).fetch_all(&db).await.unwrap();
    assert_eq!(in_order(none), by_hand(&posts, |c| c.author.city.is_none()));
    let all = Post::COMMENTS.find(|_| Filter::all()).fetch_all(&db).await.unwrap();
    assert_eq!(in_order(all), by_hand(&posts, |_| true));
    assert_eq!(Post::HIDDEN.find(|_| Filter::all()).count(&db).await.unwrap(), 30);
    assert_eq!(Post::COMMENTS.find(|_| Filter::none()).fetch_optional(&db).await.unwrap(), None);

    let some = Post::COMMENTS.find(|c| c.name.eq("Alice")).in_documents(Post::F.topic.eq("topic 1"));
    let some = some.in_documents(Post::F.id.lt(40));
    let expected = by_hand(&posts, |c| c.name == "Alice");
    let expected: Vec<_> =
        expected.into_iter().filter(|found| found.document % 4 == 1 && found.document < 40).collect();
    assert!(!expected.is_empty());
    let streamed: Vec<_> = some.clone().stream(&db).await.unwrap().try_collect().await.unwrap();
    assert_eq!(in_order(streamed), expected);
    assert_eq!(some.clone().skip(1).limit(2).count(&db).await.unwrap(), 2);
    assert_eq!(in_order(some.limit(1).fetch_all(&db).await.unwrap()).len(), 1);
}

#[tokio::test]
async fn pages_hold_each_once_in_order() {
    let (db, log) = database_with_log().await;
    let posts = stored(&db).await;
    let find = Post::COMMENTS.find(|c| c.likes.gte(2)).sort(|c| [c.likes.desc(), c.name.asc()]);
    let mut expected = by_hand(&posts, |c| c.likes >= 2);
    expected.sort_by(|a, b| {
        let (left, right) = (&a.element, &b.element);
        let key = right.likes.cmp(&left.likes).then(left.name.cmp(&right.name));
        key.then(a.document.cmp(&b.document)).then(a.index.cmp(&b.index))
    });
    let (sorted, commands) = sent(&log, find.clone().fetch_all(&db)).await;
    let keys = |found: &[FoundElement<Post, Comment>]| -> Vec<(i32, String)> {
        found.iter().map(|found| (found.element.likes, found.element.name.clone())).collect()
    };
    assert_eq!((keys(&sorted.unwrap()), commands), (keys(&expected), vec!["aggregate".to_owned()]));

    let (mut read, mut after) = (Vec::new(), None::<PageToken>);
    loop {
        let (page, commands) = sent(&log, find.clone().paginate(7).after(after.as_ref()).fetch(&db)).await;
        let page = page.unwrap();
        assert_eq!(commands, ["aggregate"]);
        assert_eq!(page.has_previous(), after.is_some());
        read.extend(page.items);
        // The token as a client keeps it.
        after = page.next.map(|token| token.to_string().parse().unwrap());
        if after.is_none() {
            break;
        }
    }
    assert_eq!(read, expected);
    let last = find.clone().paginate(7).last().fetch(&db).await.unwrap();
    assert_eq!(last.items, expected[expected.len() - 7..]);
    let before = find.clone().paginate(7).before(last.previous.as_ref()).fetch(&db).await.unwrap();
    assert_eq!(before.items, expected[expected.len() - 14..expected.len() - 7]);

    let token = before.next.as_ref();
    let others = [
        Post::COMMENTS.find(|c| c.likes.gte(3)).sort(|c| [c.likes.desc(), c.name.asc()]),
        Post::COMMENTS.find(|c| c.likes.gte(2)).sort(|c| [c.likes.desc(), c.name.desc()]),
        find.clone().in_documents(Post::F.id.lt(9)),
    ];
    for other in others {
        assert!(matches!(other.paginate(7).after(token).fetch(&db).await, Err(Error::PageToken { .. })));
    }
    assert!(matches!(find.limit(3).paginate(7).fetch(&db).await, Err(Error::Query { .. })));
}

#[tokio::test]
async fn the_documents_are_found_by_an_index() {
    let db = database().await;
    stored(&db).await;
    let find = Post::COMMENTS.find(|c| c.name.eq("Alice") & c.likes.gte(8));
    assert_indexed(&find, &db).await;
    // An index orders documents, not elements.
    let sorted = find.clone().sort(|c| c.likes.desc());
    assert_eq!(check_indexed(&sorted, &db).await.unwrap(), [ReadProblem::BlockingSort]);
    assert_eq!(check_indexed(&sorted.paginate(2), &db).await.unwrap(), [ReadProblem::BlockingSort]);
    // The number of elements of each document does not excuse a slow search of the documents.
    let counts = doc! { "nReturned": 10, "totalKeysExamined": 1_000, "totalDocsExamined": 1_000 };
    let first = doc! { "queryPlanner": { "winningPlan": { "stage": "IXSCAN" } }, "executionStats": counts };
    let explained = doc! { "stages": [{ "$cursor": first }, { "$unwind": {}, "nReturned": 5_000 }] };
    let expected = ReadProblem::Examined { keys: 1_000, documents: 1_000, returned: 10 };
    assert_eq!(problems(&explained), [expected]);
    let unindexed = Post::COMMENTS.find(|c| c.likes.gte(8));
    assert_eq!(check_indexed(&unindexed, &db).await.unwrap(), [ReadProblem::CollectionScan]);
}

#[tokio::test]
async fn what_does_not_fit_is_reported_in_the_users_names() {
    let db = database().await;
    stored(&db).await;
    let raw = db.collection("posts");
    db.run_command(doc! { "collMod": "posts", "validationLevel": "off" }).await.unwrap();
    let good = doc! { "name": "Zoe", "likes": 1, "author": {} };
    let bad = doc! { "name": "Zoe", "likes": "many", "author": {} };
    raw.insert_one(doc! { "_id": 1_000_i64, "topic": "t", "said": [good, bad] }).await.unwrap();
    let zoe = Post::COMMENTS.find(|c| c.name.eq("Zoe")).sort(|c| c.name.asc());
    match zoe.clone().fetch_all(&db).await {
        Err(Error::Decode { collection, model, id, path, .. }) => {
            assert_eq!((collection.as_str(), model, *id), ("posts", "Post", 1_000_i64.into()));
            assert_eq!(path, "said.1.likes");
        }
        other => panic!("{other:?}"),
    }
    let each = zoe.stream(&db).await.unwrap();
    let fits: Vec<bool> =
        futures_util::StreamExt::collect(futures_util::StreamExt::map(each, |each| each.is_ok())).await;
    assert_eq!(fits.iter().filter(|fits| **fits).count(), 1);
    assert_eq!(fits.len(), 2);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    /// Names that a pipeline could use for its own fields.
    #[relation(one_to_few, embed, max = 9)]
    index: Vec<Line>,
    #[relation(one_to_few, embed, max = 9)]
    element: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Line {
    element: i32,
    index: i32,
    place: [f64; 2],
}

#[tokio::test]
async fn the_names_of_a_pipeline_are_not_the_users() {
    let db = database().await;
    let line = |number: i32| Line { element: number, index: -number, place: [0.0, 0.0] };
    let order = Order { id: 1, index: vec![line(1), line(2)], element: vec![line(3), line(2)] };
    Order::insert(&db, &order).await.unwrap();
    let of_index = Order::INDEX.find(|line| line.index.eq(-2)).fetch_all(&db).await.unwrap();
    assert_eq!(of_index, [FoundElement { document: 1, index: 1, element: line(2) }]);
    let of_element = Order::ELEMENT.find(|line| line.element.gte(2)).sort(|line| line.element.asc()).paginate(5);
    let of_element = of_element.fetch(&db).await.unwrap().items;
    let found: Vec<(u32, i32)> = of_element.iter().map(|found| (found.index, found.element.element)).collect();
    assert_eq!(found, [(1, 2), (0, 3)]);

    // The client reports a condition that the server refuses for an element, or in an aggregation, before any command
    // is sent.
    let near = Order::INDEX.find(|line| line.place.near(Point::new(0.0, 0.0), 5.0));
    assert!(matches!(near.fetch_all(&db).await, Err(Error::Query { .. })));
    let text = Order::INDEX.find(|_| Filter::raw(doc! { "$text": { "$search": "words" } }));
    assert!(matches!(text.fetch_all(&db).await, Err(Error::Query { .. })));
    let nested = Order::INDEX.find(|line| !(line.index.eq(1) | line.place.near(Point::new(0.0, 0.0), 5.0)));
    assert!(matches!(nested.count(&db).await, Err(Error::Query { .. })));
}

/// A read inside a transaction sees the writes of the transaction.
#[tokio::test]
async fn in_a_transaction() {
    let db = database().await;
    stored(&db).await;
    let found = schema_runtime::transaction(&db, |tx| async move {
        let post = Post { id: 500, topic: "t".to_owned(), comments: vec![comment(1); 2], hidden: None };
        Post::insert(&tx, &post).await?;
        let mine = Post::COMMENTS.find(|c| c.name.eq("Bob")).in_documents(Post::F.id.gte(500));
        Ok::<_, Error>((mine.clone().count(&tx).await?, mine.sort(|c| c.likes.asc()).paginate(1).fetch(&tx).await?))
    });
    let (count, page) = found.await.unwrap();
    assert_eq!((count, page.items[0].document, page.items[0].index, page.has_next()), (2, 500, 0, true));
}
