//! The part of MongoDB Atlas that serves search indexes, before a real server: `createSearchIndexes`,
//! `updateSearchIndex`, `dropSearchIndex` and `$listSearchIndexes` as MongoDB's manual describes them. All remaining
//! commands go to the server. The tests do not show a search: nothing answers `$search`.
//!
//! An index is built while a client looks at the index: each list shows the next status of the index.

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};
use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::{
    listener::{database_at, host_of, listen},
    wire::Message,
};

/// The types of fields that Atlas knows, as far as the tests use the types.
const TYPES: [&str; 6] = ["string", "autocomplete", "token", "number", "date", "document"];

/// The ways to compare vectors that Atlas knows.
const SIMILARITIES: [&str; 3] = ["cosine", "dotProduct", "euclidean"];

/// Search indexes before a server; see the head of the file.
#[derive(Clone)]
pub struct Atlas {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    server: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    indexes: Vec<Index>,
    /// The names of the search commands up to now.
    commands: Vec<String>,
    /// The end of each build: `READY`, or another status in which the build stays.
    end: Option<&'static str>,
    /// The code by which each command with this name is refused.
    refused: Option<(&'static str, i32)>,
}

struct Index {
    collection: String,
    name: String,
    kind: String,
    definition: Document,
    /// The definition of an update, until the next list.
    next: Option<Document>,
    status: &'static str,
    queryable: bool,
}

impl Atlas {
    /// Starts the search commands before the server that the tests share.
    pub async fn start() -> Self {
        let server = host_of(crate::server().await.uri()).await;
        let shared = Arc::new(Shared { server, state: Mutex::default() });
        let serving = Arc::clone(&shared);
        let port = listen(move |client| {
            let shared = Arc::clone(&serving);
            async move { shared.serve(client).await }
        })
        .await;
        Atlas { port, shared }
    }

    /// Returns the same database, behind the search commands.
    pub async fn database(&self, name: &str) -> Database {
        database_at(self.port, name).await
    }

    /// Returns the names of the search commands since the last call, without the lists.
    pub fn changes(&self) -> Vec<String> {
        let commands = std::mem::take(&mut self.shared.state().commands);
        commands.into_iter().filter(|name| name != "$listSearchIndexes").collect()
    }

    /// Sets the end of each build from now on: `READY`, `FAILED`, or a status in which the build stays.
    pub fn builds_end(&self, status: &'static str) {
        self.shared.state().end = Some(status);
    }

    /// Refuses each command with this name, by this code.
    pub fn refuse(&self, command: &'static str, code: i32) {
        self.shared.state().refused = Some((command, code));
    }

    /// Runs the commands again.
    pub fn refuse_nothing(&self) {
        self.shared.state().refused = None;
    }

    /// Returns the definition of an index.
    ///
    /// # Panics
    /// If no index has the name.
    pub fn definition(&self, name: &str) -> Document {
        let state = self.shared.state();
        state.indexes.iter().find(|index| index.name == name).expect("the index").definition.clone()
    }

    /// Changes the definition of an index past the client, as a person does in the web page of Atlas.
    ///
    /// # Panics
    /// If no index has the name.
    pub fn change(&self, name: &str, change: impl Fn(&mut Document)) {
        let mut state = self.shared.state();
        change(&mut state.indexes.iter_mut().find(|index| index.name == name).expect("the index").definition);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn serve(&self, mut client: TcpStream) -> io::Result<()> {
        let mut server = TcpStream::connect(&self.server).await?;
        loop {
            let request = Message::read(&mut client).await?;
            let answer = request.document().and_then(|command| self.state().answer(&command));
            if let Some(answer) = answer {
                client.write_all(&request.answer(&answer).0).await?;
                continue;
            }
            server.write_all(&request.0).await?;
            loop {
                let reply = Message::read(&mut server).await?;
                client.write_all(&reply.0).await?;
                if !reply.more_follow() {
                    break;
                }
            }
        }
    }
}

impl State {
    /// Returns the answer to a command of search; `None` for a command of the server.
    fn answer(&mut self, command: &Document) -> Option<Document> {
        let (name, collection) = command.iter().next()?;
        let collection = format!("{}.{}", command.get_str("$db").ok()?, collection.as_str()?);
        let stage = command.get_array("pipeline").ok().and_then(|stages| stages.first()?.as_document()?.keys().next());
        let name = match (name.as_str(), stage.map(String::as_str)) {
            ("aggregate", Some("$listSearchIndexes")) => "$listSearchIndexes",
            ("createSearchIndexes" | "updateSearchIndex" | "dropSearchIndex", _) => name.as_str(),
            _ => return None,
        };
        self.commands.push(name.to_owned());
        if let Some((_, code)) = self.refused.filter(|(refused, _)| *refused == name) {
            return Some(refusal(code, "refused on request"));
        }
        Some(match name {
            "$listSearchIndexes" => self.list(&collection),
            "createSearchIndexes" => self.create(&collection, command),
            "updateSearchIndex" => self.update(&collection, command),
            _ => self.drop_index(&collection, command),
        })
    }

