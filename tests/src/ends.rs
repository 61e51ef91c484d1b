//! Work on documents at the ends of `two_way` relations and of relations with delete rules, for random programs and for
//! clients that are killed. A number selects the work.

use mongodb::{Database, bson::doc};
use schema_runtime::{Error, Result, prelude::*, transaction};

use crate::{
    delete_rules::{self, Group, Host, Message, Note, Owner, group, host, message, note, owner},
    domain::next,
    links::{self, Author, Book, Person, Task, author, book, person, task},
};

/// The work, and the numbers that select the documents.
#[derive(Clone, Debug)]
pub enum Work {
    /// A single write.
    One(Step),
    /// Several writes in a transaction.
    Transaction(Vec<Step>),
}

/// A write. The first number selects the write, and the four numbers after it select the documents.
#[derive(Clone, Copy, Debug)]
pub struct Step(u64, [i64; 4]);

/// The number of kinds of steps.
const STEPS: u64 = 44;

impl Work {
    /// Returns the work that this number selects.
    pub fn of(mut number: u64) -> Self {
        let number = &mut number;
        match next(number) % 8 {
            0 => Work::Transaction((0..1 + next(number) % 3).map(|_| Step::of(number)).collect()),
            _ => Work::One(Step::of(number)),
        }
    }

    /// Does the work.
    ///
    /// # Errors
    /// The errors of the write.
    pub async fn run(&self, db: &Database) -> Result<()> {
        match self {
            Work::One(step) => Box::pin(step.run(db)).await,
            Work::Transaction(steps) => {
                transaction(db, |tx| async move {
                    for step in steps {
                        Box::pin(step.run(&tx)).await?;
                    }
                    Ok(())
                })
                .await
            }
        }
    }
}

/// Returns true when a write may return the error although nothing failed.
pub fn is_expected(error: &Error) -> bool {
    match error {
        Error::NotFound { .. }
        | Error::DanglingReference { .. }
        | Error::BoundExceeded { .. }
        | Error::DuplicateKey { .. }
        | Error::DeleteRestricted { .. } => true,
        Error::InsertMany { source, .. } | Error::Bulk { source, .. } => is_expected(source),
        _ => false,
    }
}

/// Writes the documents that all programs begin with.
///
/// # Errors
/// The errors of the writes.
pub async fn begin(db: &Database) -> Result<()> {
    Task::delete_many(db, Filter::all()).await?;
    Person::delete_many(db, Filter::all()).await?;
    Book::delete_many(db, Filter::all()).await?;
    Author::delete_many(db, Filter::all()).await?;
    for collection in ["messages", "owners", "notes", "groups", "hosts"] {
        db.collection::<mongodb::bson::Document>(collection).delete_many(doc! {}).await?;
    }
    // A command of a killed client may come late.
    Person::upsert_many(db, (0..3).map(person)).await?;
    Author::upsert_many(db, (0..3).map(author)).await?;
    Host::upsert_many(db, (0..3).map(host)).await?;
    Task::upsert_many(db, (0..6).map(|id| of(id, id % 4))).await?;
    Book::upsert_many(db, (0..4).map(|id| book(id, &[id % 3]))).await?;
    Message::upsert_many(db, (0..6).map(|id| message(id, id % 3))).await?;
    Note::upsert_many(db, (0..3).map(|id| note(id, id))).await?;
    Ok(())
}

/// Returns the errors in the stored documents.
pub async fn wrong(db: &Database) -> Vec<String> {
    let mut wrong = links::wrong(db).await;
    wrong.extend(delete_rules::wrong(db).await);
    wrong
}

/// Returns a task. The task has an owner if `person` is the number of a person.
fn of(id: i64, person: i64) -> Task {
    Task { owner: (person < 3).then(|| Ref::new(person)), ..task(id) }
}

impl Step {
    fn of(number: &mut u64) -> Self {
        let which = next(number) % STEPS;
        Step(which, [next(number), next(number), next(number), next(number)].map(|number| (number % 60) as i64))
    }

    async fn run(self, db: &impl Executor) -> Result<()> {
        let Step(which, [a, b, c, d]) = self;
        match which {
            0..16 => Box::pin(one_to_many(db, which, [a % 8, b % 4, c % 8, d % 4])).await,
            16..28 => Box::pin(many_to_many(db, which, [a % 6, b % 4, c % 6, d % 4])).await,
            _ => Box::pin(rules(db, which, [a % 8, b % 4, c % 8, d % 4])).await,
        }
    }
}

