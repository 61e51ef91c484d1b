//! Each attribute in a crate that depends on the runtime crate by the name `odm`, in a module without Rust's prelude.

#![deny(warnings, clippy::pedantic, clippy::nursery)]
#![allow(dead_code, reason = "the models are compiled and not used")]

pub mod models {
    //! A model of each kind.
    #![no_implicit_prelude]
    #![allow(missing_docs)]

    use ::odm::{
        BoundedVec,
        field::{QueryOperators, UpdateOperators},
        prelude::{Aggregate, DateTime, Embed, Model, ObjectId, Operations, Projection, Ref, TreePath, schema},
    };
    use ::serde::{Deserialize, Serialize};
    use ::std::{
        option::Option,
        string::{String, ToString},
        vec::Vec,
    };

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "people", crate = ::odm)]
    #[inverse(articles = Article::author, on_delete = cascade)]
    #[index(name, desc(born))]
    #[query(named(name), order = desc(born), limit = 20)]
    #[query(aged(between(born)), order = asc(born), page = 20)]
    #[query(cards(is_in(name)), select = Card, limit = 3)]
    #[query(with_email(email), one)]
    pub struct Person {
        #[serde(rename = "_id")]
        pub id: ObjectId,
        #[bound(max_len = 60)]
        #[copied_to(Article::author_name, fan_out = 20)]
        pub name: String,
        #[index(unique)]
        pub email: Option<String>,
        pub born: DateTime,
        #[relation(one_to_few, embed, max = 20)]
        pub addresses: Vec<Address>,
        pub tags: BoundedVec<String, 4>,
        pub kind: Kind,
        pub level: Level,
        pub mail: Mail,
        #[history(keep = 9, order = desc(since), interval(since, until))]
        pub ranks: Vec<Rank>,
        #[slug(from = name, max_len = 80, keep_old = 3)]
        pub slug: String,
        #[computed(count(Article::author))]
        pub written: i64,
        #[subset(of = Article::author, keep = 3, order = desc(at))]
        pub newest: Vec<Line>,
        #[version]
        pub version: i64,
        #[created_at]
        pub created: DateTime,
        #[updated_at]
        pub updated: DateTime,
        #[opaque(max_bytes = 100)]
        pub settings: Settings,
        pub count: Option<Count>,
        #[stored_as(String)]
        pub text: Settings,
        #[serde(skip)]
        pub seen: bool,
    }

    #[derive(Embed, Serialize, Deserialize)]
    #[embed(crate = ::odm)]
    pub struct Address {
        pub street: String,
        pub city: Option<String>,
    }

    #[derive(Embed, Serialize, Deserialize)]
    #[embed(crate = ::odm)]
    pub struct Rank {
        pub since: DateTime,
        pub until: Option<DateTime>,
        pub rank: i32,
    }

    #[derive(Embed, Serialize, Deserialize)]
    #[embed(crate = ::odm)]
    pub struct Line {
        #[serde(rename = "_id")]
        pub id: ObjectId,
        pub title: String,
        pub at: DateTime,
    }

    #[derive(Embed, Serialize, Deserialize)]
    #[serde(tag = "kind")]
    #[embed(crate = ::odm)]
    pub enum Kind {
        Guest { until: DateTime },
        Member { number: i64, address: Address },
        Nobody,
    }

    #[derive(Embed, Serialize, Deserialize)]
    #[embed(crate = ::odm)]
    pub enum Level {
        Low,
        High,
    }

    #[derive(Embed, Serialize, Deserialize)]
    #[embed(crate = ::odm)]
    pub struct Mail(String);

    #[derive(Embed, Serialize, Deserialize)]
    #[embed(crate = ::odm)]
    #[stored_as(i64)]
    pub struct Count {
        #[serde(flatten)]
        pub inner: Settings,
    }

    #[derive(Embed, Serialize, Deserialize)]
    #[embed(crate = ::odm)]
    pub struct Pair<T> {
        pub first: T,
        pub second: Option<T>,
    }

    #[derive(Serialize, Deserialize)]
    pub struct Settings {
        dark: bool,
    }

    #[derive(Aggregate, Deserialize)]
    #[aggregate(of = Article, by(author, month = month(at)), crate = ::odm)]
    pub struct Written {
        pub author: Ref<Person>,
        pub month: DateTime,
        #[count]
        pub articles: i64,
        #[lookup(author.name)]
        pub name: Option<String>,
    }

    #[derive(Projection, Deserialize)]
    #[projection(of = Person, crate = ::odm)]
    pub struct Card {
        pub name: String,
        pub email: Option<String>,
    }

    #[derive(Embed, Serialize, Deserialize)]
    #[embed(crate = ::odm)]
    pub struct Author {
        #[serde(rename = "_id")]
        pub id: Ref<Person>,
        #[denormalize(from = id.name)]
        pub name: String,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "articles", crate = ::odm)]
    #[shard_key(hashed(id))]
    pub struct Article {
        #[serde(rename = "_id")]
        pub id: ObjectId,
        #[relation(one_to_many, parent_ref, order = desc(at))]
        pub author: Ref<Person>,
        #[denormalize(from = author.name)]
        pub author_name: String,
        pub title: String,
        pub at: DateTime,
        #[relation(one_to_many, child_refs, max = 5, inverse = articles)]
        pub topics: Vec<Ref<Topic>>,
        #[relation(many_to_many, two_way, max = 5, inverse = articles)]
        pub places: Vec<Ref<Place>>,
        pub sizes: Pair<i32>,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "places", crate = ::odm)]
    pub struct Place {
        #[serde(rename = "_id")]
        pub id: ObjectId,
        #[relation(many_to_many, two_way, of = Article::places, max = 5)]
        pub articles: Vec<Ref<Article>>,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "topics", crate = ::odm)]
    #[inverse(articles = Article::topics, on_delete = pull)]
    pub struct Topic {
        #[serde(rename = "_id")]
        pub id: ObjectId,
        #[tree(parent, max_depth = 4)]
        pub parent: Option<Ref<Self>>,
        #[tree(path)]
        pub path: TreePath<Self>,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "notes", bucket(size = 4), crate = ::odm)]
    pub struct Note {
        #[serde(rename = "_id")]
        pub id: ObjectId,
        #[relation(one_to_squillions, parent_ref, order = asc(at))]
        pub topic: Ref<Topic>,
        pub at: DateTime,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[serde(tag = "shape")]
    #[model(collection = "shapes", crate = ::odm)]
    pub enum Shape {
        Circle {
            #[serde(rename = "_id")]
            id: ObjectId,
            radius: f64,
        },
        Square {
            #[serde(rename = "_id")]
            id: ObjectId,
            side: f64,
        },
    }

    /// The schema of these models.
    pub const SCHEMA: ::odm::Schema = schema![Person, Article, Place, Topic, Note, Shape];

    /// Each kind of generated method.
    pub fn use_methods(person: &Person, article: &Article) {
        let _ = (Person::named("Ada"), Person::with_email("ada@example.org".to_string()), Person::by_slug("ada"));
        let _ = (person.articles(), article.author(), Article::of_author(person), article.places(), article.topics());
        let _ = Person::find(Person::F.kind.member().number.eq(3) & Person::F.addresses.city.eq("Rome"));
        let _ = Person::update_by_id(&person.id).set(Person::F.email, "a");
    }
}

pub mod facade {
    //! The runtime crate under the path of another crate.

    pub use odm;
}

pub mod of_facade {
    //! Models that name the runtime crate by the path of a facade.
    #![allow(missing_docs)]

    use crate::facade::odm::prelude::{Embed, Model, ObjectId};
    use serde::{Deserialize, Serialize};

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "rooms", crate = crate::facade::odm)]
    pub struct Room {
        #[serde(rename = "_id")]
        pub id: ObjectId,
        pub place: Place,
    }

    #[derive(Embed, Serialize, Deserialize)]
    #[embed(crate = crate::facade::odm)]
    pub struct Place {
        pub floor: i32,
    }
}
