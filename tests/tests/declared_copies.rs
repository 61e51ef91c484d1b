//! Allowed copies compile, and a definition has the contents of the attributes: also between models with mutual copies.
//! The constants of the models would be a cycle if a constant held the fields of another model.

use schema_runtime::{
    definition::{ChangeRate, CopyMode, Kind, ModelDefinition, Shape},
    prelude::*,
};

#[derive(Embed, Serialize, Deserialize, Clone)]
enum Colour {
    Red,
    Green,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
enum MoreColours {
    Red,
    Green,
    Blue,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Size {
    width: i32,
    height: i32,
    note: Option<String>,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct SizeView {
    width: i32,
    height: i32,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Product::parts, fan_out = 1_000)]
    #[copied_to(Product::main)]
    #[bound(max_len = 50)]
    name: String,
    #[copied_to(Product::lines)]
    size: Size,
    #[copied_to(Product::lines)]
    colour: Colour,
    #[copied_to(Product::lines, allow(copy_of_volatile, reason = "shown beside the size"))]
    #[changes(often)]
    qty: i32,
    #[changes(often)]
    #[copied_to(Product::lines)]
    weight: i32,
    #[copied_to(Product::lines)]
    #[bound(max_items = 5)]
    tags: Vec<String>,
    #[updated_at]
    changed: DateTime,
    // A copy of a model that copies from this model.
    best: Option<Ref<Product>>,
    #[denormalize(from = best.title)]
    best_title: Option<String>,
    // A copy of the same model.
    parent: Option<Ref<Part>>,
    #[denormalize(from = parent.plain)]
    parent_plain: Option<String>,
    #[copied_to(Part::parent_plain)]
    plain: String,
}

type PartId = Ref<Part>;
type Lines = Vec<Line>;

#[derive(Embed, Serialize, Deserialize, Clone)]
struct PartRef {
    #[serde(rename = "partId")]
    id: PartId,
    #[denormalize(from = id.name)]
    #[bound(max_len = 60)]
    name: String,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Line {
    part: Details,
    amount: i32,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Details {
    id: Ref<Part>,
    #[denormalize(from = id.size.width)]
    width: i32,
    #[denormalize(from = id.size)]
    size: SizeView,
    #[denormalize(from = id.colour)]
    colour: MoreColours,
    #[denormalize(from = id.colour)]
    colour_text: String,
    #[denormalize(from = id.qty)]
    qty: f64,
    #[denormalize(from = id.weight, allow(copy_of_volatile, reason = "weighed once a year"))]
    weight: i32,
    #[denormalize(from = id.tags)]
    #[bound(max_items = 6)]
    tags: Vec<String>,
    #[denormalize(from = id.changed, snapshot)]
    changed_then: DateTime,
    #[denormalize(from = id.best_title, snapshot)]
    best_then: Option<String>,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Snapshot {
    id: Ref<Part>,
    #[denormalize(from = id.qty, snapshot)]
    qty_then: i32,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct SnapshotsOfADay {
    #[relation(one_to_few, embed, max = 20)]
    snapshots: Vec<Snapshot>,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Part::best_title)]
    title: String,
    #[relation(one_to_many, child_refs, by = id, max = 200)]
    parts: Vec<PartRef>,
    #[relation(one_to_one, parent_ref, by = id, standalone)]
    main: Option<PartRef>,
    #[relation(one_to_few, embed, max = 20)]
    lines: Lines,
    // Nothing follows a snapshot: a snapshot may be in any place.
    #[relation(one_to_few, embed, max = 20)]
    days: Vec<SnapshotsOfADay>,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(LogMsg::ipaddr)]
    #[changes(seldom)]
    ipaddr: String,
    #[copied_to(LogMsg::name, allow(copy_to_squillions, reason = "renamed by a worker"))]
    name: String,
    #[copied_to(LogMsg::rack)]
    rack: String,
    owner: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    #[denormalize(from = host.ipaddr)]
    ipaddr: String,
    #[denormalize(from = host.name)]
    name: String,
    #[denormalize(from = host.rack, allow(copy_to_squillions, reason = "racks are moved once a decade"))]
    rack: String,
    #[denormalize(from = host.owner, snapshot)]
    owner_then: String,
    #[denormalize(from = host.owner, external)]
    owner: String,
}

/// A parent may keep snapshots of its children, since only the writes of a child change the snapshot. A parent, a
/// source and a holder may expire; children of a parent with kept values may not expire.
#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Sale::shop_name)]
    #[changes(seldom)]
    name: String,
    #[computed(sum(Sale::shop, price_then))]
    sold: i64,
    #[computed(max(Sale::shop, sold_at))]
    #[index(ttl = "365d")]
    last: Option<DateTime>,
    #[subset(of = Sale::shop, keep = 2_000, order = desc(price_then))]
    best: Vec<SaleLine>,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct SaleLine {
    #[serde(rename = "_id")]
    id: ObjectId,
    price_then: i32,
    article: ArticleThen,
    #[bound(max_len = 60)]
    note: Option<String>,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct ArticleThen {
    id: Ref<Article>,
    #[denormalize(from = id.title, snapshot)]
    title: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "articles")]
struct Article {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    #[copied_to(Sale::price, fan_out = 500)]
    price: i32,
    #[index(ttl = "30d")]
    discontinued: Option<DateTime>,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "sales")]
struct Sale {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    shop: Ref<Shop>,
    // A copy that no parent keeps.
    #[denormalize(from = shop.name)]
    shop_name: String,
    article: ArticleThen,
    thing: Ref<Article>,
    #[denormalize(from = thing.price)]
    price: i32,
    #[denormalize(from = thing.price, snapshot)]
    price_then: i32,
    sold_at: DateTime,
    #[bound(max_len = 50)]
    note: Option<String>,
}

/// A holder of copies may expire: a deleted copy is not stale.
#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "price_tags")]
struct PriceTag {
    #[serde(rename = "_id")]
    id: ObjectId,
    shop: Ref<Shop>,
    #[denormalize(from = shop.sold, external)]
    sold: i64,
    #[denormalize(from = shop.last, snapshot)]
    last_then: Option<DateTime>,
    #[index(ttl = "1d")]
    printed: DateTime,
}

fn definition<M: Model>() -> &'static ModelDefinition {
    M::DEFINITION
}

