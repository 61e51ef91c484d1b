//! One to many: the reference of each child is the truth, and the array of its parent is the mirror.

use futures_util::future::join_all;
use mongodb::bson::{Document, doc};
use schema_runtime::{Error, prelude::*, transaction};
use schema_tests::{
    database, database_with_log,
    links::{Person, Task, assert_agree, person, task},
};

async fn people(db: &Database, count: i64) {
    Person::insert_many(db, (1..=count).map(person)).await.unwrap();
}

async fn tasks_of(db: &Database, id: i64) -> Vec<i64> {
    let person = Person::get_by_id(db, id).await.unwrap();
    person.tasks.iter().map(|task| *task.id()).collect()
}

fn of(id: i64, owner: i64) -> Task {
    Task { owner: Some(Ref::new(owner)), ..task(id) }
}

#[tokio::test]
async fn reassign_writes_both_ends_in_one_transaction() {
    let (db, log) = database_with_log().await;
    people(&db, 2).await;
    Task::insert(&db, &of(1, 1)).await.unwrap();
    log.clear();
    assert!(Task::OWNER.reassign(&db, 1, 2).await.unwrap());
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["findAndModify", "update", "commitTransaction"]);
    let update = log.named("update");
    assert_eq!(update[0].get_array("updates").unwrap().len(), 2, "{update:?}");
    assert_eq!((tasks_of(&db, 1).await, tasks_of(&db, 2).await), (vec![], vec![1]));
    assert_agree(&db).await;
    // The task has this owner already.
    assert!(!Task::OWNER.reassign(&db, 1, 2).await.unwrap());
    // The documents contain nothing of this crate.
    let stored = db.collection::<Document>("tasks").find_one(doc! {}).await.unwrap().unwrap();
    assert_eq!(stored, doc! { "_id": 1_i64, "text": "task 1", "owner": 2_i64 });
    let stored = db.collection::<Document>("people").find_one(doc! { "_id": 2 }).await.unwrap().unwrap();
    assert_eq!(stored, doc! { "_id": 2_i64, "name": "person 2", "tasks": [1_i64] });
}

#[tokio::test]
async fn from_either_side() {
    let db = database().await;
    people(&db, 2).await;
    Task::insert_many(&db, (1..=4).map(task)).await.unwrap();
    assert!(Person::TASKS.link(&db, 1, 1).await.unwrap());
    assert!(!Person::TASKS.link(&db, 1, 1).await.unwrap());
    assert!(Person::TASKS.set(&db, 1, [2_i64, 3]).await.unwrap());
    assert_eq!(tasks_of(&db, 1).await, [2, 3]);
    assert!(Person::TASKS.set(&db, 2, [3_i64, 4]).await.unwrap());
    assert_eq!((tasks_of(&db, 1).await, tasks_of(&db, 2).await), (vec![2], vec![3, 4]));
    assert!(!Person::TASKS.set(&db, 2, [3_i64, 4]).await.unwrap());
    assert!(Person::TASKS.unlink(&db, 2, 4).await.unwrap());
    assert!(!Person::TASKS.unlink(&db, 2, 4).await.unwrap());
    assert!(!Task::OWNER.unlink(&db, 3, 1).await.unwrap(), "it is the task of another");
    assert!(Task::OWNER.unlink(&db, 3, 2).await.unwrap());
    assert_eq!(Task::get_by_id(&db, 3).await.unwrap().owner, None);
    assert_agree(&db).await;
    // Read from both sides.
    let one = Person::get_by_id(&db, 1).await.unwrap();
    assert_eq!(
        one.tasks()
            .fetch_all(&db)
            .await
            .unwrap()
            .complete()
            .unwrap()
            .into_iter()
            .map(|task| task.id)
            .collect::<Vec<_>>(),
        [2]
    );
    assert_eq!(Task::get_by_id(&db, 2).await.unwrap().owner().fetch_one(&db).await.unwrap().id, 1);
}

