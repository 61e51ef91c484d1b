//! A command as the line that a person types into mongosh. The parts of a session and the hint are left out, and
//! `{ $eq: 1 }` is `1`. Pure.

use mongodb::bson::{Bson, Document};

/// Returns the lines of a command: one for each statement of an update or a delete.
pub(crate) fn lines(name: &str, command: &Document) -> Vec<String> {
    let collection = command.get_str(name).unwrap_or_default();
    let call = |method: &str, arguments: &[String]| format!("db.{collection}.{method}({})", arguments.join(", "));
    let statements = |list: &str| -> Vec<Document> {
        let statements = command.get_array(list).into_iter().flatten();
        statements.filter_map(|statement| statement.as_document().cloned()).collect()
    };
    match name {
        "insert" => match &statements("documents")[..] {
            [document] => vec![call("insertOne", &[shown(document)])],
            documents => vec![call("insertMany", &[format!("[{}]", list(documents.iter().map(shown)))])],
        },
        "update" => statements("updates").iter().map(|update| call(method_of(update), &of_update(update))).collect(),
        "delete" => {
            let one = |delete: &Document| delete.get("limit").is_some_and(|limit| number(limit) == "1");
            let method = |delete: &Document| if one(delete) { "deleteOne" } else { "deleteMany" };
            statements("deletes").iter().map(|delete| call(method(delete), &[value(&delete["q"])])).collect()
        }
        "findAndModify" => vec![match command.get("update") {
            Some(update) => call("findOneAndUpdate", &[value(&command["query"]), value(update)]),
            None => call("findOneAndDelete", &[value(&command["query"])]),
        }],
        "find" => vec![format!("{}{}", call("find", &of_find(command)), cursor(command))],
        "aggregate" => vec![call("aggregate", &[value(&command["pipeline"])])],
        "distinct" => vec![call("distinct", &[value(&command["key"]), value(&command["query"])])],
        "commitTransaction" | "abortTransaction" => vec![format!("// {name}")],
        _ => vec![format!("db.runCommand({})", shown(&without_session(command)))],
    }
}

fn method_of(statement: &Document) -> &'static str {
    if statement.get_bool("multi").unwrap_or(false) { "updateMany" } else { "updateOne" }
}

fn of_update(update: &Document) -> Vec<String> {
    let options = ["arrayFilters", "upsert"].into_iter().filter_map(|name| Some((name, update.get(name)?)));
    let options: Document = options
        .filter(|(_, option)| *option != &Bson::Boolean(false))
        .map(|(name, option)| (name.to_owned(), option.clone()))
        .collect();
    let mut arguments = vec![value(&update["q"]), value(&update["u"])];
    arguments.extend((!options.is_empty()).then(|| shown(&options)));
    arguments
}

fn of_find(find: &Document) -> Vec<String> {
    let filter = find.get("filter").map_or_else(|| "{}".to_owned(), value);
    let projection = find.get("projection").map(value);
    [filter].into_iter().chain(projection).collect()
}

/// Returns the calls on the cursor of a `find`.
fn cursor(find: &Document) -> String {
    let sort = find.get("sort").map(|sort| format!(".sort({})", value(sort)));
    let limit = find.get("limit").map(|limit| format!(".limit({})", number(limit)));
    [sort, limit].into_iter().flatten().collect()
}

/// Returns a command without the members that the driver adds.
fn without_session(command: &Document) -> Document {
    let added = ["lsid", "$db", "$clusterTime", "txnNumber", "readConcern", "writeConcern", "$readPreference"];
    let members = command.iter().filter(|(name, _)| !added.contains(&name.as_str()));
    members.map(|(name, member)| (name.clone(), member.clone())).collect()
}

fn value(value: &Bson) -> String {
    match value {
        Bson::Document(document) => match document.get("$eq") {
            Some(operand) if document.len() == 1 => self::value(operand),
            _ => shown(document),
        },
        Bson::Array(elements) => format!("[{}]", list(elements.iter().map(self::value))),
        Bson::String(text) => format!("{text:?}"),
        Bson::DateTime(time) => format!("ISODate({:?})", time.try_to_rfc3339_string().unwrap_or_default()),
        Bson::ObjectId(id) => format!("ObjectId({:?})", id.to_hex()),
        Bson::Timestamp(time) => format!("Timestamp({}, {})", time.time, time.increment),
        other => number(other),
    }
}

fn number(value: &Bson) -> String {
    match value {
        Bson::Int32(number) => number.to_string(),
        Bson::Int64(number) => number.to_string(),
        other => other.to_string(),
    }
}

fn shown(document: &Document) -> String {
    if document.is_empty() {
        return "{}".to_owned();
    }
    let is_name = |name: &str| name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$'));
    let key = |name: &str| if is_name(name) { name.to_owned() } else { format!("{name:?}") };
    format!("{{ {} }}", list(document.iter().map(|(name, member)| format!("{}: {}", key(name), value(member)))))
}

fn list(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}
