//! The models. A package is a child of two parents, holds copies of both, is a source of copies and keeps values of its
//! own children.

use schema_runtime::{Schema, prelude::*, schema};

/// A parent and the source of copies in its own children, in chunks.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "sections")]
pub(super) struct Section {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    #[copied_to(Package::section_name)]
    pub(super) name: String,
    #[computed(count(Package::section))]
    pub(super) packages: i64,
    #[computed(sum(Package::section, bytes))]
    pub(super) bytes: i64,
    #[computed(max(Package::section, updated))]
    pub(super) latest: Option<DateTime>,
    #[computed(min(Package::section, created))]
    pub(super) first: Option<DateTime>,
    #[computed(max(Package::section, section_then))]
    pub(super) last_name: Option<String>,
    #[subset(of = Package::section, keep = 3, order = desc(bytes))]
    pub(super) largest: Vec<PackageLine>,
    #[version]
    pub(super) version: i64,
    #[created_at]
    pub(super) created: DateTime,
    #[updated_at]
    pub(super) updated: DateTime,
}

/// The part of a package that a section keeps, with a snapshot and a version.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub(super) struct PackageLine {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    pub(super) bytes: i32,
    pub(super) section_then: String,
    pub(super) version: i64,
}

/// A parent and a source of copies in a transaction.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "maintainers")]
pub(super) struct Maintainer {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    #[copied_to(Package::maintainer_name, fan_out = 500)]
    #[bound(max_len = 20)]
    pub(super) name: String,
    #[computed(count(Package::maintainer))]
    pub(super) packages: i64,
    #[computed(avg(Package::maintainer, bytes))]
    pub(super) average: Option<f64>,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "packages")]
pub(super) struct Package {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    #[relation(one_to_many, parent_ref)]
    pub(super) section: Ref<Section>,
    #[denormalize(from = section.name)]
    pub(super) section_name: String,
    #[relation(one_to_many, parent_ref)]
    pub(super) maintainer: Option<Ref<Maintainer>>,
    #[denormalize(from = maintainer.name)]
    #[bound(max_len = 20)]
    pub(super) maintainer_name: Option<String>,
    #[denormalize(from = section.name, snapshot)]
    pub(super) section_then: String,
    #[copied_to(Recipe::package_name, fan_out = 100)]
    #[bound(max_len = 30)]
    pub(super) name: String,
    pub(super) bytes: i32,
    #[computed(count(Review::package))]
    pub(super) reviews: i64,
    #[computed(min(Review::package, stars))]
    pub(super) worst: Option<i32>,
    #[version]
    pub(super) version: i64,
    #[created_at]
    #[copied_to(Recipe::package_since, fan_out = 100)]
    pub(super) created: DateTime,
    #[updated_at]
    pub(super) updated: DateTime,
}

/// A child that never changes.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "reviews", insert_only)]
pub(super) struct Review {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    #[relation(one_to_many, parent_ref)]
    pub(super) package: Ref<Package>,
    #[denormalize(from = package.name, snapshot)]
    pub(super) package_then: String,
    pub(super) stars: i32,
}

/// A holder of the copy of a package. The package is itself a child.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "recipes")]
pub(super) struct Recipe {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    pub(super) package: Ref<Package>,
    #[denormalize(from = package.name)]
    pub(super) package_name: String,
    #[denormalize(from = package.created)]
    pub(super) package_since: DateTime,
}

/// A holder of external copies of computed values.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "boards")]
pub(super) struct Board {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    pub(super) section: Ref<Section>,
    #[denormalize(from = section.packages, external)]
    pub(super) packages: i64,
    #[denormalize(from = section.latest, external, allow(copy_of_volatile, reason = "one board"))]
    pub(super) latest: Option<DateTime>,
}

pub(super) fn schema() -> Schema {
    schema![Section, Maintainer, Package, Review, Recipe, Board]
}

/// Returns a section. The values in the derived fields are wrong on purpose: a write does not store derived values of a
/// caller.
pub(super) fn section(id: i64, name: &str) -> Section {
    Section {
        id,
        name: name.to_owned(),
        packages: 9,
        bytes: 9,
        latest: None,
        first: None,
        last_name: None,
        largest: Vec::new(),
        version: 0,
        created: DateTime::MIN,
        updated: DateTime::MIN,
    }
}

pub(super) fn maintainer(id: i64, name: &str) -> Maintainer {
    Maintainer { id, name: name.to_owned(), packages: 9, average: None }
}

pub(super) fn package(id: i64, section: i64, maintainer: Option<i64>) -> Package {
    Package {
        id,
        section: Ref::new(section),
        section_name: "?".to_owned(),
        maintainer: maintainer.map(Ref::new),
        maintainer_name: None,
        section_then: format!("then {}", id % 7),
        name: format!("package {id}"),
        bytes: (id as i32 * 37) % 101,
        reviews: 9,
        worst: None,
        version: 0,
        created: DateTime::MIN,
        updated: DateTime::MIN,
    }
}

pub(super) fn review(id: i64, package: i64) -> Review {
    Review { id, package: Ref::new(package), package_then: "then".to_owned(), stars: (id % 5) as i32 }
}
