//! Commands as calls of the shell: `db.getCollection("parts").find(..)`, and `db.runCommand(..)` for a command that no
//! method of the shell sends. Pure.

use mongodb::bson::{Bson, Document, doc};

use super::notation::{is_literal, text, value};

/// The fields that the driver adds for the session and the cluster.
const OF_SESSION: [&str; 7] =
    ["$db", "lsid", "txnNumber", "startTransaction", "autocommit", "$clusterTime", "apiVersion"];

/// The fields of a `find`, with the methods of the shell's cursor.
const OF_CURSOR: [(&str, &str); 10] = [
    ("sort", "sort"),
    ("skip", "skip"),
    ("limit", "limit"),
    ("batchSize", "batchSize"),
    ("hint", "hint"),
    ("collation", "collation"),
    ("min", "min"),
    ("max", "max"),
    ("maxTimeMS", "maxTimeMS"),
    ("comment", "comment"),
];

const OF_AGGREGATE: [&str; 10] = [
    "cursor",
    "allowDiskUse",
    "hint",
    "collation",
    "let",
    "maxTimeMS",
    "comment",
    "bypassDocumentValidation",
    "readConcern",
    "writeConcern",
];

const OF_DISTINCT: [&str; 5] = ["collation", "maxTimeMS", "comment", "hint", "readConcern"];

const OF_WRITE: [&str; 5] = ["bypassDocumentValidation", "let", "maxTimeMS", "comment", "writeConcern"];

const OF_STATEMENT: [&str; 5] = ["upsert", "arrayFilters", "hint", "collation", "sort"];

const OF_FIND_AND_MODIFY: [&str; 7] =
    ["projection", "returnDocument", "sort", "upsert", "arrayFilters", "hint", "collation"];

/// Returns the line of a command. The line sends the command outside of the session and the transaction.
pub(crate) fn line(command: &Document) -> String {
    let run = if command.get_str("$db").ok() == Some("admin") { "adminCommand" } else { "runCommand" };
    let mut command = command.clone();
    for name in OF_SESSION {
        command.remove(name);
    }
    let mode = command.get_document("$readPreference").and_then(|preference| preference.get_str("mode"));
    if let Ok("primary" | "primaryPreferred") = mode {
        command.remove("$readPreference");
    }
    if let Ok(concern) = command.get_document_mut("readConcern") {
        concern.remove("afterClusterTime");
        if concern.is_empty() {
            command.remove("readConcern");
        }
    }
    call(command.clone()).unwrap_or_else(|| format!("db.{run}({})", value(&command.into())))
}

/// Returns the call of a method of a collection; `None` where no method sends the command.
fn call(command: Document) -> Option<String> {
    match command.keys().next()?.as_str() {
        "find" => find(command),
        "aggregate" => aggregate(command),
        "distinct" => distinct(command),
        "count" if !command.contains_key("query") => estimate(command),
        "insert" => insert(command),
        "update" => update(command),
        "delete" => delete(command),
        "findAndModify" => find_and_modify(command),
        _ => None,
    }
}

fn find(mut rest: Document) -> Option<String> {
    let (collection, filter) = (string(rest.remove("find"))?, rest.remove("filter").unwrap_or_else(empty));
    let arguments = [Some(filter), rest.remove("projection")];
    let mut line = method(&collection, "find", arguments)?;
    for (field, name) in OF_CURSOR {
        if let Some(argument) = rest.remove(field) {
            // A cursor of the shell takes a text only.
            if field == "comment" && argument.as_str().is_none() {
                return None;
            }
            line += &format!(".{name}({})", value(&plain_number(argument)));
        }
    }
    if rest.get_bool("allowDiskUse").ok() == Some(true) {
        rest.remove("allowDiskUse");
        line += ".allowDiskUse()";
    }
    if let Some(level) = only(&mut rest, "readConcern", "level") {
        line += &format!(".readConcern({})", value(&level));
    }
    if let Some(mode) = only(&mut rest, "$readPreference", "mode") {
        line += &format!(".readPref({})", value(&mode));
    }
    rest.is_empty().then_some(line)
}

fn aggregate(mut rest: Document) -> Option<String> {
    let (target, pipeline) = (rest.remove("aggregate")?, rest.remove("pipeline")?);
    if rest.get_document("cursor").is_ok_and(Document::is_empty) {
        rest.remove("cursor");
    }
    let mode = only(&mut rest, "$readPreference", "mode");
    let mut options = options(rest, &[&OF_AGGREGATE])?;
    options.extend(mode.map(|mode| ("readPreference".to_owned(), mode)));
    let arguments = [Some(pipeline), given(options)];
    match target {
        Bson::String(collection) => method(&collection, "aggregate", arguments),
        _ => Some(format!("db.aggregate({})", listed(arguments))),
    }
}

fn distinct(mut rest: Document) -> Option<String> {
    let (collection, key) = (string(rest.remove("distinct"))?, rest.remove("key")?);
    let query = rest.remove("query").unwrap_or_else(empty);
    method(&collection, "distinct", [Some(key), Some(query), given(options(rest, &[&OF_DISTINCT])?)])
}

fn estimate(mut rest: Document) -> Option<String> {
    let collection = string(rest.remove("count"))?;
    method(&collection, "estimatedDocumentCount", [given(options(rest, &[&["maxTimeMS", "comment"]])?)])
}

