//! References that may dangle, as in a package index: a package may need a package that nobody has uploaded yet.

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, Schema, Throttle, prelude::*, schema};
use schema_tests::{Fault, Proxy, database};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "packages")]
struct Package {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Package::needs)]
    #[copied_to(Build::package_name)]
    name: String,
    #[relation(one_to_many, child_refs, by = id, max = 20)]
    needs: Vec<Need>,
    #[computed(count(Build::package))]
    builds: i64,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Need {
    #[reference(may_dangle)]
    id: Ref<Package>,
    #[denormalize(from = id.name)]
    name: Option<String>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "builds")]
struct Build {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    #[reference(may_dangle)]
    package: Ref<Package>,
    #[denormalize(from = package.name)]
    package_name: Option<String>,
    /// The name of the package at the begin of the build.
    #[denormalize(from = package.name, snapshot)]
    called: Option<String>,
}

const SCHEMA: Schema = schema![Package, Build];

fn package<const N: usize>(id: i64, needs: [i64; N]) -> Package {
    let need = |id| Need { id: Ref::new(id), name: None };
    Package { id, name: format!("package {id}"), needs: needs.map(need).to_vec(), builds: 0 }
}

fn build(id: i64, package: i64) -> Build {
    Build { id, package: Ref::new(package), package_name: None, called: None }
}

async fn begin() -> Database {
    let db = database().await;
    SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap();
    db
}

/// Returns the names of the packages that a package needs.
async fn needs(db: &Database, id: i64) -> Vec<Option<String>> {
    Package::get_by_id(db, &id).await.unwrap().needs.into_iter().map(|need| need.name).collect()
}

fn named<const N: usize>(ids: [Option<i64>; N]) -> Vec<Option<String>> {
    ids.map(|id| id.map(|id| format!("package {id}"))).to_vec()
}

/// Checks that verify finds nothing, and that nothing is left to recover.
async fn assert_clean(db: &Database) {
    assert_eq!(SCHEMA.recover(db, &Throttle::new()).await.unwrap().to_string(), "nothing to recover");
    let report = SCHEMA.verify(db).await.unwrap();
    assert!(report.is_clean(), "{report}");
}

#[tokio::test]
async fn the_copies_come_with_the_source() {
    let db = begin().await;
    Package::insert(&db, &package(1, [2, 3])).await.unwrap();
    assert_eq!(needs(&db, 1).await, named([None, None]));
    SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    assert_clean(&db).await;
    Package::insert(&db, &package(3, [])).await.unwrap();
    assert_eq!(needs(&db, 1).await, named([None, Some(3)]));
    Package::update_by_id(1).push(Package::F.needs, package(0, [4]).needs.remove(0)).execute(&db).await.unwrap();
    assert_eq!(needs(&db, 1).await, named([None, Some(3), None]));
    Package::insert_many(&db, &[package(2, [4]), package(4, [2])]).await.unwrap();
    assert_eq!(needs(&db, 1).await, named([Some(2), Some(3), Some(4)]));
    Package::update_by_id(4).set(Package::F.name, "fourth").execute(&db).await.unwrap();
    assert_eq!(needs(&db, 2).await, [Some("fourth".to_owned())]);
    SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    assert_clean(&db).await;
}

/// A deleted package leaves its name in the holders until the reference is written again; a new insert of the package
/// brings the name back.
#[tokio::test]
async fn a_source_goes_and_comes_again() {
    let db = begin().await;
    Package::insert_many(&db, &[package(1, [2]), package(2, [])]).await.unwrap();
    assert!(Package::delete_by_id(&db, &2).await.unwrap());
    assert_eq!(needs(&db, 1).await, named([Some(2)]));
    let same = package(1, [2, 3]).needs;
    Package::update_by_id(1).set(Package::F.needs, same.clone()).execute(&db).await.unwrap();
    assert_eq!(needs(&db, 1).await, named([None, None]));
    let bulk = Package::bulk().update(Package::update_by_id(1).set(Package::F.needs, same[..1].to_vec()));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    let mut first = Package::get_by_id(&db, &1).await.unwrap();
    first.needs.push(same[1].clone());
    first.name = "first".to_owned();
    Package::save(&db, &mut first).await.unwrap();
    assert_eq!(first.needs, same);
    Package::upsert(&db, &package(2, [1])).await.unwrap();
    assert_eq!((needs(&db, 1).await, needs(&db, 2).await), (named([Some(2), None]), vec![Some("first".to_owned())]));
    SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    assert_clean(&db).await;
}