async fn one_to_many(db: &impl Executor, which: u64, [a, b, c, d]: [i64; 4]) -> Result<()> {
    let reference = |id: i64| (id < 3).then(|| Ref::<Person>::new(id));
    match which {
        0 => Task::insert(db, &of(a, b)).await,
        1 => Task::insert_many(db, [of(a, b), of(c, d)]).await,
        2 => Task::OWNER.reassign(db, a, b).await.map(drop),
        3 => Task::OWNER.unlink(db, a, b).await.map(drop),
        4 => Person::TASKS.set(db, b, [a, c]).await.map(drop),
        5 => Person::TASKS.link(db, b, a).await.map(drop),
        6 => Task::update_many(Task::F.id.lte(a)).set(Task::F.owner, reference(b)).execute(db).await.map(drop),
        7 => Task::replace(db, &of(a, b)).await,
        8 => Task::upsert(db, &of(a, b)).await.map(drop),
        9 => Task::upsert_many(db, [of(a, b), of(c, d)]).await.map(drop),
        10 => {
            let bulk = Task::bulk()
                .insert(&of(a, b))
                .update(Task::update_by_id(c).set(Task::F.owner, reference(d)))
                .replace(&of(a, d))
                .delete_by_id(c);
            let bulk = if a % 2 == 0 { bulk.unordered() } else { bulk };
            bulk.execute(db).await?.complete().map(drop)
        }
        11 => {
            let update = Task::find_one_and_update(Task::F.id.eq(a)).set(Task::F.owner, reference(b));
            if c % 2 == 0 { update.fetch_after(db).await.map(drop) } else { update.fetch_before(db).await.map(drop) }
        }
        12 => Task::delete_by_id(db, a).await.map(drop),
        13 => Task::delete_many(db, Task::F.id.gte(a)).await.map(drop),
        14 => Person::insert(db, &person(b)).await,
        _ => Person::delete_by_id(db, b).await.map(drop),
    }
}

async fn many_to_many(db: &impl Executor, which: u64, [a, b, c, d]: [i64; 4]) -> Result<()> {
    match which {
        16 => Book::insert(db, &book(a, &[b, d])).await,
        17 => Book::AUTHORS.link(db, a, b).await.map(drop),
        18 => Book::AUTHORS.unlink(db, a, b).await.map(drop),
        19 => Book::AUTHORS.set(db, a, [b]).await.map(drop),
        20 => Author::BOOKS.link(db, b, a).await.map(drop),
        21 => Author::BOOKS.set(db, b, [a, c]).await.map(drop),
        22 => Book::update_many(Book::F.id.lte(a)).add_to_set(Book::F.authors, Ref::new(b)).execute(db).await.map(drop),
        23 => Book::update_many(Book::F.id.gte(a)).pull(Book::F.authors, Ref::new(b)).execute(db).await.map(drop),
        24 => Book::update_by_id(a).raw(doc! { "$pop": { "authors": 1 } }).execute(db).await.map(drop),
        25 => Book::delete_by_id(db, a).await.map(drop),
        26 => Author::insert(db, &author(b)).await,
        _ => Author::delete_many(db, Author::F.id.gte(b)).await.map(drop),
    }
}

async fn rules(db: &impl Executor, which: u64, [a, b, c, d]: [i64; 4]) -> Result<()> {
    match which {
        28 | 29 => Host::insert(db, &host(b)).await,
        30 => Host::delete_by_id(db, b).await.map(drop),
        31 => Host::delete_many(db, Host::F.id.gte(b)).await.map(drop),
        32 => Host::bulk().delete_by_id(b).insert(&host(d)).execute(db).await?.complete().map(drop),
        33 => Message::insert(db, &message(a, b)).await,
        34 => Message::insert_many(db, [message(a, b), message(c, d)]).await,
        35 => Message::HOST.reassign(db, a, b).await.map(drop),
        36 => Message::update_many(Message::F.id.lte(a)).set(Message::F.host, Ref::new(b)).execute(db).await.map(drop),
        37 => Note::upsert(db, &note(a, b)).await.map(drop),
        38 => Note::bulk().insert(&note(a, b)).upsert(&note(c, d)).unordered().execute(db).await?.complete().map(drop),
        39 => Owner::insert(db, &owner(a, b)).await,
        40 => Owner::delete_many(db, Owner::F.id.gte(a)).await.map(drop),
        41 => Group::upsert(db, &group(a, &[b, d])).await.map(drop),
        42 => Group::HOSTS.link(db, a, b).await.map(drop),
        _ => Message::delete_by_id(db, a).await.map(drop),
    }
}
