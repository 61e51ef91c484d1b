//! The commands of copies.

use schema_runtime::{prelude::*, schema};

use super::{Block, database_with_log};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
pub(crate) struct Part {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Product::parts, fan_out = 500)]
    name: String,
    #[changes(often)]
    qty: i32,
}

#[derive(Embed, Serialize, Deserialize)]
pub(crate) struct PartRef {
    id: Ref<Part>,
    #[denormalize(from = id.name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
pub(crate) struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, child_refs, by = id, max = 2_000)]
    parts: Vec<PartRef>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
pub(crate) struct Host {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[changes(seldom)]
    #[copied_to(LogMsg::ipaddr)]
    pub(crate) ipaddr: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
pub(crate) struct LogMsg {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    pub(crate) host: Ref<Host>,
    #[denormalize(from = host.ipaddr)]
    pub(crate) ipaddr: String,
    pub(crate) time: DateTime,
}

fn message(id: i64) -> LogMsg {
    LogMsg { id, host: Ref::new(1), ipaddr: String::new(), time: DateTime::now() }
}

#[tokio::test]
async fn the_page_shows_the_commands() -> Result<()> {
    let (db, log) = database_with_log(&schema![Part, Product, Host, LogMsg]).await;
    Part::insert(&db, &Part { id: 7, name: "#4 grommet".to_owned(), qty: 90 }).await?;
    let part = PartRef { id: Ref::new(7), name: String::new() };
    Product::insert(&db, &Product { id: 1, parts: vec![part] }).await?;
    log.clear();
    let mut block = Block::read("design/copies.md", 0);
    Part::update_by_id(7).set(Part::F.name, "#5 grommet").execute(&db).await?;
    let left = block.take(&log);
    assert!(
        matches!(&left[..], [commit, again] if commit == "// commitTransaction" && again.starts_with("db.products.updateMany(")),
        "{left:#?}"
    );
    block.end();

    Host::insert(&db, &Host { id: 1, ipaddr: "127.0.0.1".to_owned() }).await?;
    LogMsg::insert(&db, &message(1)).await?;
    log.clear();
    let mut block = Block::read("design/copies.md", 2);
    LogMsg::insert(&db, &message(2)).await?;
    block.take_all(&log);
    block.end();

    let mut block = Block::read("design/copies.md", 1);
    Host::update_by_id(1).set(Host::F.ipaddr, "127.0.0.7").execute(&db).await?;
    block.take_all(&log);
    block.end();
    Ok(())
}
