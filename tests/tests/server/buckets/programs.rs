//! Random programs that write children and read the children in every way, beside a model in memory that knows nothing
//! of this crate.

use std::collections::BTreeMap;

use fastrand::Rng;
use schema_runtime::{PageToken, bucket::ChildrenInBuckets, prelude::*, schema};
use schema_tests::{
    buckets::{Comment, Post, comment},
    database, scale,
};

/// The number of children in a bucket, as in the model of the tests.
const SIZE: usize = 4;
const POSTS: i64 = 2;

/// The pages of each post, in memory.
#[derive(Default)]
struct InMemory(BTreeMap<i64, Vec<Vec<Comment>>>);

impl InMemory {
    fn insert(&mut self, child: &Comment) {
        let pages = self.0.entry(*child.post.id()).or_default();
        let last = pages.iter().rposition(|page| !page.is_empty());
        let at = match last {
            Some(at) if pages[at].len() < SIZE => at,
            Some(at) => at + 1,
            None => 0,
        };
        if at == pages.len() {
            pages.push(Vec::new());
        }
        pages[at].push(child.clone());
        pages[at].sort_by_key(|child| (child.created_on, child.id));
    }

    fn change(&mut self, id: i64, change: impl FnOnce(&mut Vec<Comment>, usize)) -> bool {
        let place = self.0.values_mut().flatten().find_map(|page| {
            let at = page.iter().position(|child| child.id == id)?;
            Some((page, at))
        });
        place.map(|(page, at)| change(page, at)).is_some()
    }

    fn paginate(&self, post: i64, number: u32) -> Vec<Comment> {
        let at = (number as usize).checked_sub(1);
        at.and_then(|at| self.0.get(&post)?.get(at).cloned()).unwrap_or_default()
    }

    fn of(&self, post: i64) -> Vec<Comment> {
        self.0.get(&post).map(|pages| pages.concat()).unwrap_or_default()
    }

    fn all(&self) -> Vec<Comment> {
        let mut all: Vec<Comment> = self.0.values().flatten().flatten().cloned().collect();
        all.sort_by_key(|child| child.id);
        all
    }
}

async fn write(db: &Database, model: &mut InMemory, rng: &mut Rng) {
    let id = rng.i64(0..60);
    match rng.u8(0..10) {
        0..4 => {
            let mut child = comment(id, rng.i64(0..POSTS), rng.i64(0..20));
            child.tags = ["a", "b"].into_iter().filter(|_| rng.bool()).map(str::to_owned).collect();
            let inserted = Comment::insert(db, &child).await;
            let is_there = model.all().iter().any(|known| known.id == id);
            assert_eq!(inserted.is_err(), is_there);
            if !is_there {
                model.insert(&child);
            }
        }
        4..6 => {
            let ids = id * 100..id * 100 + rng.i64(1..7);
            let many: Vec<Comment> = ids.map(|id| comment(id, rng.i64(0..POSTS), rng.i64(0..20))).collect();
            if Comment::insert_many(db, &many).await.is_ok() {
                many.iter().for_each(|child| model.insert(child));
            } else {
                // The children before the existing child were inserted.
                for child in &many {
                    if Comment::find_by_id(db, child.id).await.unwrap().as_ref() == Some(child)
                        && !model.all().iter().any(|known| known.id == child.id)
                    {
                        model.insert(child);
                    }
                }
            }
        }
        6..8 => {
            let deleted = Comment::delete_by_id(db, id).await.unwrap();
            assert_eq!(deleted, model.change(id, |page, at| drop(page.remove(at))));
        }
        _ => {
            let updated =
                Comment::update_by_id(id).inc(Comment::F.likes, 3).set(Comment::F.author, "b").execute(db).await;
            let known = model.change(id, |page, at| {
                page[at].likes += 3;
                page[at].author = "b".to_owned();
            });
            assert_eq!(updated.is_ok(), known);
        }
    }
}

