//! The models that both sides read and write: both sides use the same structs, with equal work for serde, and with
//! equal checksums.

use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "products")]
pub(crate) struct Product {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    pub(crate) name: String,
    #[relation(one_to_many, child_refs, max = 2_000)]
    pub(crate) parts: Vec<Ref<Part>>,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "parts")]
pub(crate) struct Part {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    pub(crate) partno: String,
    pub(crate) name: String,
    pub(crate) qty: i32,
    pub(crate) cost: f64,
    pub(crate) price: f64,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "hosts")]
#[inverse(messages = Message::host)]
pub(crate) struct Host {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    pub(crate) name: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "messages")]
pub(crate) struct Message {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    pub(crate) host: Ref<Host>,
    pub(crate) time: DateTime,
    pub(crate) message: String,
}

/// A parent that keeps its latest children, and a count of its children.
#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "services")]
pub(crate) struct Service {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    #[subset(of = Line::service, keep = 1_000, order = desc(time))]
    pub(crate) recent: Vec<Recent>,
    #[computed(count(Line::service))]
    pub(crate) lines: i64,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "lines")]
pub(crate) struct Line {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    pub(crate) service: Ref<Service>,
    pub(crate) time: DateTime,
    #[bound(max_len = 200)]
    pub(crate) message: String,
    pub(crate) level: i32,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
pub(crate) struct Recent {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    pub(crate) time: DateTime,
    #[bound(max_len = 200)]
    pub(crate) message: String,
}

impl Line {
    pub(crate) fn now(service: ObjectId) -> Line {
        let message = "127.0.0.1 - frank GET /apache_pb.gif HTTP/1.0 200 2326".to_owned();
        Line { id: ObjectId::new(), service: Ref::new(service), time: DateTime::now(), message, level: 3 }
    }
}

/// A document of some 500 bytes, with bounds.
#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "articles")]
pub(crate) struct Article {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    #[bound(max_len = 200)]
    pub(crate) title: String,
    #[bound(max_items = 10, max_len = 40)]
    pub(crate) tags: Vec<String>,
    #[relation(one_to_few, embed, max = 5)]
    pub(crate) authors: Vec<Author>,
    pub(crate) published: DateTime,
    pub(crate) views: i64,
    pub(crate) score: f64,
    pub(crate) subtitle: Option<String>,
    #[bound(max_len = 1_000)]
    pub(crate) text: String,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
pub(crate) struct Author {
    pub(crate) name: String,
    #[bound(max_len = 100)]
    pub(crate) city: String,
}

#[derive(Projection, Deserialize, Clone)]
#[projection(of = Article)]
pub(crate) struct ArticleCard {
    pub(crate) title: String,
    pub(crate) views: i64,
}

/// A page of articles with the numbers beside the page.
#[derive(Facets, Deserialize, Clone)]
#[facets(of = Article)]
pub(crate) struct ArticleSearch {
    #[page(limit = 20, order = desc(views))]
    pub(crate) found: Vec<ArticleCard>,
    #[count_by(subtitle, limit = 20)]
    pub(crate) subtitles: Vec<FacetCount<Option<String>>>,
    #[count_by(tags, limit = 20)]
    pub(crate) tags: Vec<FacetCount<String>>,
    #[ranges(score, [0, 10, 100, 1_000])]
    pub(crate) scores: Vec<FacetCount<f64>>,
    #[count]
    pub(crate) total: i64,
    #[sum(views)]
    pub(crate) views: i64,
}

impl ArticleSearch {
    pub(crate) fn checksum(&self) -> u64 {
        let counts = self.subtitles.iter().map(|counted| counted.count);
        let counts = counts.chain(self.tags.iter().map(|counted| counted.count));
        let counts = counts.chain(self.scores.iter().map(|counted| counted.count));
        let views = self.found.iter().map(|article| article.views + article.title.len() as i64);
        checksum(views.chain(counts.map(|count| count as i64)).chain([self.total, self.views]))
    }
}

/// Returns a checksum over all children, in order.
pub(crate) fn checksum(values: impl Iterator<Item = i64>) -> u64 {
    values.fold(0, |sum: u64, value| sum.wrapping_mul(31).wrapping_add(value as u64))
}

/// Defines a model of ten fields, with a rule about each field where the condition holds.
macro_rules! measurements {
    ($module:ident, $($is_checked:tt)*) => {
        pub(crate) mod $module {
            use schema_runtime::prelude::*;

            #[derive(Model, Serialize, Deserialize, Clone)]
            #[model(collection = "measurements")]
            pub(crate) struct Measurement {
                #[serde(rename = "_id")]
                pub(crate) id: ObjectId,
                #[cfg_attr($($is_checked)*, check(not_empty))]
                pub(crate) station: String,
                #[cfg_attr($($is_checked)*, check(pattern = "^[A-Z]{3}-[0-9]{4}$"))]
                pub(crate) code: String,
                #[cfg_attr($($is_checked)*, check(email))]
                pub(crate) owner: String,
                #[cfg_attr($($is_checked)*, check(one_of("new", "seen")))]
                pub(crate) state: String,
                #[cfg_attr($($is_checked)*, check(min = 0, max = 1_000_000))]
                pub(crate) number: i64,
                #[cfg_attr($($is_checked)*, check(more_than = -273.15))]
                pub(crate) temperature: f64,
                #[cfg_attr($($is_checked)*, check(multiple_of = 0.5))]
                pub(crate) wind: f64,
                #[cfg_attr($($is_checked)*, check(less_than = 360))]
                pub(crate) direction: i32,
                #[bound(max_items = 8)]
                #[cfg_attr($($is_checked)*, check(min_items = 1, min = 0))]
                pub(crate) rain: Vec<i32>,
            }

            /// Returns measurements that obey the rules.
            pub(crate) fn measurements(count: usize) -> Vec<Measurement> {
                let measurement = |at: usize| Measurement {
                    id: ObjectId::new(),
                    station: "Bergen, Florida".to_owned(),
                    code: format!("BGO-{:04}", at % 10_000),
                    owner: "weather@example.no".to_owned(),
                    state: "new".to_owned(),
                    number: at as i64,
                    temperature: at as f64 / 100.0,
                    wind: 12.5,
                    direction: 270,
                    rain: vec![1, 2, 3],
                };
                (0..count).map(measurement).collect()
            }

            /// Inserts a thousand measurements together, and a hundred one by one.
            pub(crate) async fn insert(db: &Database) -> u64 {
                let many = measurements(1_000);
                Measurement::insert_many(db, &many).await.expect("an insert");
                for one in measurements(100) {
                    Measurement::insert(db, &one).await.expect("an insert");
                }
                1_100
            }
        }
    };
}

measurements!(checked, all());
measurements!(unchecked, any());
