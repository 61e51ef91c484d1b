//! People and tasks: both ends are stored and agree, after every reassignment of a task and after every failure.
//!
//! `cargo run --example tasks` starts a MongoDB server; with `MONGODB_URI` the example runs on another server, in the
//! database `schema_example_tasks`, and first empties the collections of the example.

use schema_examples::table;
use schema_runtime::{
    Throttle, assert_indexed, assert_queries_indexed,
    bson::{Document, doc},
    local,
    prelude::*,
};

/// A task. The reference to the owner is the truth.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "tasks")]
#[query(due_by(lte(due)), order = asc(due), limit = 100, per_day = 5_000)]
struct Task {
    #[serde(rename = "_id")]
    id: ObjectId,
    description: String,
    due: DateTime,
    #[relation(one_to_many, two_way, inverse = tasks, order = asc(due))]
    owner: Option<Ref<Person>>,
}

/// A person. The array of tasks mirrors the references of the tasks.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[query(by_name, order = asc(name), limit = 1_000, per_day = 200)]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[relation(one_to_many, two_way, of = Task::owner, max = 100)]
    tasks: Vec<Ref<Task>>,
}

fn person(name: &str) -> Person {
    Person { id: ObjectId::new(), name: name.to_owned(), tasks: Vec::new() }
}

/// Prints the tasks of each person, read from the people.
async fn print(db: &Database) -> Result<(), Error> {
    let people = Person::by_name().fetch_all(db).await?;
    let tasks = Person::TASKS.load(db, &people).await?;
    let rows = people.iter().map(|person| {
        let tasks: Vec<&str> = tasks.of(person).iter().map(|task| task.description.as_str()).collect();
        [person.name.clone(), tasks.join(", ")]
    });
    println!("{}\n", table(["person", "tasks"], rows));
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let db = local::connect("schema_example_tasks").await?;
    for collection in ["tasks", "people"] {
        db.collection::<Document>(collection).drop().await?;
    }
    let schema = schema![Task, Person];
    println!("{}", schema.plan(&db).await?.apply(&db).await?);

    let (kate, rod) = (person("Kate Monster"), person("Rod"));
    Person::insert_many(&db, [&kate, &rod]).await?;
    let task = |description: &str, days: i64, owner: &Person| Task {
        id: ObjectId::new(),
        description: description.to_owned(),
        due: DateTime::from_millis(days * 24 * 60 * 60 * 1_000),
        owner: Some(Ref::new(owner)),
    };
    let lesson = task("write the lesson plan", 3, &kate);
    Task::insert_many(&db, [&lesson, &task("buy chalk", 1, &kate), &task("water the plants", 2, &rod)]).await?;
    print(&db).await?;

    println!("Kate's lesson plan goes to Rod: one transaction writes the task, and both of them.");
    Task::OWNER.reassign(&db, &lesson, &rod).await?;
    print(&db).await?;

    let rod = Person::get_by_id(&db, &rod).await?;
    assert_indexed(&rod.tasks(), &db).await;
    assert_indexed(&lesson.owner(), &db).await;
    let first = Task::of_owner(&rod).first(1);
    assert_indexed(&first, &db).await;
    println!("Due first: {}", first.fetch_all(&db).await?.first().map_or("nothing", |task| &task.description));

    match Task::OWNER.reassign(&db, &lesson, ObjectId::new()).await {
        Err(error @ Error::DanglingReference { .. }) => println!("To nobody: {error}\n"),
        other => return Err(format!("a task of nobody: {other:?}").into()),
    }

    println!("Another program takes the plants from Rod, and does not write that to him.");
    let tasks = db.collection::<Document>("tasks");
    tasks.update_one(doc! { "description": "water the plants" }, doc! { "$set": { "owner": null } }).await?;
    println!("{}", schema.verify(&db).await?);
    println!("{}\n", schema.repair(&db, &Throttle::new()).await?);

    let soon = Task::due_by(DateTime::from_millis(2 * 24 * 60 * 60 * 1_000)).fetch_all(&db).await?;
    let soon: Vec<&str> = soon.iter().map(|task| task.description.as_str()).collect();
    println!("Due within two days, whoever has it: {}\n", soon.join(", "));
    assert_queries_indexed(&schema, &db).await;

    println!("Rod leaves.");
    Person::delete(&db, &rod).await?;
    print(&db).await?;
    let owned = Task::find(Task::F.owner.is_not_null()).count(&db).await?;
    if owned != 1 || !schema.verify(&db).await?.is_clean() {
        return Err("a task is left with nobody".into());
    }
    Ok(())
}
