//! The `Debug` output of a filter, a read or an update shows the fields and operators, and no value.

use schema_runtime::{commands_of, prelude::*};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: String,
    #[serde(rename = "mail")]
    email: String,
    #[bound(max_items = 5)]
    tags: Vec<String>,
    #[relation(one_to_few, embed, max = 5)]
    rooms: Vec<Room>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Room {
    label: String,
}

#[test]
fn debug_has_no_values() {
    let f = User::F;
    let secret = "secret";
    let filter = f.email.eq(secret)
        & (f.id.between(secret..) | !f.tags.contains(secret))
        & f.rooms.elem_match(|room| room.label.contains_text(secret))
        & f.rooms.contains(Room { label: secret.to_owned() })
        & f.tags.contains_any([secret])
        & Filter::raw(doc! { "$expr": { "$eq": ["$mail", secret] } });
    let shown = format!("{filter:?}");
    assert!(!shown.contains(secret), "{shown}");
    assert!(shown.starts_with("Filter({") && shown.contains("mail") && shown.contains("$gte"), "{shown}");
    assert!(shown.contains("\"rooms\": { \"$elemMatch\": { \"label\": { \"$regex\": \"?\""), "{shown}");
    let find = format!("{:?}", User::find(filter.clone()).sort([f.email.asc()]).limit(3));
    assert!(!find.contains(secret) && find.contains("mail") && find.contains("users"), "{find}");
    let update = User::update_one(filter).set(f.email, secret).push(f.tags, secret);
    let update = format!("{update:?}");
    assert!(!update.contains(secret) && update.contains("$set mail") && update.contains("$push tags"), "{update}");
}

#[tokio::test]
async fn a_command_is_named_as_its_span_is() {
    let db = database().await;
    let (_, sent) = commands_of(db.name(), User::find_by_id(&db, "secret")).await;
    assert_eq!(sent.iter().map(ToString::to_string).collect::<Vec<_>>(), ["find users"]);
}