/// Returns all pages from end to end.
async fn pages(db: &Database, post: &Post, size: u32, backward: bool) -> Vec<Vec<Comment>> {
    let (mut token, mut pages) = (None::<PageToken>, Vec::new());
    loop {
        let page = post.comments().paginate(size);
        let page = match (backward, &token) {
            (false, token) => page.after(token.as_ref()),
            (true, None) => page.last(),
            (true, token) => page.before(token.as_ref()),
        };
        let page = page.fetch(db).await.unwrap();
        let next = if backward { page.previous.clone() } else { page.next.clone() };
        pages.push(page.items.iter().cloned().collect());
        match next {
            Some(next) => token = Some(next),
            None => break,
        }
    }
    if backward {
        pages.reverse();
    }
    pages
}

async fn read(db: &Database, model: &InMemory, rng: &mut Rng) {
    for id in 0..POSTS {
        let (post, expected) = (Post { id, title: String::new() }, model.of(id));
        let found: Vec<Comment> = post.comments().fetch_all(db).await.unwrap().iter().cloned().collect();
        assert_eq!(found, expected);
        let number = rng.u32(0..6);
        let bucket: Vec<Comment> =
            post.comments().bucket(number).fetch_all(db).await.unwrap().iter().cloned().collect();
        assert_eq!(bucket, model.paginate(id, number), "bucket {number} of {id}");
        let count = rng.u32(0..12);
        let latest: Vec<Comment> = post.comments().latest(count).fetch_all(db).await.unwrap().iter().cloned().collect();
        assert_eq!(latest, expected.iter().rev().take(count as usize).cloned().collect::<Vec<_>>(), "latest {count}");
        let mut streamed = Vec::new();
        let mut stream = post.comments().stream(db).await.unwrap();
        while let Some(child) = stream.next().await {
            streamed.push(child.unwrap());
        }
        assert_eq!(streamed, expected);
        assert_eq!(post.comments().count(db).await.unwrap(), expected.len() as u64);
        assert_eq!(post.comments().exists(db).await.unwrap(), !expected.is_empty());
        let size = rng.u32(1..9);
        let forward = pages(db, &post, size, false).await;
        let chunks: Vec<Vec<Comment>> = expected.chunks(size as usize).map(<[_]>::to_vec).collect();
        assert_eq!(forward, if chunks.is_empty() { vec![Vec::new()] } else { chunks });
        let backward = pages(db, &post, size, true).await;
        assert_eq!(backward.concat(), expected);
        assert!(backward.iter().skip(1).all(|page| page.len() == size as usize));
        let sums = post.comments().in_each(db).await;
        let known = model.0.get(&id).into_iter().flatten().zip(1..).filter(|(page, _)| !page.is_empty());
        let known: Vec<(u32, u64, f64)> = known
            .map(|(page, number)| (number, page.len() as u64, page.iter().map(|child| f64::from(child.likes)).sum()))
            .collect();
        assert_eq!(sums, known);
    }
}

/// Returns the number, the count and the sum of likes of each bucket.
trait Sums {
    async fn in_each(self, db: &Database) -> Vec<(u32, u64, f64)>;
}

impl<I: ChildrenInBuckets<Comment>> Sums for I {
    async fn in_each(self, db: &Database) -> Vec<(u32, u64, f64)> {
        let rows = self.statistics(db, Comment::F.likes).await.unwrap();
        rows.into_iter().map(|row| (row.number, row.count, row.sum)).collect()
    }
}

/// A filter, with its meaning as a predicate.
type Condition = (Filter<Comment>, Box<dyn Fn(&Comment) -> bool>);