    fn list(&mut self, collection: &str) -> Document {
        let end = self.end.unwrap_or("READY");
        let own = |index: &&mut Index| index.collection == collection;
        let listed: Vec<Document> = self.indexes.iter_mut().filter(own).map(|index| index.list(end)).collect();
        self.indexes.retain(|index| index.status != "DOES_NOT_EXIST");
        doc! { "ok": 1, "cursor": { "id": 0_i64, "ns": collection, "firstBatch": listed } }
    }

    fn create(&mut self, collection: &str, command: &Document) -> Document {
        for asked in command.get_array("indexes").into_iter().flatten().filter_map(Bson::as_document) {
            let kind = asked.get_str("type").unwrap_or("search");
            let name = asked.get_str("name").unwrap_or("default");
            let Ok(definition) = asked.get_document("definition") else { return refusal(8, "no definition") };
            if let Err(message) = judge(kind, definition) {
                return refusal(8, message);
            }
            if self.indexes.iter().any(|index| index.collection == collection && index.name == name) {
                return refusal(68, "Duplicate Index");
            }
            self.indexes.push(Index {
                collection: collection.to_owned(),
                name: name.to_owned(),
                kind: kind.to_owned(),
                definition: definition.clone(),
                next: None,
                status: "PENDING",
                queryable: false,
            });
        }
        doc! { "ok": 1, "indexesCreated": [] }
    }

    fn update(&mut self, collection: &str, command: &Document) -> Document {
        let Ok(definition) = command.get_document("definition") else { return refusal(8, "no definition") };
        let Some(index) = self.find(collection, command) else { return refusal(27, "no such index") };
        if let Err(message) = judge(&index.kind, definition) {
            return refusal(8, message);
        }
        index.next = Some(definition.clone());
        doc! { "ok": 1 }
    }

    fn drop_index(&mut self, collection: &str, command: &Document) -> Document {
        let Some(index) = self.find(collection, command) else { return refusal(27, "no such index") };
        (index.status, index.queryable) = ("DELETING", false);
        doc! { "ok": 1 }
    }

    fn find(&mut self, collection: &str, command: &Document) -> Option<&mut Index> {
        let name = command.get_str("name").ok()?;
        self.indexes.iter_mut().find(|index| index.collection == collection && index.name == name)
    }
}

impl Index {
    /// Returns the index as a list shows the index, and goes on with the build.
    fn list(&mut self, end: &'static str) -> Document {
        let listed = doc! {
            "id": "00000000", "name": &self.name, "type": &self.kind, "status": self.status,
            "queryable": self.queryable, "latestDefinition": self.definition.clone(),
        };
        match (self.next.take(), self.status) {
            (Some(next), _) => (self.definition, self.status) = (next, "PENDING"),
            (None, "PENDING") => self.status = "BUILDING",
            (None, "BUILDING") => {
                self.status = end;
                self.queryable = self.queryable || end == "READY";
            }
            (None, "DELETING") => self.status = "DOES_NOT_EXIST",
            _ => {}
        }
        listed
    }
}

fn refusal(code: i32, message: &str) -> Document {
    doc! { "ok": 0, "code": code, "codeName": "Refused", "errmsg": message }
}

/// Judges a definition by MongoDB's manual.
fn judge(kind: &str, definition: &Document) -> Result<(), &'static str> {
    match kind {
        "search" => judge_fields(definition.get_document("mappings").map_err(|_| "no mappings")?),
        "vectorSearch" => {
            let fields = definition.get_array("fields").map_err(|_| "no fields")?;
            let is_right = |field: &Bson| {
                let Some(field) = field.as_document() else { return false };
                let is_vector = (1..=8_192).contains(&field.get_i64("numDimensions").unwrap_or_default())
                    && SIMILARITIES.contains(&field.get_str("similarity").unwrap_or_default());
                let kind = field.get_str("type").unwrap_or_default();
                field.get_str("path").is_ok() && (kind == "filter" || kind == "vector" && is_vector)
            };
            if fields.iter().all(is_right) { Ok(()) } else { Err("a field is wrong") }
        }
        _ => Err("an unknown type"),
    }
}

fn judge_fields(mappings: &Document) -> Result<(), &'static str> {
    for (_, forms) in mappings.get_document("fields").into_iter().flatten() {
        let forms = forms.as_array().map_or_else(|| vec![forms], |forms| forms.iter().collect());
        for form in forms.into_iter().map(Bson::as_document) {
            let form = form.ok_or("a form is no document")?;
            if !TYPES.contains(&form.get_str("type").unwrap_or_default()) {
                return Err("an unknown type of a field");
            }
            judge_fields(form)?;
        }
    }
    Ok(())
}
