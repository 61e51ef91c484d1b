//! People with few addresses: embedded, with a bound that the compiler, this crate and the server all enforce.
//!
//! `cargo run --example people` starts a MongoDB server; with `MONGODB_URI` the example runs on another server, in the
//! database `schema_example_people`, and first empties the collection of the example. `cargo run --example people -- db
//! plan` runs a command of the command line on the database of `MONGODB_URI`.

use std::process::ExitCode;

use schema_examples::{commands::run_db, table};
use schema_runtime::{
    assert_queries_indexed,
    bson::{Document, doc},
    local,
    mongodb::error::{ErrorKind, WriteFailure},
    prelude::*,
};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[query(in_city(addresses.city as String), per_day = 2_000)]
#[query(by_ssn(ssn), one, per_day = 50_000)]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[index(unique)]
    ssn: String,
    #[relation(one_to_few, embed, max = 3)]
    addresses: Vec<Address>,
    #[bound(max_items = 30, max_len = 20)]
    tags: Vec<String>,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Address {
    street: String,
    city: String,
    #[bound(max_len = 2)]
    cc: String,
}

/// The token of an address in a condition on array elements.
type AddressToken = schema_runtime::field::ElementToken<Address>;

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let schema = schema![Person];
    if let Some(ended) = run_db(schema).await {
        return Ok(ended);
    }
    let db = local::connect("schema_example_people").await?;
    db.collection::<Document>("people").drop().await?;
    println!("{}", schema.plan(&db).await?.apply(&db).await?);

    let address = |street: &str, city: &str, cc: &str| Address {
        street: street.to_owned(),
        city: city.to_owned(),
        cc: cc.to_owned(),
    };
    let mut kate = Person {
        id: ObjectId::new(),
        name: "Kate Monster".to_owned(),
        ssn: "123-456-7890".to_owned(),
        addresses: vec![address("123 Sesame St", "Anytown", "US"), address("123 Avenue Q", "New York", "US")],
        tags: vec!["puppet".to_owned()],
    };
    Person::insert(&db, &kate).await?;

    let found = Person::in_city("New York").fetch_all(&db).await?;
    for person in &found {
        let rows = person.addresses.iter().map(|one| [one.street.clone(), one.city.clone(), one.cc.clone()]);
        println!("{} {:?}:\n{}", person.name, person.tags, table(["street", "city", "country"], rows));
    }
    let in_new_york = |address: AddressToken| address.city.eq("New York") & address.cc.eq("US");
    println!(
        "With one address in New York, US: {}",
        Person::find(Person::F.addresses.elem_match(in_new_york)).count(&db).await?
    );
    let moved = Person::update_by_id(kate.id)
        .each(Person::F.addresses, in_new_york, |change, address| change.set(address.street, "124 Avenue Q"));
    moved.execute(&db).await?;
    let kate_now = Person::by_ssn("123-456-7890").fetch_one(&db).await?;
    println!("Kate moved next door: {}", kate_now.addresses[1].street);

    let first = Person::ADDRESSES.slice(&db, &kate, 0, 1).await?;
    println!("The first address alone: {}", first[0].street);

    kate.addresses = vec![address("1 Main St", "Springfield", "US"); 4];
    match Person::replace(&db, &kate).await {
        Err(error) => println!("\nFour addresses through this crate: {error}"),
        Ok(()) => return Err("a bound was not held".into()),
    }
    let visit = address("2 Main St", "Springfield", "US");
    let visited = Person::update_by_id(kate.id).push(Person::F.addresses, &visit).execute(&db).await?;
    println!("A third address by a push: {} changed", visited.modified);
    match Person::update_by_id(kate.id).push(Person::F.addresses, &visit).execute(&db).await {
        Err(error @ Error::BoundExceeded { .. }) => println!("A fourth by a push: {error}"),
        other => return Err(format!("a bound was not held: {other:?}").into()),
    }
    let push = doc! { "$push": { "addresses": { "$each": [doc! { "street": "s", "city": "c", "cc": "US" }, doc! { "street": "s", "city": "c", "cc": "US" }] } } };
    match Person::collection(&db).update_one(doc! { "_id": kate.id }, push).await {
        Err(error) => match *error.kind {
            ErrorKind::Write(WriteFailure::WriteError(refused)) => {
                println!("Two more past this crate, by a raw $push: {} (code {})", refused.message, refused.code);
            }
            other => return Err(other.to_string().into()),
        },
        Ok(_) => return Err("the validator did not hold the bound".into()),
    }
    assert_queries_indexed(&schema, &db).await;
    Ok(ExitCode::SUCCESS)
}
