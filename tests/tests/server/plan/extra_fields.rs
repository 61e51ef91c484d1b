//! Fields that the struct does not have, in a collection that is shared with further programs.

use mongodb::bson::doc;
use schema_runtime::prelude::*;
use schema_tests::database;

use super::*;

#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "guests")]
struct Guest {
    #[serde(rename = "_id")]
    id: i32,
    name: String,
    #[relation(one_to_one, embed)]
    home: Home,
}

#[derive(Embed, Serialize, Deserialize, Debug, PartialEq)]
struct Home {
    city: String,
}

#[tokio::test]
async fn they_pass_stay_in_an_update_and_go_in_a_replace() {
    let db = database().await;
    applied(schema![Guest], &db).await;
    let stored = doc! { "_id": 1, "name": "Ann", "home": { "city": "Oslo", "floor": 2 }, "badge": 7 };
    raw(&db, "guests").insert_one(stored).await.expect("the validator lets them pass");
    let now = async || raw(&db, "guests").find_one(doc! {}).await.expect("a read").expect("the guest");

    let guest = Guest::get_by_id(&db, 1).await.expect("they are left out of the struct");
    assert_eq!(guest, Guest { id: 1, name: "Ann".to_owned(), home: Home { city: "Oslo".to_owned() } });
    Guest::update_by_id(1).set(Guest::F.home.city, "Bergen").execute(&db).await.expect("an update");
    let updated = doc! { "_id": 1, "name": "Ann", "home": { "city": "Bergen", "floor": 2 }, "badge": 7 };
    assert_eq!(now().await, updated);
    Guest::replace(&db, &guest).await.expect("a replace");
    assert_eq!(now().await, doc! { "_id": 1, "name": "Ann", "home": { "city": "Oslo" } });
}
