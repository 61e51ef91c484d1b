//! Joins on the server from each side of a relation, with a filter, an order and a limit on the joined side, compared
//! with the same work by hand.

use mongodb::Database;
use schema_runtime::{Error, assert_indexed, prelude::*, relation::Lookup};
use schema_tests::{database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "authors")]
#[inverse(posts = Post::author)]
#[inverse(profile = Profile::author, one_to_one)]
struct Author {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 20)]
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "profiles")]
struct Profile {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_one, parent_ref, large)]
    author: Ref<Author>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    score: i32,
    #[relation(one_to_squillions, parent_ref, order = desc(score))]
    author: Option<Ref<Author>>,
    #[relation(many_to_many, one_way, max = 6, inverse = posts, order = asc(score))]
    tags: Vec<Ref<Tag>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tags")]
#[inverse(posts = Post::tags)]
struct Tag {
    #[serde(rename = "_id")]
    id: i64,
    weight: i32,
}

#[derive(Projection, Deserialize, Debug, PartialEq)]
#[projection(of = Post)]
struct Score {
    score: i32,
}

struct Stored {
    authors: Vec<Author>,
    posts: Vec<Post>,
    tags: Vec<Tag>,
}

async fn stored(db: &Database) -> Stored {
    let schema = schema![Author, Profile, Post, Tag];
    schema.plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    let authors: Vec<Author> = (0..12).map(|id| Author { id, name: format!("author {}", id % 4) }).collect();
    let tags: Vec<Tag> = (0..9).map(|id| Tag { id, weight: (id * 5 % 9) as i32 }).collect();
    let post = |id: i64| {
        // Two authors are missing, some posts have no author, and some posts have a tag twice.
        let author = (id % 7 != 0).then(|| Ref::new(id % 14));
        let tags = (0..id % 6).map(|at| Ref::new((id + at * at * 5 + at / 3) % 10)).collect();
        Post { id, score: (id * 37 % 101) as i32, author, tags }
    };
    let posts: Vec<Post> = (0..90).map(post).collect();
    Author::insert_many(db, &authors).await.unwrap();
    Tag::insert_many(db, &tags).await.unwrap();
    Post::insert_many(db, &posts).await.unwrap();
    let profiles: Vec<Profile> = (0..10).map(|id| Profile { id: id + 50, author: Ref::new(id) }).collect();
    Profile::insert_many(db, &profiles).await.unwrap();
    Stored { authors, posts, tags }
}

fn ids<'a>(posts: impl IntoIterator<Item = &'a Post>) -> Vec<i64> {
    posts.into_iter().map(|post| post.id).collect()
}

#[tokio::test]
async fn the_children_of_each_parent_in_their_order() {
    let (db, log) = database_with_log().await;
    let Stored { authors, posts, .. } = stored(&db).await;
    let by_hand = |author: &Author, least: i32, most: usize| {
        let mut found: Vec<&Post> =
            posts.iter().filter(|post| post.author == Some(Ref::new(author.id)) && post.score >= least).collect();
        found.sort_by_key(|post| (-post.score, -post.id));
        ids(found.into_iter().take(most))
    };
    log.clear();
    let find = Author::find(Author::F.id.lt(8)).sort(Author::F.name.desc()).limit(5);
    let lookup = Author::POSTS.lookup(find).matching(Post::F.score.gte(20)).limit(3);
    let rows = lookup.clone().fetch_all(&db).await.unwrap().into_vec().unwrap();
    assert_eq!(log.commands().len(), 1, "one round trip");
    let names: Vec<&str> = rows.iter().map(|(author, _)| author.name.as_str()).collect();
    assert_eq!(names, ["author 3", "author 3", "author 2", "author 2", "author 1"]);
    for (author, posts) in &rows {
        assert_eq!(ids(posts.iter()), by_hand(author, 20, 3));
        assert!(posts.is_complete());
    }
    let rows = Author::POSTS.lookup(Filter::all()).fetch_all(&db).await.unwrap().into_vec().unwrap();
    assert_eq!(rows.len(), authors.len());
    for (author, posts) in &rows {
        assert_eq!(ids(posts.iter()), by_hand(author, i32::MIN, usize::MAX));
    }
    // An order different from the relation's order, with a limit for each author.
    let rows = Author::POSTS.select::<Score>().lookup(Filter::all()).sort(Post::F.score.asc()).limit(2);
    for (author, scores) in rows.fetch_all(&db).await.unwrap().iter() {
        let mut expected: Vec<i32> =
            posts.iter().filter(|post| post.author == Some(Ref::new(author.id))).map(|post| post.score).collect();
        expected.sort_unstable();
        expected.truncate(2);
        assert_eq!(scores.iter().map(|score| score.score).collect::<Vec<_>>(), expected);
    }
    // A null reference refers to nobody.
    assert!(rows_of_null(&db).await);
    assert_indexed(&Author::POSTS.lookup(Author::F.id.gte(0)).limit(3), &db).await;
    assert_indexed(&lookup_without_sort(), &db).await;
}

