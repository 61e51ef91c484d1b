//! Sales concurrent with changes of the same document. The answers to the writes decide the stored documents at the
//! end.

use std::collections::BTreeMap;

use super::*;

const SELLERS: u64 = 4;
const EDITORS: u64 = 4;
const ROUNDS: u64 = 12;

/// Returns the next number of a sequence that looks random.
fn next(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
}

/// The work of a single client: the sold amount, and the title of each version of the client.
#[derive(Default)]
struct Done {
    sold: i64,
    titles: BTreeMap<i64, String>,
    conflicts: u64,
}

#[tokio::test]
async fn one_editor_meets_no_conflict_with_any_number_of_sales() {
    let db = begin().await;
    let sellers: Vec<_> = (0..SELLERS).map(|seller| tokio::spawn(sell(db.clone(), seller))).collect();
    let editor = tokio::spawn(edit(db.clone(), 99));
    let mut sold = 0;
    for seller in sellers {
        sold += seller.await.unwrap().sold;
    }
    let edited = editor.await.unwrap();
    let item = Item::get_by_id(&db, 1).await.unwrap();
    assert_eq!((edited.conflicts, item.in_stock), (0, 10 - sold));
    assert_eq!((item.version, &item.title), (ROUNDS as i64, &edited.titles[&item.version]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_of_both() {
    let db = begin().await;
    let sellers = (0..SELLERS).map(|seller| tokio::spawn(sell(db.clone(), seller)));
    let editors = (0..EDITORS).map(|editor| tokio::spawn(edit(db.clone(), 100 + editor)));
    let clients: Vec<_> = sellers.chain(editors).collect();
    let (mut sold, mut titles, mut conflicts) = (0, BTreeMap::new(), 0);
    for client in clients {
        let done = client.await.unwrap();
        sold += done.sold;
        conflicts += done.conflicts;
        for (version, title) in done.titles {
            let earlier = titles.insert(version, title);
            assert_eq!(earlier, None, "two writes made version {version}");
        }
    }
    let versions = (EDITORS * ROUNDS) as i64;
    assert_eq!(titles.keys().copied().collect::<Vec<_>>(), (1..=versions).collect::<Vec<_>>());
    let item = Item::get_by_id(&db, 1).await.unwrap();
    assert_eq!((item.in_stock, item.version, &item.title), (10 - sold, versions, &titles[&versions]));
    assert!(conflicts > 0, "the editors never met, so this shows nothing");
}

async fn sell(db: Database, seller: u64) -> Done {
    let (mut done, mut seed) = (Done::default(), seller);
    for _ in 0..ROUNDS * 4 {
        let count = 1 + (next(&mut seed) % 3) as i64;
        match next(&mut seed) % 4 {
            0 => drop(Item::update_by_id(1).inc(Item::F.in_stock, -count).execute(&db).await.unwrap()),
            1 => drop(Item::update_many(Filter::all()).inc(Item::F.in_stock, -count).execute(&db).await.unwrap()),
            2 => {
                let sale = Item::bulk().update(Item::update_by_id(1).inc(Item::F.in_stock, -count));
                sale.execute(&db).await.unwrap().complete().unwrap();
            }
            _ => {
                let sale = Item::find_one_and_update(Item::F.id.eq(1)).inc(Item::F.in_stock, -count);
                assert!(sale.fetch_after(&db).await.unwrap().is_some());
            }
        }
        done.sold += count;
    }
    done
}

/// Writes titles: by saves, by updates, and by updates that also sell.
async fn edit(db: Database, editor: u64) -> Done {
    let (mut done, mut seed) = (Done::default(), editor);
    for round in 0..ROUNDS {
        let title = format!("{editor}.{round}");
        let version = match next(&mut seed) % 3 {
            0 => {
                let update = Item::find_one_and_update(Item::F.id.eq(1)).set(Item::F.title, &title);
                update.fetch_after(&db).await.unwrap().unwrap().version
            }
            1 if editor >= 100 => {
                let update = Item::find_one_and_update(Item::F.id.eq(1)).set(Item::F.title, &title);
                done.sold += 1;
                update.inc(Item::F.in_stock, -1).fetch_after(&db).await.unwrap().unwrap().version
            }
            _ => loop {
                let mut item = Item::get_by_id(&db, 1).await.unwrap();
                item.title.clone_from(&title);
                // A stale number must not be stored.
                item.in_stock = -1_000_000;
                match Item::save(&db, &mut item).await {
                    Ok(()) => break item.version,
                    Err(Error::VersionConflict { .. }) => done.conflicts += 1,
                    Err(other) => panic!("{other}"),
                }
            },
        };
        done.titles.insert(version, title);
    }
    done
}