fn struct_copies(shape: &Shape) -> &'static [schema_runtime::definition::CopyDefinition] {
    match shape.kind {
        Kind::Array { items, .. } => struct_copies(items),
        Kind::Document { copies, .. } => copies,
        _ => &[],
    }
}

#[test]
fn a_holder_says_what_its_copies_are_of() {
    let parts = definition::<Product>().field("parts").expect("a field");
    let [name] = struct_copies(&parts.shape) else { panic!("one copy") };
    assert_eq!((name.field, name.reference, name.reference_name), ("name", "id", "partId"));
    assert_eq!((name.from, name.mode), (&["name"][..], CopyMode::Synced));
    assert_eq!(name.source().collection, "parts");
    assert_eq!(name.declared(Product::NAME, "parts").and_then(|copied| copied.fan_out), Some(1_000));
    assert_eq!(name.declared(Product::NAME, "main").and_then(|copied| copied.fan_out), None);
    assert!(name.declared(Product::NAME, "lines").is_none());

    let copies = definition::<LogMsg>().copies;
    let modes: Vec<_> = copies.iter().map(|copy| (copy.field, copy.mode)).collect();
    let (synced, snapshot, external) = (CopyMode::Synced, CopyMode::Snapshot, CopyMode::External);
    assert_eq!(
        modes,
        [("ipaddr", synced), ("name", synced), ("rack", synced), ("owner_then", snapshot), ("owner", external)]
    );
    assert_eq!(copies[2].allows[0].reason, "racks are moved once a decade");
}

#[test]
fn a_source_says_where_its_fields_are_copied_to() {
    let copied = definition::<Host>().copied_to;
    let holders: Vec<_> = copied.iter().map(|copied| (copied.field, copied.holder.name, copied.holder_field)).collect();
    let log = LogMsg::NAME;
    assert_eq!(holders, [("ipaddr", log, "ipaddr"), ("name", log, "name"), ("rack", log, "rack")]);
    let changes: Vec<_> = copied.iter().map(|copied| copied.changes).collect();
    assert_eq!(changes, [ChangeRate::Seldom, ChangeRate::Sometimes, ChangeRate::Sometimes]);
    assert_eq!(copied[1].allows[0].reason, "renamed by a worker");
}

#[test]
fn what_often_changes_and_what_is_a_copy_may_not_be_copied() {
    assert_eq!(Host::COPYABLE, ["ipaddr", "name", "rack", "owner"]);
    assert_eq!(LogMsg::COPYABLE, ["host", "owner_then"]);
    let copyable = ["name", "size", "colour", "qty", "tags", "best", "parent", "plain"];
    assert_eq!(Part::COPYABLE, copyable);
}

#[test]
fn an_extended_reference_names_the_field_that_refers() {
    let reference = |field: &str| definition::<Product>().relation(field).and_then(|relation| relation.reference);
    assert_eq!((reference("parts"), reference("main"), reference("lines")), (Some("id"), Some("id"), None));
}

#[test]
fn what_a_parent_keeps_may_be_of_snapshots_and_a_parent_may_expire() {
    let shop = definition::<Shop>();
    let of: Vec<_> = shop.rollups.iter().map(|rollup| (rollup.field, rollup.kind.of())).collect();
    assert_eq!(of, [("sold", Some("price_then")), ("last", Some("sold_at")), ("best", None)]);
    assert!(shop.has_copies() && shop.has_rollups());
    assert!(definition::<Sale>().has_copies() && definition::<Sale>().has_rollups());
    assert_eq!(schema![Shop, Article, Sale, PriceTag].models().len(), 4);
}

#[test]
fn models_that_copy_from_each_other_are_one_schema() {
    assert_eq!(schema![Part, Product].models().len(), 2);
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "figures")]
#[serde(tag = "kind")]
enum Figure {
    Circle {
        #[serde(rename = "_id")]
        id: ObjectId,
        title: String,
    },
    Square {
        #[serde(rename = "_id")]
        id: ObjectId,
        title: String,
    },
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "drawings")]
struct Drawing {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    figure: Ref<Figure>,
    #[denormalize(from = figure.title, snapshot)]
    title: String,
}

#[test]
fn a_snapshot_may_be_of_a_model_that_is_an_enum() {
    assert_eq!(Figure::DEFINITION.variants.map(|variants| variants.list.len()), Some(2));
    assert_eq!(Drawing::DEFINITION.copies[0].mode, CopyMode::Snapshot);
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "customers")]
struct Customer {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[changes(seldom, per_day = 1_000_000)]
    address: String,
}

/// `seldom` concerns a single document, `per_day` concerns all documents together: from a billion customers, a million
/// move each day, and each customer seldom moves.
#[test]
fn a_field_that_seldom_changes_may_be_written_often() {
    let address = Customer::DEFINITION.field("address").expect("a field");
    assert!(matches!(address.changes, ChangeRate::Seldom));
    assert_eq!(address.changes_per_day, Some(1_000_000));
}
