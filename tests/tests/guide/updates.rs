//! Update operators.

use schema_runtime::{prelude::*, schema};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: i32,
    name: String,
    #[check(min = 0)]
    qty: i32,
    note: Option<String>,
    #[bound(max_items = 3, max_len = 20)]
    tags: Vec<String>,
    #[relation(one_to_few, embed, max = 5)]
    shelves: Vec<Shelf>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Shelf {
    row: String,
    count: i32,
}
// ANCHOR_END: model

// ANCHOR: updates
async fn updates(db: &Database) -> Result<()> {
    let f = Part::F;
    Part::update_by_id(1).set(f.name, "#5 grommet").inc(f.qty, -1).unset(f.note).execute(db).await?;
    Part::update_by_id(1).push(f.tags, "steel").execute(db).await?;
    Part::update_by_id(1).add_to_set(f.tags, "steel").execute(db).await?; // has the tag already
    let in_row_a =
        Part::update_by_id(1).each(f.shelves, |shelf| shelf.row.eq("a"), |change, shelf| change.inc(shelf.count, 5));
    in_row_a.execute(db).await?;
    let many = Part::update_many(f.qty.lt(10)).set(f.note, "order more").execute(db).await?;
    assert_eq!((many.matched, many.modified), (1, 1));
    let after = Part::find_one_and_update(f.name.eq("#5 grommet")).inc(f.qty, 1).fetch_after(db).await?;
    assert_eq!(after.map(|part| part.qty), Some(5));
    Ok(())
}
// ANCHOR_END: updates

// ANCHOR: guard
/// False if fewer parts are left.
async fn take(db: &Database, id: i32, amount: i32) -> Result<bool> {
    match Part::update_by_id(id).dec(Part::F.qty, amount).execute(db).await {
        Ok(_) => Ok(true),
        Err(Error::DocumentInvalid { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}
// ANCHOR_END: guard

fn part() -> Part {
    let shelves = [("a", 1), ("b", 2)].map(|(row, count)| Shelf { row: row.to_owned(), count });
    Part { id: 1, name: "bolt".into(), qty: 5, note: Some("new".into()), tags: vec![], shelves: shelves.into() }
}

#[tokio::test]
async fn the_operators_change_the_part() -> Result<()> {
    let db = database(&schema![Part]).await;
    Part::insert(&db, &part()).await?;
    updates(&db).await?;
    let part = Part::get_by_id(&db, 1).await?;
    let counts: Vec<i32> = part.shelves.iter().map(|shelf| shelf.count).collect();
    assert_eq!((part.tags, counts, part.note), (vec!["steel".to_owned()], vec![6, 2], Some("order more".to_owned())));
    assert!(take(&db, 1, 4).await?, "five are left");
    assert!(!take(&db, 1, 4).await?, "one is left");
    Ok(())
}

#[test]
fn the_commands() -> Result<()> {
    let (f, page) = (Part::F, "guides/updates.md");
    let set = Part::update_by_id(1).set(f.name, "#5 grommet").inc(f.qty, -1).unset(f.note);
    assert_shown(page, &set.to_mongosh()?);
    assert_shown(page, &Part::update_by_id(1).push(f.tags, "steel").to_mongosh()?);
    let each =
        Part::update_by_id(1).each(f.shelves, |shelf| shelf.row.eq("a"), |change, shelf| change.inc(shelf.count, 5));
    assert_shown(page, &each.to_mongosh()?);
    assert_shown(page, &Part::update_many(f.qty.lt(10)).set(f.note, "order more").to_mongosh()?);
    assert_shown(page, &Part::update_by_id(1).dec(f.qty, 4).to_mongosh()?);
    Ok(())
}