fn condition(rng: &mut Rng, depth: u8) -> Condition {
    let (id, time, post) = (rng.i64(0..60), DateTime::from_millis(rng.i64(0..20)), rng.i64(0..POSTS));
    let leaf = |rng: &mut Rng| -> Condition {
        match rng.u8(0..12) {
            0 => (Comment::F.post.eq(Ref::new(post)), Box::new(move |child| *child.post.id() == post)),
            1 => (Comment::F.post.ne(Ref::new(post)), Box::new(move |child| *child.post.id() != post)),
            2 => (Comment::F.id.eq(id), Box::new(move |child| child.id == id)),
            3 => (Comment::F.id.ne(id), Box::new(move |child| child.id != id)),
            4 => (
                Comment::F.id.is_in([id, id + 1, id * 100]),
                Box::new(move |child| [id, id + 1, id * 100].contains(&child.id)),
            ),
            5 => (Comment::F.id.gte(id), Box::new(move |child| child.id >= id)),
            6 => (Comment::F.created_on.lt(time), Box::new(move |child| child.created_on < time)),
            7 => (Comment::F.author.eq("b"), Box::new(|child| child.author == "b")),
            8 => (Comment::F.author.ne("author 1"), Box::new(|child| child.author != "author 1")),
            9 => (Comment::F.tags.contains("a"), Box::new(|child| child.tags.iter().any(|tag| tag == "a"))),
            10 => (Comment::F.likes.gt(2), Box::new(|child| child.likes > 2)),
            _ => (Filter::all(), Box::new(|_| true)),
        }
    };
    if depth == 0 {
        return leaf(rng);
    }
    let (one, is_one) = condition(rng, depth - 1);
    let (other, is_other) = condition(rng, depth - 1);
    match rng.u8(0..4) {
        0 => (one.and(other), Box::new(move |child| is_one(child) && is_other(child))),
        1 => (one.or(other), Box::new(move |child| is_one(child) || is_other(child))),
        2 => (!one, Box::new(move |child| !is_one(child))),
        _ => leaf(rng),
    }
}

async fn find(db: &Database, model: &InMemory, rng: &mut Rng) {
    let (filter, holds) = condition(rng, 2);
    let text = format!("{:?}", filter.clone().into_document());
    let expected: Vec<Comment> = model.all().into_iter().filter(|child| holds(child)).collect();
    let mut found = Comment::find(filter.clone()).fetch_all(db).await.unwrap();
    found.sort_by_key(|child| child.id);
    assert_eq!(found, expected, "{text}");
    assert_eq!(Comment::find(filter.clone()).count(db).await.unwrap(), expected.len() as u64, "{text}");
    assert_eq!(Comment::find(filter.clone()).exists(db).await.unwrap(), !expected.is_empty(), "{text}");
    let sorted = Comment::find(filter.clone()).sort(Comment::F.id.desc()).skip(1).limit(3).fetch_all(db).await.unwrap();
    assert_eq!(sorted, expected.iter().rev().skip(1).take(3).cloned().collect::<Vec<_>>(), "{text}");
    let mut authors = Comment::find(filter.clone()).distinct(db, Comment::F.author).await.unwrap();
    authors.sort();
    let mut known: Vec<String> = expected.iter().map(|child| child.author.clone()).collect();
    known.sort();
    known.dedup();
    assert_eq!(authors, known, "{text}");
    let first = Comment::find(filter).sort(Comment::F.id.asc()).paginate(3).fetch(db).await.unwrap();
    assert_eq!(first.items, expected.iter().take(3).cloned().collect::<Vec<_>>(), "{text}");
}

#[tokio::test]
async fn every_read_agrees_with_a_model_in_memory() {
    for seed in 0..u64::from(scale::BUCKET_PROGRAMS.now()) {
        let (mut rng, db) = (Rng::with_seed(seed), database().await);
        schema![Post, Comment].plan(&db).await.unwrap().apply(&db).await.unwrap();
        let mut model = InMemory::default();
        for _ in 0..4 {
            for _ in 0..rng.u8(1..14) {
                write(&db, &mut model, &mut rng).await;
            }
            read(&db, &model, &mut rng).await;
            for _ in 0..5 {
                find(&db, &model, &mut rng).await;
            }
        }
        db.drop().await.unwrap();
    }
}