fn insert(mut rest: Document) -> Option<String> {
    let (collection, documents) = (string(rest.remove("insert"))?, list(rest.remove("documents"))?);
    let ordered = rest.remove("ordered").unwrap_or(Bson::Boolean(true));
    let mut options = options(rest, &[&OF_WRITE])?;
    match <[Bson; 1]>::try_from(documents) {
        Ok([document]) => method(&collection, "insertOne", [Some(document), given(options)]),
        Err(documents) => {
            options.extend((ordered == Bson::Boolean(false)).then(|| ("ordered".to_owned(), ordered)));
            method(&collection, "insertMany", [Some(documents.into()), given(options)])
        }
    }
}

fn update(mut rest: Document) -> Option<String> {
    let collection = string(rest.remove("update"))?;
    let mut statement = single(rest.remove("updates"))?;
    rest.remove("ordered");
    let (filter, update) = (statement.remove("q")?, statement.remove("u")?);
    let name = match (statement.remove("multi"), is_replacement(&update)) {
        (Some(Bson::Boolean(true)), true) => return None,
        (Some(Bson::Boolean(true)), false) => "updateMany",
        (_, true) => "replaceOne",
        (_, false) => "updateOne",
    };
    statement.extend(rest);
    let options = options(statement, &[&OF_STATEMENT, &OF_WRITE])?;
    method(&collection, name, [Some(filter), Some(update), given(options)])
}

fn delete(mut rest: Document) -> Option<String> {
    let collection = string(rest.remove("delete"))?;
    let mut statement = single(rest.remove("deletes"))?;
    rest.remove("ordered");
    let (filter, limit) = (statement.remove("q")?, statement.remove("limit")?);
    let name = if crate::document::count(Some(&limit)) == 1 { "deleteOne" } else { "deleteMany" };
    statement.extend(rest);
    method(&collection, name, [Some(filter), given(options(statement, &[&["hint", "collation"], &OF_WRITE])?)])
}

fn find_and_modify(mut rest: Document) -> Option<String> {
    let (collection, query) = (string(rest.remove("findAndModify"))?, rest.remove("query").unwrap_or_else(empty));
    let update = rest.remove("update");
    let removes = rest.remove("remove") == Some(Bson::Boolean(true));
    let name = match &update {
        None if removes => "findOneAndDelete",
        None => return None,
        Some(update) if is_replacement(update) => "findOneAndReplace",
        Some(_) => "findOneAndUpdate",
    };
    let projection = rest.remove("fields").map(|fields| ("projection".to_owned(), fields));
    let after =
        (rest.remove("new") == Some(Bson::Boolean(true))).then(|| ("returnDocument".to_owned(), "after".into()));
    let options: Document = projection.into_iter().chain(after).chain(rest).collect();
    let options = self::options(options, &[&OF_FIND_AND_MODIFY, &OF_WRITE])?;
    method(&collection, name, [Some(query), update, given(options)])
}

/// Returns whether the update is a whole document.
fn is_replacement(update: &Bson) -> bool {
    update.as_document().is_some_and(|update| update.keys().next().is_none_or(|name| !name.starts_with('$')))
}

/// Returns the call of a method of a collection; `None` for a document that the methods of the shell would lose.
fn method<const N: usize>(collection: &str, name: &str, arguments: [Option<Bson>; N]) -> Option<String> {
    let is_taken = |argument: &Bson| argument.as_document().is_none_or(is_literal);
    let mut all = arguments.iter().flatten();
    let are_taken =
        all.all(|argument| argument.as_array().map_or(is_taken(argument), |list| list.iter().all(is_taken)));
    are_taken.then(|| format!("db.getCollection({}).{name}({})", text(collection), listed(arguments)))
}

fn listed<const N: usize>(arguments: [Option<Bson>; N]) -> String {
    arguments.iter().flatten().map(value).collect::<Vec<_>>().join(", ")
}

/// Returns the rest of a command as the options of a method, without options that have the value of the default; `None`
/// when the method does not take the rest.
fn options(rest: Document, known: &[&[&str]]) -> Option<Document> {
    let rest: Document = rest.into_iter().filter(|(_, value)| *value != Bson::Boolean(false)).collect();
    rest.keys().all(|name| known.iter().any(|known| known.contains(&name.as_str()))).then_some(rest)
}

fn given(options: Document) -> Option<Bson> {
    (!options.is_empty()).then_some(Bson::Document(options))
}

/// Takes the value of a document with this only field out of the command.
fn only(command: &mut Document, name: &str, field: &str) -> Option<Bson> {
    let inner = command.get_document(name).ok().filter(|inner| inner.len() == 1)?.get(field)?.clone();
    command.remove(name);
    Some(inner)
}

/// Returns a number that the methods of a cursor take.
fn plain_number(value: Bson) -> Bson {
    match value {
        Bson::Int64(number) => i32::try_from(number).map_or(value, Bson::Int32),
        value => value,
    }
}

fn string(value: Option<Bson>) -> Option<String> {
    if let Some(Bson::String(text)) = value { Some(text) } else { None }
}

fn list(value: Option<Bson>) -> Option<Vec<Bson>> {
    if let Some(Bson::Array(list)) = value { Some(list) } else { None }
}

/// Returns the single document of a list.
fn single(value: Option<Bson>) -> Option<Document> {
    match <[Bson; 1]>::try_from(list(value)?) {
        Ok([Bson::Document(document)]) => Some(document),
        _ => None,
    }
}

fn empty() -> Bson {
    doc! {}.into()
}