#[tokio::test]
async fn every_write_keeps_the_other_end() {
    let db = database().await;
    people(&db, 4).await;
    Task::insert_many(&db, [of(1, 1), of(2, 1), of(3, 2), task(4)]).await.unwrap();
    assert_eq!((tasks_of(&db, 1).await, tasks_of(&db, 2).await), (vec![1, 2], vec![3]));
    Task::update_by_id(1).set(Task::F.owner, Some(Ref::new(2_i64))).execute(&db).await.unwrap();
    Task::update_one(Task::F.text.eq("task 2")).set(Task::F.owner, Some(Ref::new(3_i64))).execute(&db).await.unwrap();
    assert_agree(&db).await;
    let moved =
        Task::update_many(Task::F.id.lte(3)).set(Task::F.owner, Some(Ref::new(4_i64))).execute(&db).await.unwrap();
    assert_eq!((moved.matched, moved.modified), (3, 3));
    assert_eq!(tasks_of(&db, 4).await, [1, 2, 3]);
    let before = Task::find_one_and_update(Task::F.id.eq(1)).set(Task::F.owner, Some(Ref::new(1_i64)));
    assert_eq!(before.clone().fetch_before(&db).await.unwrap().unwrap().owner, Some(Ref::new(4_i64)));
    assert_eq!(before.fetch_after(&db).await.unwrap().unwrap().owner, Some(Ref::new(1_i64)));
    assert_agree(&db).await;
    Task::update_by_id(1).raw(doc! { "$rename": { "owner": "was" } }).execute(&db).await.unwrap();
    assert_eq!(tasks_of(&db, 1).await, [0_i64; 0]);
    Task::replace(&db, &of(1, 3)).await.unwrap();
    let mut two = Task::get_by_id(&db, 2).await.unwrap();
    two.owner = Some(Ref::new(3_i64));
    Task::save(&db, &mut two).await.unwrap();
    assert_eq!(tasks_of(&db, 3).await, [1, 2]);
    assert!(Task::upsert(&db, &of(9, 3)).await.unwrap());
    assert!(!Task::upsert(&db, &of(9, 1)).await.unwrap());
    let upsert = Task::update_one(Task::F.id.eq(10)).set(Task::F.text, "new").set(Task::F.owner, Some(Ref::new(1_i64)));
    assert_eq!(upsert.upsert().execute(&db).await.unwrap().upserted_id, Some(10));
    let upsert =
        Person::update_one(Person::F.id.eq(9)).set(Person::F.name, "nine").upsert().execute(&db).await.unwrap();
    assert_eq!((upsert.upserted_id, tasks_of(&db, 9).await), (Some(9), vec![]));
    assert_agree(&db).await;
    assert_eq!((tasks_of(&db, 1).await, tasks_of(&db, 3).await), (vec![9, 10], vec![1, 2]));
    let upserted = Task::upsert_many(&db, [of(9, 4), of(11, 4), of(9, 3)]).await.unwrap();
    assert_eq!((upserted.inserted, upserted.replaced), (1, 2));
    assert_agree(&db).await;
    let bulk = Task::bulk()
        .insert(&of(20, 1))
        .update(Task::update_by_id(20).set(Task::F.owner, Some(Ref::new(2_i64))))
        .update(Task::update_many(Task::F.id.eq(9)).set(Task::F.owner, None))
        .replace(&of(11, 1))
        .insert(&of(21, 2))
        .delete_by_id(1)
        .delete_many(Task::F.id.eq(10));
    let counts = bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!((counts.inserted, counts.matched, counts.deleted), (2, 3, 2));
    assert_agree(&db).await;
    assert_eq!((tasks_of(&db, 1).await, tasks_of(&db, 2).await), (vec![11], vec![20, 21]));
    transaction(&db, |tx| async move {
        Task::insert(&tx, &of(30, 1)).await?;
        Task::update_by_id(30).set(Task::F.owner, Some(Ref::new(2_i64))).execute(&tx).await?;
        Task::delete_by_id(&tx, 20).await.map(drop)
    })
    .await
    .unwrap();
    assert_agree(&db).await;
    assert_eq!(tasks_of(&db, 2).await, [21, 30]);
}

