//! Does a step of a search index, and waits until the server has built the index. A dropped future stops the wait
//! alone: the server goes on, and the next plan finds the index. Reaches the server.

use std::time::{Duration, Instant};

use mongodb::{
    Database,
    bson::{Document, doc},
};

use super::{
    Listed, SearchChange,
    list::{StoredSearchIndex, list},
};
use crate::{
    error::{Error, Result, SearchError, code},
    indexes::{SearchIndex, same_search_index},
};

/// The pause before the second look at an index that is being built. Each further pause is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Does the step. Returns whether anything had to be done. `wait` is the longest wait for a build; with no wait, the
/// step ends when the server has the definition.
pub(crate) async fn run(change: &SearchChange, collection: &str, wait: Duration, database: &Database) -> Result<bool> {
    let run = Run { collection, wait, database };
    match change {
        SearchChange::Create { index } => run.create(index).await,
        SearchChange::Update { old, new } => run.update(old, new).await,
        SearchChange::Rebuild { old, new } => run.rebuild(old, new).await,
        SearchChange::Drop { index } => run.drop_index(index).await,
    }
}

struct Run<'a> {
    collection: &'a str,
    wait: Duration,
    database: &'a Database,
}

impl Run<'_> {
    async fn create(&self, index: &SearchIndex) -> Result<bool> {
        let is_made = match self.find(&index.name).await? {
            Some(stored) if stored.is_dropped() => {
                self.until_gone(&index.name).await?;
                self.make(index).await?
            }
            Some(stored) if !same_search_index(&stored.index, index) => return self.outdated(&index.name),
            Some(_) => false,
            None => self.make(index).await?,
        };
        self.until_ready(index).await?;
        Ok(is_made)
    }

    /// Makes the index. Returns false when another client was first.
    async fn make(&self, index: &SearchIndex) -> Result<bool> {
        let command = doc! { "createSearchIndexes": self.collection, "indexes": [index.to_document()] };
        match self.database.run_command(command).await {
            Ok(_) => Ok(true),
            Err(error) if code::command_code(&error) == Some(code::INDEX_EXISTS) => Ok(false),
            Err(error) => Err(self.failure(error, "createSearchIndexes", &index.name)),
        }
    }

    async fn update(&self, old: &SearchIndex, new: &SearchIndex) -> Result<bool> {
        let is_old = match self.find(&new.name).await? {
            Some(stored) if same_search_index(&stored.index, new) => false,
            Some(stored) if same_search_index(&stored.index, old) => true,
            _ => return self.outdated(&old.name),
        };
        if is_old {
            let definition = new.definition.clone();
            let command = doc! { "updateSearchIndex": self.collection, "name": &new.name, "definition": definition };
            self.command(command, "updateSearchIndex", &new.name).await?;
        }
        self.until_ready(new).await?;
        Ok(is_old)
    }

    async fn rebuild(&self, old: &SearchIndex, new: &SearchIndex) -> Result<bool> {
        match self.find(&old.name).await? {
            Some(stored) if same_search_index(&stored.index, new) && !stored.is_failed() => {
                self.until_ready(new).await?;
                return Ok(false);
            }
            Some(stored) if stored.is_dropped() => {}
            Some(stored) if !same_search_index(&stored.index, old) => return self.outdated(&old.name),
            Some(_) => {
                self.command(
                    doc! { "dropSearchIndex": self.collection, "name": &old.name },
                    "dropSearchIndex",
                    &old.name,
                )
                .await?;
            }
            None => {}
        }
        self.until_gone(&old.name).await?;
        self.make(new).await?;
        self.until_ready(new).await?;
        Ok(true)
    }

    async fn drop_index(&self, index: &SearchIndex) -> Result<bool> {
        match self.find(&index.name).await? {
            None => return Ok(false),
            Some(stored) if stored.is_dropped() => return Ok(false),
            Some(stored) if !same_search_index(&stored.index, index) => return self.outdated(&index.name),
            Some(_) => {}
        }
        let command = doc! { "dropSearchIndex": self.collection, "name": &index.name };
        match self.database.run_command(command).await {
            Ok(_) => Ok(true),
            Err(error) if code::command_code(&error) == Some(code::INDEX_NOT_FOUND) => Ok(false),
            Err(error) => Err(self.failure(error, "dropSearchIndex", &index.name)),
        }
    }

    async fn find(&self, name: &str) -> Result<Option<StoredSearchIndex>> {
        match list(self.collection, self.database).await? {
            Listed::Indexes(listed) => Ok(listed.into_iter().find(|stored| stored.index.name == name)),
            Listed::Unavailable => {
                let what = "the server has no search any more".to_owned();
                Err(Error::PlanOutdated { collection: self.collection.to_owned(), what })
            }
        }
    }

    /// Returns when searches use the index. The list of the server may show the former definition for a while.
    async fn until_ready(&self, index: &SearchIndex) -> Result<()> {
        self.until(&index.name, |stored| match stored {
            Some(stored) if !same_search_index(&stored.index, index) => Ok(false),
            Some(stored) if stored.is_failed() => Err(Error::Search(SearchError::BuildFailed {
                collection: self.collection.to_owned(),
                index: index.name.clone(),
                message: stored.message.clone(),
            })),
            Some(stored) => Ok(stored.is_ready()),
            None => Ok(false),
        })
        .await
    }

    /// Returns when the server does not list the index any more.
    async fn until_gone(&self, name: &str) -> Result<()> {
        self.until(name, |stored| Ok(stored.is_none())).await
    }

    async fn until(&self, name: &str, is_done: impl Fn(Option<&StoredSearchIndex>) -> Result<bool>) -> Result<()> {
        let (begun, mut pause) = (Instant::now(), FIRST_PAUSE);
        while !self.wait.is_zero() {
            let stored = self.find(name).await?;
            if is_done(stored.as_ref())? {
                break;
            }
            let waited = begun.elapsed();
            let Some(left) = self.wait.checked_sub(waited).filter(|left| !left.is_zero()) else {
                let status = stored.map_or_else(|| "MISSING".to_owned(), |stored| stored.status);
                let (collection, index) = (self.collection.to_owned(), name.to_owned());
                return Err(Error::Search(SearchError::NotReady { collection, index, status, waited }));
            };
            tokio::time::sleep(pause.min(left)).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        Ok(())
    }

    async fn command(&self, command: Document, name: &'static str, index: &str) -> Result<()> {
        match self.database.run_command(command).await {
            Ok(_) => Ok(()),
            Err(error) => Err(self.failure(error, name, index)),
        }
    }

    fn failure(&self, error: mongodb::error::Error, command: &'static str, index: &str) -> Error {
        let collection = self.collection.to_owned();
        match code::command_code(&error) {
            Some(code::UNAUTHORIZED) => Error::NotAuthorized { action: command, collection },
            Some(_) => {
                let (index, message) = (index.to_owned(), code::command_message(&error));
                Error::Search(SearchError::Refused { collection, index, command, message })
            }
            None => error.into(),
        }
    }

    fn outdated(&self, index: &str) -> Result<bool> {
        let what = format!("the search index `{index}` has changed");
        Err(Error::PlanOutdated { collection: self.collection.to_owned(), what })
    }
}
