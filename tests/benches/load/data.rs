//! The models, and the documents of both sides.

use std::{
    ops::Range,
    sync::atomic::{AtomicI64, Ordering},
};

use schema_runtime::{
    Schema, Throttle,
    bson::{Document, doc},
    mongodb::{
        Collection, IndexModel,
        options::{DatabaseOptions, WriteConcern},
    },
    prelude::*,
    schema,
};

use crate::{check::Keeps, side::Side};

pub(crate) const PACKAGES: i64 = 60_000;
pub(crate) const SECTIONS: i64 = 58;
pub(crate) const MAINTAINERS: i64 = 2_000;

/// The packages that 20,000 and 4,000 packages need.
pub(crate) const HOT: i64 = 0;
pub(crate) const WIDE: i64 = 1;

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "sections")]
pub(crate) struct Section {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[copied_to(Package::section_name)]
    #[changes(seldom)]
    pub(crate) name: String,
    #[computed(count(Package::section))]
    pub(crate) packages: i64,
    #[computed(sum(Package::section, size))]
    pub(crate) bytes: i64,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "maintainers")]
pub(crate) struct Maintainer {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) name: String,
    #[computed(count(Package::maintainer))]
    pub(crate) packages: i64,
    #[computed(sum(Package::maintainer, size))]
    pub(crate) bytes: i64,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
pub(crate) struct Need {
    pub(crate) id: Ref<Package>,
    #[denormalize(from = id.name)]
    pub(crate) name: String,
    #[denormalize(from = id.version)]
    pub(crate) version: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "packages")]
pub(crate) struct Package {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[copied_to(Package::needs)]
    pub(crate) name: String,
    #[copied_to(Package::needs)]
    pub(crate) version: String,
    pub(crate) size: i64,
    pub(crate) summary: String,
    #[relation(one_to_squillions, parent_ref)]
    pub(crate) section: Ref<Section>,
    #[denormalize(from = section.name)]
    pub(crate) section_name: String,
    #[relation(one_to_many, parent_ref)]
    pub(crate) maintainer: Ref<Maintainer>,
    #[relation(one_to_many, child_refs, by = id, max = 20)]
    pub(crate) needs: Vec<Need>,
}

pub(crate) const SCHEMA: Schema = schema![Section, Maintainer, Package];

pub(crate) const KEPT: [Keeps; 2] = [
    Keeps {
        children: "packages",
        reference: "section",
        sum: "size",
        extreme: "none",
        parents: "sections",
        names: ["packages", "bytes", "none", "none"],
    },
    Keeps {
        children: "packages",
        reference: "maintainer",
        sum: "size",
        extreme: "none",
        parents: "maintainers",
        names: ["packages", "bytes", "none", "none"],
    },
];

pub(crate) struct Data {
    /// The database. A majority has every write, on both sides.
    pub(crate) db: Database,
    pub(crate) packages: Vec<Package>,
    written: AtomicI64,
}

/// Returns the packages that a package needs. `turn` rotates the order: a write then always changes the stored value.
pub(crate) fn needs(id: i64, turn: usize) -> [i64; 5] {
    let other = |factor: i64| (id * factor + factor) % (PACKAGES - 2) + 2;
    let hot = if id < 20_000 { HOT } else { other(3) };
    let wide = if id < 4_000 { WIDE } else { other(5) };
    let mut needs = [hot, wide, other(7), other(11), other(13)];
    needs.rotate_left(turn % 5);
    needs
}