fn lookup_without_sort() -> Lookup<Author, Post> {
    Author::POSTS.lookup(Author::find(Author::F.id.is_in([1, 2, 3]))).limit(4)
}

async fn rows_of_null(db: &Database) -> bool {
    let rows = Author::POSTS.lookup(Filter::all()).matching(Post::F.author.is_null()).fetch_all(db).await.unwrap();
    rows.iter().all(|(_, posts)| posts.is_empty())
}

#[tokio::test]
async fn those_that_hold_an_array_of_references() {
    let db = database().await;
    let Stored { posts, tags, .. } = stored(&db).await;
    let rows = Tag::POSTS.lookup(Filter::all()).matching(Post::F.score.lt(60)).limit(4).fetch_all(&db).await.unwrap();
    assert_eq!(rows.len(), tags.len());
    for (tag, found) in rows.iter() {
        let mut expected: Vec<&Post> =
            posts.iter().filter(|post| post.tags.contains(&Ref::new(tag.id)) && post.score < 60).collect();
        expected.sort_by_key(|post| (post.score, post.id));
        assert_eq!(ids(found.iter()), ids(expected.into_iter().take(4)));
    }
    assert_indexed(&Tag::POSTS.lookup(Tag::F.id.gte(0)).limit(4), &db).await;
}