/// Nobody counts a build of a missing package; an insert of the package counts the builds.
#[tokio::test]
async fn children_of_a_parent_that_is_not_there() {
    let db = begin().await;
    Build::insert_many(&db, (0..60).map(|id| build(id, id % 2)).collect::<Vec<_>>()).await.unwrap();
    Build::update_by_id(59).set(Build::F.package, Ref::new(0)).execute(&db).await.unwrap();
    Package::insert(&db, &package(0, [])).await.unwrap();
    let (zero, built) = (Package::get_by_id(&db, &0).await.unwrap(), Build::get_by_id(&db, &2).await.unwrap());
    assert_eq!(zero.builds, 31);
    assert_eq!((built.package_name.as_deref(), built.called), (Some("package 0"), None));
    let orphan = Build::get_by_id(&db, &1).await.unwrap();
    assert_eq!(orphan.package().fetch_optional(&db).await.unwrap(), None);
    assert!(matches!(orphan.package().fetch_one(&db).await, Err(Error::NotFound { .. })));
    SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    assert_clean(&db).await;
}

/// The source is inserted while the write that refers to the source is held or stopped at each of its commands.
#[tokio::test]
async fn a_source_that_comes_meanwhile() {
    for fault in [Fault::Hold, Fault::StopBefore, Fault::StopAfter] {
        let mut at = 0;
        loop {
            let db = begin().await;
            let proxy = Proxy::start([(at, fault)]).await;
            let writer = proxy.database(db.name()).await;
            let inserted = tokio::spawn(async move { Package::insert(&writer, &package(1, [2, 3])).await });
            if !proxy.reached_within(&inserted).await {
                inserted.await.unwrap().unwrap();
                break;
            }
            Package::insert(&db, &package(2, [])).await.unwrap();
            proxy.release();
            if fault == Fault::Hold {
                inserted.await.unwrap().unwrap();
            } else {
                inserted.abort();
                SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
            }
            let there = db.collection::<Document>("packages").count_documents(doc! { "_id": 1_i64 }).await.unwrap();
            if there == 1 {
                assert_eq!(needs(&db, 1).await, named([Some(2), None]), "{fault:?} at {at}");
            }
            SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
            assert_clean(&db).await;
            at += 1;
        }
        assert!(at >= 3, "{at} commands");
    }
}

mod beside_a_rollup {
    //! A holder that is also the child of a parent, and repeats a reference to a missing source.

    use super::*;

    #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[model(collection = "makers")]
    struct Maker {
        #[serde(rename = "_id")]
        id: i64,
        #[copied_to(Item::maker_name)]
        name: String,
    }

    #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[model(collection = "boxes")]
    struct Crate {
        #[serde(rename = "_id")]
        id: i64,
        #[computed(sum(Item::inside, grams))]
        grams: i64,
    }

    #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[model(collection = "items")]
    struct Item {
        #[serde(rename = "_id")]
        id: i64,
        grams: i64,
        #[relation(one_to_many, parent_ref)]
        inside: Ref<Crate>,
        maker: Ref<Maker>,
        #[denormalize(from = maker.name)]
        maker_name: String,
    }

    #[tokio::test]
    async fn it_keeps_its_copy() {
        let db = database().await;
        schema![Maker, Crate, Item].plan(&db).await.unwrap().apply(&db).await.unwrap();
        Maker::insert(&db, &Maker { id: 1, name: "old".to_owned() }).await.unwrap();
        Crate::insert(&db, &Crate { id: 1, grams: 0 }).await.unwrap();
        let item = |grams| Item { id: 1, grams, inside: Ref::new(1), maker: Ref::new(1), maker_name: String::new() };
        Item::insert(&db, &item(5)).await.unwrap();
        Maker::delete_by_id(&db, &1).await.unwrap();
        Item::replace(&db, &item(6)).await.unwrap();
        let upserted = Item::upsert_many(&db, &[item(7)]).await.unwrap();
        assert_eq!((upserted.inserted, upserted.replaced), (0, 1));
        let stored = Item::get_by_id(&db, &1).await.unwrap();
        assert_eq!((stored.grams, stored.maker_name.as_str()), (7, "old"));
        assert_eq!(Crate::get_by_id(&db, &1).await.unwrap().grams, 7);
        let error = Item::replace(&db, &Item { maker: Ref::new(2), ..item(8) }).await.unwrap_err();
        assert!(matches!(error, Error::DanglingReference { .. }), "{error}");
    }
}