impl Data {
    pub(crate) async fn store() -> Self {
        let db = schema_tests::database().await;
        let mut options = DatabaseOptions::default();
        options.write_concern = Some(WriteConcern::majority());
        let db = db.client().database_with_options(db.name(), options);
        SCHEMA.plan(&db).await.expect("a plan").apply(&db).await.expect("applied");
        for side in [Side::Raw, Side::Hand] {
            let packages = db.collection::<Document>(&side.of("packages"));
            for path in ["section", "maintainer", "needs.id"] {
                packages.create_index(IndexModel::builder().keys(doc! { path: 1 }).build()).await.expect("an index");
            }
        }
        let section = |id| Section { id, name: format!("section {id}"), packages: 0, bytes: 0 };
        Section::insert_many(&db, (0..SECTIONS).map(section).collect::<Vec<_>>()).await.expect("sections");
        let maintainer = |id| Maintainer { id, name: format!("maintainer {id}"), packages: 0, bytes: 0 };
        Maintainer::insert_many(&db, (0..MAINTAINERS).map(maintainer).collect::<Vec<_>>()).await.expect("maintainers");
        for (collection, parents) in [("hand_sections", SECTIONS), ("hand_maintainers", MAINTAINERS)] {
            let parent = |id| doc! { "_id": id, "packages": 0_i64, "bytes": 0_i64 };
            let parents: Vec<Document> = (0..parents).map(parent).collect();
            db.collection(collection).insert_many(parents).await.expect("parents");
        }
        let package = |id| Package {
            id,
            name: format!("package-{id}"),
            version: format!("1.{}.{}", id % 10, id % 7),
            size: 1_000 + id,
            summary: "a package of the index, as every other one".to_owned(),
            section: Ref::new(id % SECTIONS),
            section_name: format!("section {}", id % SECTIONS),
            maintainer: Ref::new(id % MAINTAINERS),
            needs: Vec::new(),
        };
        Data { db, packages: (0..PACKAGES).map(package).collect(), written: AtomicI64::new(0) }
    }

    /// Returns a turn different from the last turn.
    pub(crate) fn turn(&self) -> usize {
        self.written.fetch_add(1, Ordering::Relaxed) as usize
    }

    /// Returns a new value.
    pub(crate) fn another(&self) -> String {
        format!("name-{}", self.written.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) fn documents(&self, side: Side, collection: &str) -> Collection<Document> {
        self.db.collection(&side.of(collection))
    }

    /// Deletes all packages of a side, while nobody writes.
    pub(crate) async fn empty(&self, side: Side) {
        self.documents(side, "packages").delete_many(doc! {}).await.expect("a delete");
        for collection in ["sections", "maintainers"] {
            let clean = doc! { "$set": { "packages": 0_i64, "bytes": 0_i64 } };
            self.documents(side, collection).update_many(doc! {}, clean).await.expect("an update");
        }
    }

    /// Makes all packages without references, on both sides.
    pub(crate) async fn unreferred(&self) {
        self.filled().await;
        for collection in ["packages", "raw_packages"] {
            let clean = doc! { "$set": { "needs": [] }, "$unset": { "_v": "" } };
            self.db.collection::<Document>(collection).update_many(doc! {}, clean).await.expect("an update");
        }
    }

    async fn filled(&self) {
        let has = async |collection| {
            let packages = self.db.collection::<Document>(collection);
            packages.count_documents(doc! {}).await.expect("a count") == PACKAGES as u64
        };
        if !has("packages").await || !has("raw_packages").await {
            self.empty(Side::Ours).await;
            self.empty(Side::Raw).await;
            crate::ours::insert(self).await;
            crate::by_hand::insert(self).await;
        }
    }

    /// Makes all packages and their references, on both sides.
    pub(crate) async fn referred(&self) {
        let has = async |collection| {
            let packages = self.db.collection::<Document>(collection);
            packages.count_documents(doc! { "needs.id": HOT }).await.expect("a count") == 20_000
        };
        if !has("packages").await || !has("raw_packages").await {
            self.unreferred().await;
            let all: Range<i64> = 0..PACKAGES;
            crate::ours::refer(self, all.clone()).await;
            crate::by_hand::refer(self, all).await;
        }
    }

    /// Checks that a recover and a verify leave no finding.
    pub(crate) async fn assert_clean(&self) {
        SCHEMA.recover(&self.db, &Throttle::new()).await.expect("a recover");
        let report = SCHEMA.verify(&self.db).await.expect("a report");
        assert!(report.is_clean(), "{report}");
    }
}
