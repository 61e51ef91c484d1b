//! Fields of a view that have another name in the source.

use mongodb::bson::doc;

use super::*;

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Address {
    #[serde(rename = "town")]
    city: String,
    zip: Option<String>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[serde(rename = "fullName")]
    #[index]
    name: String,
    #[relation(one_to_one, embed)]
    address: Address,
    #[relation(one_to_one, embed)]
    work: Option<Address>,
    #[hidden]
    #[bound(max_len = 50)]
    secret: Hidden<String>,
    #[bound(max_items = 3)]
    tags: Vec<String>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(
    collection = "labels",
    view(
        of = Person,
        filter(gt(id, 0)),
        from(label = name, city = address.city, work_city = work.city, words = tags, person = id, password = secret)
    )
)]
#[query(labelled(label))]
struct Label {
    #[serde(rename = "_id")]
    id: i64,
    label: String,
    #[serde(rename = "place")]
    city: String,
    work_city: Option<String>,
    #[bound(max_items = 3)]
    words: Vec<String>,
    person: i64,
    #[hidden]
    #[bound(max_len = 50)]
    password: Hidden<String>,
}

/// A view of renamed fields of a view.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "towns", view(of = Label, from(town = city)))]
struct Town {
    #[serde(rename = "_id")]
    id: i64,
    town: String,
}

const PEOPLE: Schema = schema![Town, Label, Person];

async fn people() -> Database {
    let db = database().await;
    applied(PEOPLE, &db).await;
    is_settled(PEOPLE, &db).await;
    let address = Address { city: "Oslo".to_owned(), zip: None };
    for (id, name, work) in [(1, "Ada", Some(address.clone())), (2, "Tim", None)] {
        let (secret, tags) = ("s".to_owned().into(), vec!["a".to_owned()]);
        let person = Person { id, name: name.to_owned(), address: address.clone(), work, secret, tags };
        Person::insert(&db, &person).await.expect("inserted");
    }
    db
}

#[tokio::test]
async fn a_field_of_a_view_has_another_name_than_in_the_source() {
    let db = people().await;
    let labels = Label::find(Filter::all()).sort(Label::F.id.asc()).fetch_all(&db).await.expect("read");
    let (ada, tim) = (&labels[0], &labels[1]);
    assert_eq!((ada.label.as_str(), ada.city.as_str(), ada.person), ("Ada", "Oslo", 1));
    assert_eq!((ada.work_city.as_deref(), tim.work_city.as_deref()), (Some("Oslo"), None));
    assert_eq!(ada.words, ["a"]);
    let raw = db.collection::<Document>("labels").find_one(doc! { "_id": 2 }).await.expect("read").expect("a document");
    assert_eq!(raw.get_str("place").ok(), Some("Oslo"));
    assert_eq!(raw.get_str("label").ok(), Some("Tim"));
    assert!(!raw.contains_key("fullName") && !raw.contains_key("work_city"), "{raw}");
    assert_eq!(Label::find(Label::F.city.eq("Oslo")).count(&db).await.expect("counted"), 2);
    let towns = Town::find(Town::F.town.eq("Oslo")).fetch_all(&db).await.expect("read");
    assert_eq!(towns.len(), 2);
}

/// The server renames the condition, and the index of the source serves the query.
#[tokio::test]
async fn a_condition_on_a_renamed_field_uses_the_index_of_the_source() {
    let db = people().await;
    let found = Label::labelled("Tim").fetch_all(&db).await.expect("read");
    assert_eq!(found.iter().map(|label| label.id).collect::<Vec<_>>(), [2]);
    let explained = doc! { "explain": { "find": "labels", "filter": { "label": "Tim" } } };
    let explained = db.run_command(explained).await.expect("explained").to_string();
    assert!(explained.contains("fullName_1"), "{explained}");
}
