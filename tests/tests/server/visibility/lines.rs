//! The line of a read or an update sends the same command as the read or the update.

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{ToMongosh, prelude::*};
use schema_tests::database_with_log;

use crate::mongosh::commands_of_shell;

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "parts")]
#[index(name, note)]
pub(super) struct Part {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    note: Option<String>,
    #[bound(max_items = 5)]
    tags: Vec<String>,
    at: DateTime,
}

/// Texts that would end a literal, a line or a comment, or that a terminal would obey.
pub(super) const HOSTILE: [&str; 8] = [
    "\"); db.dropDatabase(); (\"",
    "'); db.dropDatabase(); ('",
    "`${db.dropDatabase()}` */ // \\",
    "\n); db.dropDatabase(); (\r\n",
    "\u{2028}db.dropDatabase()\u{2029}",
    "\u{1b}[2J\u{7}\x001\u{85}\u{202e}\u{200b}",
    "\\u0022\\",
    "é 漢字 👩‍👩‍👧 $where",
];

/// Returns a command without the fields that the methods of the shell do not send, or send in another form.
pub(super) fn comparable(mut command: Document) -> Document {
    for name in ["$db", "lsid", "$clusterTime", "$readPreference", "txnNumber", "ordered", "batchSize"] {
        command.remove(name);
    }
    for list in ["updates", "deletes"] {
        for statement in command.get_array_mut(list).into_iter().flatten().filter_map(Bson::as_document_mut) {
            *statement = sorted(statement.iter().filter(|(_, value)| **value != Bson::Boolean(false)));
        }
    }
    // The shell sends the numbers of a `find` as other types.
    for name in ["skip", "limit"] {
        if let Some(Bson::Int64(number)) = command.get(name) {
            command.insert(name, *number as i32);
        }
    }
    sorted(command.iter().filter(|(_, value)| **value != Bson::Boolean(false)))
}

fn sorted<'a>(fields: impl Iterator<Item = (&'a String, &'a Bson)>) -> Document {
    let mut fields: Vec<_> = fields.collect();
    fields.sort_by_key(|(name, _)| *name);
    fields.into_iter().map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[tokio::test]
async fn a_read_or_an_update_has_the_same_command_in_the_shell() {
    let (db, log) = database_with_log().await;
    let mut lines = Vec::new();
    let [one, two, ..] = HOSTILE;
    let read = Part::find(Part::F.name.eq(one) | Part::F.tags.contains(two));
    let read = read.sort([Part::F.name.asc(), Part::F.id.desc()]).skip(2).limit(7);
    lines.push(read.to_mongosh().unwrap());
    read.fetch_all(&db).await.unwrap();

    let page = Part::find(Part::F.at.lt(DateTime::from_millis(5))).sort(Part::F.name.desc()).paginate(3);
    lines.push(page.to_mongosh().unwrap());
    page.fetch(&db).await.unwrap();

    let one = Part::update_one(Part::F.name.eq(HOSTILE[3])).set(Part::F.note, HOSTILE[4].to_owned());
    lines.push(one.to_mongosh().unwrap());
    one.execute(&db).await.unwrap();

    let many = Part::update_many(Part::F.id.gte(5)).unset(Part::F.note).set(Part::F.at, DateTime::MAX);
    // No JavaScript date is as late as the last date of BSON.
    assert!(many.to_mongosh().unwrap().contains("ISODate(\"9223372036854775807 ms\")"));
    let many = Part::update_many(Part::F.id.gte(5)).unset(Part::F.note);
    lines.push(many.to_mongosh().unwrap());
    many.execute(&db).await.unwrap();

    let by_id = Part::update_by_id(7).set(Part::F.name, HOSTILE[5]).set(Part::F.at, DateTime::from_millis(-1)).upsert();
    let by_id = by_id.set_on_insert(Part::F.tags, HOSTILE.map(str::to_owned)[..5].to_vec());
    lines.push(by_id.to_mongosh().unwrap());
    by_id.execute(&db).await.unwrap();

    let returned = Part::find_one_and_update(Part::F.name.eq(HOSTILE[6])).set(Part::F.note, HOSTILE[7].to_owned());
    lines.push(returned.to_mongosh().unwrap());
    returned.fetch_before(&db).await.unwrap();

    let sent: Vec<_> = log.commands().into_iter().map(|(_, command)| comparable(command)).collect();
    let shown: Vec<_> = commands_of_shell(&db, &lines).await.into_iter().map(comparable).collect();
    assert_eq!(shown, sent, "{lines:#?}");
    assert_eq!(db.collection::<Document>("parts").count_documents(doc! {}).await.unwrap(), 1);
    assert!(
        lines.iter().all(|line| !line.contains(char::is_control) && line.starts_with("db.getCollection(\"parts\")."))
    );
}
