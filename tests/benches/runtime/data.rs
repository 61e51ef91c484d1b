//! The stored data before the first pair, the same in every run.

use schema_runtime::prelude::*;

use crate::models::{Article, Author, Host, Line, Message, Part, Product, Service, unchecked::Measurement};

const PARTS: usize = 5_000;
const PRODUCTS: usize = 200;
/// The number of references of a product; each hundredth reference is a repeat.
const REFERENCES: usize = 1_000;
const HOSTS: usize = 4;
/// The number of messages of a host. The bench reads the latest [`LATEST`].
const MESSAGES: usize = 10_000;
const ARTICLES: usize = 20_000;

/// The number of a host's messages that are read.
pub(crate) const LATEST: u32 = 5_000;
/// The number of inserted articles.
pub(crate) const DRAFTS: usize = 10_000;

/// A database for all reads, another database for inserts, and the documents that the application holds already.
pub(crate) struct Data {
    pub(crate) db: Database,
    pub(crate) drafts: Database,
    /// The database with one hundred collections.
    pub(crate) kinds: Database,
    pub(crate) products: Vec<Product>,
    pub(crate) host: Host,
    pub(crate) articles: Vec<Article>,
    /// The service of the lines that this crate inserts.
    pub(crate) service: ObjectId,
}

impl Data {
    /// # Panics
    /// If the server refuses a command.
    pub(crate) async fn store() -> Self {
        let db = schema_tests::database().await;
        let schema = schema![Product, Part, Host, Message, Article, Service, Line];
        schema.plan(&db).await.expect("a plan").apply(&db).await.expect("an empty database takes it");

        let mut random = Random(1);
        let parts: Vec<Part> = (0..PARTS).map(part).collect();
        let products: Vec<Product> = (0..PRODUCTS).map(|at| product(at, &parts, &mut random)).collect();
        let hosts: Vec<Host> = (0..HOSTS).map(|at| Host { id: ObjectId::new(), name: format!("host{at}") }).collect();
        let messages: Vec<Message> =
            (0..HOSTS * MESSAGES).map(|at| message(at, &hosts[at % HOSTS], &mut random)).collect();
        let articles: Vec<Article> = (0..ARTICLES).map(article).collect();
        Part::insert_many(&db, &parts).await.expect("parts");
        Product::insert_many(&db, &products).await.expect("products");
        Host::insert_many(&db, &hosts).await.expect("hosts");
        Message::insert_many(&db, &messages).await.expect("messages");
        Article::insert_many(&db, &articles).await.expect("articles");

        let host = hosts[0].clone();
        let service = services(&db).await;
        let kinds = schema_tests::database().await;
        crate::kinds::schema().plan(&kinds).await.expect("a plan").apply(&kinds).await.expect("collections");
        Data { db, drafts: schema_tests::database().await, kinds, products, host, articles, service }
    }

    /// Makes the empty collection for the inserts.
    pub(crate) async fn empty_drafts(&self) {
        Article::collection(&self.drafts).drop().await.expect("the collection goes");
        self.drafts.create_collection(Article::DEFINITION.collection).await.expect("a new collection");
    }

    /// Makes the empty collection for the measurements.
    pub(crate) async fn empty_measurements(&self) {
        Measurement::collection(&self.drafts).drop().await.expect("the collection goes");
        self.drafts.create_collection(Measurement::DEFINITION.collection).await.expect("a new collection");
    }
}

fn part(at: usize) -> Part {
    Part {
        id: ObjectId::new(),
        partno: format!("123-aff-{at:04}"),
        name: format!("#{at} grommet"),
        qty: at as i32,
        cost: 0.94,
        price: at as f64 / 100.0,
    }
}

fn product(at: usize, parts: &[Part], random: &mut Random) -> Product {
    let mut references: Vec<Ref<Part>> = (0..REFERENCES).map(|_| Ref::to(&parts[random.below(parts.len())])).collect();
    for repeat in (0..REFERENCES).step_by(100) {
        references[repeat] = references[repeat + 1];
    }
    Product { id: ObjectId::new(), name: format!("product {at}"), parts: references }
}

fn message(at: usize, host: &Host, random: &mut Random) -> Message {
    Message {
        id: ObjectId::new(),
        host: Ref::to(host),
        time: DateTime::from_millis(1_700_000_000_000 + random.below(1_000_000_000) as i64),
        message: format!("message {at}: the cpu is on fire, again"),
    }
}

fn article(at: usize) -> Article {
    let author = |name: &str| Author { name: format!("{name} {at}"), city: "Oslo".to_owned() };
    Article {
        id: ObjectId::new(),
        title: format!("Article {at} of many"),
        tags: ["rust", "database", "schema"].map(str::to_owned).to_vec(),
        authors: vec![author("First"), author("Second")],
        published: DateTime::from_millis(1_700_000_000_000 + at as i64),
        views: at as i64,
        score: at as f64 / 7.0,
        subtitle: at.is_multiple_of(2).then(|| "and what it says".to_owned()),
        text: "All that fits in a text. ".repeat(6),
    }
}

/// Numbers that are the same in every run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

/// The prefix of the collections that are written by hand.
pub(crate) const BY_HAND: &str = "by_hand_";

/// Makes the same service on both sides, with the maximum of kept lines.
async fn services(db: &Database) -> ObjectId {
    let id = ObjectId::new();
    Service::insert(db, &Service { id, recent: Vec::new(), lines: 0 }).await.expect("a service");
    let lines: Vec<Line> = (0..1_000).map(|_| Line::now(id)).collect();
    Line::insert_many(db, &lines).await.expect("lines");
    let service = Service::get_by_id(db, &id).await.expect("the service");
    db.collection::<Service>(&format!("{BY_HAND}services")).insert_one(&service).await.expect("a service by hand");
    let by_hand = db.collection::<Line>(&format!("{BY_HAND}lines"));
    by_hand.insert_many(&lines).await.expect("lines by hand");
    let keys = mongodb::bson::doc! { "service": 1, "time": -1, "_id": -1 };
    by_hand.create_index(mongodb::IndexModel::builder().keys(keys).build()).await.expect("an index");
    id
}
