use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    hosts: Vec<Ref<Host>>,
}

async fn read(db: &Database, note: Note) -> Result<()> {
    let found = note.hosts().fetch_all(db).await?;
    println!("{}", found.len());
    Note::HOSTS.load(db, [&note]).await?;
    Note::HOSTS.lookup(Note::F.hosts.contains(note.id)).fetch_all(db).await?;
    Ok(())
}

fn main() {}