#[tokio::test]
async fn what_each_refers_to() {
    let db = database().await;
    let Stored { authors, posts, tags } = stored(&db).await;
    // The parent of each post.
    let find = Post::find(Post::F.score.gte(30)).sort(Post::F.id.asc());
    let rows = Post::AUTHOR.lookup(find.clone()).fetch_all(&db).await.unwrap().into_vec().unwrap();
    assert_eq!(rows.len(), posts.iter().filter(|post| post.score >= 30).count());
    for (post, author) in &rows {
        let expected = post.author.as_ref().and_then(|id| authors.iter().find(|author| Ref::new(author.id) == *id));
        assert_eq!(author.first(), expected);
        assert_eq!(author.missing().count(), usize::from(post.author.is_some() && expected.is_none()));
    }
    let rows = Post::AUTHOR.lookup(find).matching(Author::F.name.eq("author 1")).fetch_all(&db).await.unwrap();
    for (post, author) in rows.iter() {
        let expected =
            authors.iter().find(|author| post.author == Some(Ref::new(author.id)) && author.name == "author 1");
        assert_eq!((author.first(), author.missing().count()), (expected, 0));
    }
    assert_indexed(&Post::AUTHOR.lookup(Post::F.id.gte(0)), &db).await;

    // Some elements of an array, in the order of the array and with its repeats.
    let weight = |reference: &Ref<Tag>| tags.iter().find(|tag| Ref::new(tag.id) == *reference).map(|tag| tag.weight);
    let rows = Post::TAGS.lookup(Filter::all()).matching(Tag::F.weight.gt(3)).fetch_all(&db).await.unwrap();
    let mut repeats = 0;
    for (post, found) in rows.iter() {
        let expected: Vec<&Ref<Tag>> =
            post.tags.iter().filter(|tag| weight(tag).is_some_and(|weight| weight > 3)).collect();
        assert_eq!(found.iter().map(|tag| Ref::new(tag.id)).collect::<Vec<_>>().iter().collect::<Vec<_>>(), expected);
        assert!(found.is_complete());
        let mut distinct = expected.clone();
        distinct.sort_by_key(|tag| weight(tag));
        distinct.dedup();
        repeats += expected.len() - distinct.len();
    }
    assert!(repeats > 0, "no array holds a tag twice");
    // The tags in a separate order, each tag once.
    let rows = Post::TAGS.lookup(Filter::all()).sort(Tag::F.weight.desc()).limit(2).fetch_all(&db).await.unwrap();
    for (post, found) in rows.iter() {
        let mut expected: Vec<i32> = post.tags.iter().filter_map(weight).collect();
        expected.sort_unstable_by(|a, b| b.cmp(a));
        expected.dedup();
        expected.truncate(2);
        assert_eq!(found.iter().map(|tag| tag.weight).collect::<Vec<_>>(), expected);
    }
    // All tags in an order: a missing tag is still named, after the found tags.
    let rows = Post::TAGS.lookup(Filter::all()).sort(Tag::F.weight.desc()).fetch_all(&db).await.unwrap();
    for (post, found) in rows.iter() {
        let mut expected: Vec<i32> = post.tags.iter().filter_map(weight).collect();
        expected.sort_unstable_by(|a, b| b.cmp(a));
        expected.dedup();
        assert_eq!(found.iter().map(|tag| tag.weight).collect::<Vec<_>>(), expected);
        let is_gone = post.tags.contains(&Ref::new(9));
        assert_eq!(found.missing().collect::<Vec<_>>(), if is_gone { vec![&9] } else { vec![] });
        assert_eq!(found.is_complete(), !is_gone);
        assert_eq!(found.pairs(&post.tags).unwrap().len(), post.tags.len());
    }
    assert!(posts.iter().any(|post| post.tags.contains(&Ref::new(9))));
    // Without an order, the least `_id`s come first.
    let rows = Post::TAGS.lookup(Filter::all()).limit(1).fetch_all(&db).await.unwrap();
    for (post, found) in rows.iter() {
        let least = post.tags.iter().filter(|tag| weight(tag).is_some()).map(|tag| *tag.id()).min();
        assert_eq!(found.first().map(|tag| tag.id), least);
    }
}

/// The client reports a condition that the server refuses in a join, before any command is sent.
#[tokio::test]
async fn text_is_of_the_outer_side_only() {
    let db = database().await;
    stored(&db).await;
    let by_text = Post::AUTHOR
        .lookup(Filter::all())
        .matching(Author::F.id.gt(0) & Filter::raw(doc! { "$text": { "$search": "words" } }));
    assert!(matches!(by_text.fetch_all(&db).await, Err(Error::Query { .. })));
}

#[tokio::test]
async fn the_one_of_a_one_to_one() {
    let db = database().await;
    let Stored { authors, .. } = stored(&db).await;
    let rows =
        Author::PROFILE.lookup(Author::find(Filter::all()).sort(Author::F.id.asc())).fetch_all(&db).await.unwrap();
    let found: Vec<Option<i64>> = rows.iter().map(|(_, profile)| profile.first().map(|profile| profile.id)).collect();
    let expected: Vec<Option<i64>> = authors.iter().map(|author| (author.id < 10).then_some(author.id + 50)).collect();
    assert_eq!(found, expected);
    assert_indexed(&Author::PROFILE.lookup(Author::F.id.lt(9)), &db).await;
}

#[tokio::test]
async fn values_of_a_filter_stay_values() {
    let db = database().await;
    stored(&db).await;
    for evil in ["$name", "author.1", "{$gt: ''}"] {
        let rows =
            Post::AUTHOR.lookup(Post::F.id.lt(20)).matching(Author::F.name.eq(evil)).fetch_all(&db).await.unwrap();
        assert!(rows.iter().all(|(_, author)| author.is_empty()));
    }
}
