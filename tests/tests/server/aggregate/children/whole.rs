//! The children of all parents: a delete rule gives each child a parent, so the server reads the whole collection in
//! stored order.

use mongodb::bson::{Document, doc};
use schema_runtime::{check_indexed, prelude::*};
use schema_tests::database_with_log;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "teams")]
#[inverse(members = Member::team, on_delete = restrict)]
struct Team {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "members")]
struct Member {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    team: Ref<Team>,
    points: i64,
}

#[derive(Aggregate, Deserialize, Debug, PartialEq)]
#[aggregate(of = Team)]
struct Sums {
    id: i64,
    #[count(Member::team)]
    members: i64,
    #[sum(Member::team, points)]
    points: i64,
}

fn stages(command: &Document) -> Vec<String> {
    let stages = command.get_array("pipeline").unwrap().iter();
    stages.map(|stage| stage.as_document().unwrap().keys().next().unwrap().clone()).collect()
}

#[tokio::test]
async fn the_children_of_all_parents_are_read_without_the_index() {
    let (db, log) = database_with_log().await;
    schema![Team, Member].create(&db).await.unwrap();
    let teams: Vec<Team> = (0..5).map(|id| Team { id, name: format!("team {id}") }).collect();
    Team::insert_many(&db, &teams).await.unwrap();
    let members: Vec<Member> = (0..40).map(|id| Member { id, team: Ref::new(id % 4), points: id }).collect();
    Member::insert_many(&db, &members).await.unwrap();
    // A document of another program, whose parent is gone.
    db.collection::<Member>("members").insert_one(Member { id: 99, team: Ref::new(77), points: 1 }).await.unwrap();

    let read = |teams: Filter<Team>| Team::aggregate::<Sums>().filter(teams);
    let sorted = |mut rows: Vec<Sums>| {
        rows.sort_by_key(|row| row.id);
        rows
    };
    log.clear();
    let all = sorted(read(Filter::all()).fetch_all(&db).await.unwrap());
    let commands = log.named("aggregate");
    assert_eq!(commands.len(), 2, "{commands:?}");
    assert_eq!(stages(&commands[1]), ["$group", "$project"]);
    log.clear();
    let by_index = sorted(read(Team::F.id.gte(0)).fetch_all(&db).await.unwrap());
    assert_eq!(stages(&log.named("aggregate")[1]), ["$match", "$group", "$project"]);
    assert_eq!(all, by_index);
    assert_eq!(all.iter().map(|row| row.members).collect::<Vec<_>>(), [10, 10, 10, 10, 0]);

    log.clear();
    let limited = read(Filter::all()).limit(4).fetch_all(&db).await.unwrap();
    assert_eq!((limited.len(), stages(&log.named("aggregate")[1])[0].as_str()), (4, "$match"));
    check_indexed(&read(Team::F.id.gte(0)), &db).await.unwrap();
    let explained = read(Filter::all()).explain(&db).await.unwrap();
    assert_eq!(explained.get_array("children").unwrap().len(), 1);
    assert!(!read(Filter::all()).to_mongosh().unwrap().contains("$in"), "the printed line is the sent command");
}

#[derive(Aggregate, Deserialize, Debug, PartialEq)]
#[aggregate(of = Team)]
struct Named {
    name: String,
    #[count(Member::team)]
    members: i64,
}

/// Another program has stored a parent whose `_id` is null, and a child without a reference.
#[tokio::test]
async fn a_child_without_a_reference_is_no_child_of_null() {
    let (db, _) = database_with_log().await;
    db.collection::<Document>("teams").insert_one(doc! { "_id": null, "name": "none" }).await.unwrap();
    db.collection::<Document>("members").insert_one(doc! { "_id": 1, "points": 5 }).await.unwrap();
    let all = Team::aggregate::<Named>().fetch_all(&db).await.unwrap();
    assert_eq!(all, [Named { name: "none".to_owned(), members: 0 }]);
}