#[tokio::test]
async fn what_may_not_be_is_refused_and_nothing_is_written() {
    let db = database().await;
    people(&db, 2).await;
    Task::insert_many(&db, (1..=11).map(task)).await.unwrap();
    // Missing documents.
    let dangling = Task::OWNER.reassign(&db, 1, 77).await.unwrap_err();
    assert!(
        matches!(&dangling, Error::DanglingReference { relation, collection: "people", .. } if relation == "Task.owner"),
        "{dangling:?}"
    );
    let missing = Task::OWNER.reassign(&db, 77, 1).await.unwrap_err();
    assert!(matches!(missing, Error::NotFound { model: "Task", .. }), "{missing:?}");
    let inserted = Task::insert(&db, &of(50, 77)).await.unwrap_err();
    assert!(matches!(inserted, Error::DanglingReference { .. }), "{inserted:?}");
    assert_eq!(Task::find_by_id(&db, 50).await.unwrap(), None);
    // Over the bound.
    assert!(Person::TASKS.set(&db, 1, 1_i64..=10).await.unwrap());
    let full = Task::OWNER.reassign(&db, 11, 1).await.unwrap_err();
    let is_over =
        |error: &Error| matches!(error, Error::BoundExceeded { field, bound: 10, size: 11, .. } if field == "tasks");
    assert!(is_over(&full), "{full:?}");
    let full = Task::insert_many(&db, [of(60, 2), of(61, 1)]).await.unwrap_err();
    assert!(is_over(&full), "{full:?}");
    // A mirror in an inserted value.
    let written = Person { tasks: vec![Ref::new(1_i64)], ..person(5) };
    let error = Person::insert(&db, &written).await.unwrap_err();
    assert!(
        matches!(&error, Error::MirrorWritten { model: "Person", field: "tasks", of } if of == "Task.owner"),
        "{error:?}"
    );
    assert_eq!(Person::find_by_id(&db, 5).await.unwrap(), None);
    // A bulk goes on, and reports the failed writes.
    let bulk = Task::bulk().insert(&of(70, 2)).insert(&of(71, 77)).insert(&of(72, 2)).insert(&of(73, 1)).unordered();
    let report = bulk.execute(&db).await.unwrap();
    let failed: Vec<usize> = report.failures().map(|(at, _)| at).collect();
    assert_eq!((failed, report.counts.inserted), (vec![1, 3], 2));
    let bulk = Task::bulk().insert(&of(80, 2)).insert(&of(81, 77)).insert(&of(82, 2));
    let report = bulk.execute(&db).await.unwrap();
    assert_eq!((report.failures().map(|(at, _)| at).collect::<Vec<_>>(), report.counts.inserted), (vec![1], 1));
    assert_agree(&db).await;
    assert_eq!(tasks_of(&db, 2).await, [70, 72, 80]);
}

#[tokio::test]
async fn the_bound_is_exact_under_eight_writers() {
    let db = database().await;
    people(&db, 1).await;
    Task::insert_many(&db, (1..=80).map(task)).await.unwrap();
    let writer = async |at: i64| {
        let mut linked = 0;
        for id in (1..=80).filter(|id| id % 8 == at) {
            match Task::OWNER.reassign(&db, id, 1).await {
                Ok(true) => linked += 1,
                Err(Error::BoundExceeded { .. }) => {}
                other => panic!("{other:?}"),
            }
        }
        linked
    };
    let linked: i32 = join_all((0..8).map(writer)).await.into_iter().sum();
    assert_eq!((linked, tasks_of(&db, 1).await.len()), (10, 10));
    assert_agree(&db).await;
}

#[tokio::test]
async fn many_documents_go_in_transactions_of_a_thousand() {
    let (db, log) = database_with_log().await;
    Person::insert_many(&db, (1..=300).map(person)).await.unwrap();
    log.clear();
    let owners = (0..2_500).map(|id| of(id, id / 10 + 1));
    Task::insert_many(&db, owners).await.unwrap();
    assert_eq!(log.named("commitTransaction").len(), 3);
    assert_agree(&db).await;
    log.clear();
    let freed = Task::update_many(Task::F.id.lt(2_100)).set(Task::F.owner, None).execute(&db).await.unwrap();
    assert_eq!((freed.matched, log.named("commitTransaction").len()), (2_100, 3));
    assert_agree(&db).await;
    assert_eq!(Task::delete_many(&db, Task::F.id.gte(0)).await.unwrap(), 2_500);
    assert_agree(&db).await;
}
