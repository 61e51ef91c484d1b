//! Records the commands that a part of a program sends, for tests of the program.

use std::{
    fmt::{self, Write},
    panic::Location,
    sync::{Arc, Mutex, PoisonError},
};

use super::lines::Lines;

tokio::task_local! {
    static COUNTER: Counter;
}

/// A command that was sent: the name of the command, and the collection if the command has a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SentCommand {
    /// The server's name of the command: `find`, `aggregate`, `insert`.
    pub name: &'static str,
    /// The collection; `explain` and the end of a transaction have none.
    pub collection: Option<&'static str>,
}

/// Formats the command as the events of the page `tracing` of [the guide](crate::guide) do: `find orders`.
impl fmt::Display for SentCommand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)?;
        match self.collection {
            Some(collection) => write!(formatter, " {collection}"),
            None => Ok(()),
        }
    }
}

/// The commands that one scope sends.
#[derive(Clone)]
struct Counter(Arc<Scope>);

struct Scope {
    kind: Arc<Kind>,
    /// The scope around this scope.
    outer: Option<Counter>,
}

/// The purpose of a scope.
pub(super) enum Kind {
    /// Records the commands that are sent to the database of this name.
    Commands(String, Mutex<Vec<SentCommand>>),
    Preview(Lines),
}

/// Runs a part of a program, and returns the commands that the operations of this crate send to the database of this
/// name meanwhile, in order: `let (orders, sent) = commands_of(db.name(), load(&db)).await`. The work that the part
/// awaits is counted, also side by side (`join!`). Three kinds of commands are not counted: commands from tasks that
/// the part spawns, commands sent by the driver directly, and commands of planning and applying a schema.
pub async fn commands_of<T>(database: &str, work: impl Future<Output = T>) -> (T, Vec<SentCommand>) {
    let (output, kind) = within(Kind::Commands(database.to_owned(), Mutex::default()), work).await;
    let sent = match &*kind {
        Kind::Commands(_, sent) => sent.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        Kind::Preview(_) => Vec::new(),
    };
    (output, sent)
}

/// Runs work in a scope, and returns the scope's purpose with the content.
pub(super) async fn within<T>(kind: Kind, work: impl Future<Output = T>) -> (T, Arc<Kind>) {
    let kind = Arc::new(kind);
    let counter = Counter(Arc::new(Scope { kind: Arc::clone(&kind), outer: current() }));
    (COUNTER.scope(counter, work).await, kind)
}

/// Hands the innermost preview around the caller to `visit`; `None` without a preview.
pub(super) fn preview<T>(visit: impl FnOnce(&Lines) -> T) -> Option<T> {
    let mut scope = current();
    while let Some(Counter(counted)) = scope {
        if let Kind::Preview(lines) = &*counted.kind {
            return Some(visit(lines));
        }
        scope = counted.outer.clone();
    }
    None
}

/// Notes a command in every scope around the command.
pub(super) fn note(database: &str, name: &'static str, collection: Option<&'static str>, is_harmless: bool) {
    let mut scope = current();
    while let Some(Counter(counted)) = scope {
        match &*counted.kind {
            Kind::Commands(of, sent) if of == database => {
                sent.lock().unwrap_or_else(PoisonError::into_inner).push(SentCommand { name, collection });
            }
            Kind::Commands(..) => {}
            // A write in a preview is not sent.
            Kind::Preview(_) if !is_harmless => return,
            Kind::Preview(_) => {}
        }
        scope = counted.outer.clone();
    }
}

/// Wraps the work for another task: the commands count in the scope of the caller.
pub(crate) fn counted_here<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    let counter = current();
    async move {
        match counter {
            Some(counter) => COUNTER.scope(counter, work).await,
            None => work.await,
        }
    }
}

fn current() -> Option<Counter> {
    COUNTER.try_with(Clone::clone).ok()
}

/// The expected number of commands.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    AtMost(usize),
    Exactly(usize),
}

#[doc(hidden)]
#[track_caller]
pub fn assert_commands<'a, T>(
    database: &'a str,
    expected: Expected,
    work: impl Future<Output = T> + 'a,
) -> impl Future<Output = T> + 'a {
    let place = Location::caller();
    async move {
        let (output, sent) = commands_of(database, work).await;
        let (right, expected) = match expected {
            Expected::AtMost(most) => (sent.len() <= most, format!("at most {most}")),
            Expected::Exactly(exactly) => (sent.len() == exactly, exactly.to_string()),
        };
        assert!(right, "{} commands were sent at {place}, expected are {expected}:{}", sent.len(), listed(&sent));
        output
    }
}

/// Lists each command on a line; equal commands in a row share a line.
fn listed(sent: &[SentCommand]) -> String {
    let mut text = String::new();
    for equal in sent.chunk_by(|one, other| one == other) {
        let _ = write!(text, "\n  {}", equal[0]);
        if equal.len() > 1 {
            let _ = write!(text, ", {} times", equal.len());
        }
    }
    text
}

/// Asserts, in a test, that a block sends at most so many commands to a database, `<=`, or exactly so many commands,
/// `==`. The macro returns the value of the block.
///
/// ```
/// # use schema_runtime::{assert_commands, prelude::*};
/// # #[derive(Model, Serialize, Deserialize)]
/// # #[model(collection = "people")]
/// # struct Person {
/// #     #[serde(rename = "_id")]
/// #     id: ObjectId,
/// #     name: String,
/// # }
/// # #[derive(Model, Serialize, Deserialize)]
/// # #[model(collection = "tasks")]
/// # struct Task {
/// #     #[serde(rename = "_id")]
/// #     id: ObjectId,
/// #     #[relation(one_to_squillions, parent_ref)]
/// #     owner: Ref<Person>,
/// # }
/// # async fn test(db: Database) {
/// let (tasks, owners) = assert_commands!(db, <= 2, {
///     let tasks = Task::find(Filter::all()).limit(50).fetch_all(&db).await.unwrap();
///     let owners = Task::OWNER.load(&db, &tasks).await.unwrap();
///     (tasks, owners)
/// });
/// # }
/// ```
///
/// The block runs as an `async` block: a `?` in the block ends the block. [`commands_of`](crate::commands_of) documents
/// the counted commands and returns the commands as data.
///
/// # Panics
/// When the block sends more commands, or for `==` another number of commands; the message lists each command and the
/// place of the call.
#[macro_export]
macro_rules! assert_commands {
    ($db:expr, <= $most:expr, $block:block) => {
        $crate::__private::assert_commands($db.name(), $crate::__private::Expected::AtMost($most), async $block).await
    };
    ($db:expr, == $exactly:expr, $block:block) => {
        $crate::__private::assert_commands($db.name(), $crate::__private::Expected::Exactly($exactly), async $block).await
    };
}
