//! Filters: and, or, not, embedded structs, arrays.

use schema_runtime::{prelude::*, schema};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: i32,
    name: String,
    stars: i32,
    closed: Option<DateTime>,
    address: Address,
    #[bound(max_items = 20, max_len = 30)]
    tags: Vec<String>,
    #[relation(one_to_few, embed, max = 20)]
    halls: Vec<Hall>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct Hall {
    name: String,
    seats: i32,
}
// ANCHOR_END: model

fn shop(id: i32, stars: i32, city: &str, tags: &[&str], halls: &[(&str, i32)]) -> Shop {
    let address = Address { city: city.to_owned() };
    let tags = tags.iter().map(|&tag| tag.to_owned()).collect();
    let halls = halls.iter().map(|&(name, seats)| Hall { name: name.to_owned(), seats }).collect();
    Shop { id, name: format!("shop {id}"), stars, closed: None, address, tags, halls }
}

// ANCHOR: filters
fn filters() -> [(Filter<Shop>, Vec<i32>); 8] {
    let f = Shop::F;
    [
        (f.stars.gte(4) & f.closed.is_null(), vec![1, 2]),
        (f.stars.eq(5) | f.address.city.eq("Bergen"), vec![1, 3]),
        (!f.stars.is_in([4, 5]), vec![3]),
        (f.address.city.starts_with("Os"), vec![1, 2]),
        (f.tags.contains("maps"), vec![1]),
        (f.tags.contains_any(["globes", "pens"]), vec![1, 3]),
        (f.halls.name.eq("red"), vec![2, 3]),
        (f.halls.elem_match(|hall| hall.name.eq("red") & hall.seats.gt(50)), vec![3]),
    ]
}
// ANCHOR_END: filters

#[tokio::test]
async fn each_filter_finds_its_shops() -> Result<()> {
    let db = database(&schema![Shop]).await;
    let shops = [
        shop(1, 5, "Oslo", &["maps", "globes"], &[]),
        shop(2, 4, "Oslo", &[], &[("red", 20), ("blue", 90)]),
        shop(3, 2, "Bergen", &["pens"], &[("red", 60)]),
    ];
    Shop::insert_many(&db, &shops).await?;
    for (filter, expected) in filters() {
        let read = Shop::find(filter).sort(Shop::F.id.asc());
        let found: Vec<i32> = read.clone().fetch_all(&db).await?.iter().map(|shop| shop.id).collect();
        assert_eq!(found, expected, "{}", read.to_mongosh()?);
        assert_shown("guides/filters.md", &read.to_mongosh()?);
    }
    Ok(())
}
