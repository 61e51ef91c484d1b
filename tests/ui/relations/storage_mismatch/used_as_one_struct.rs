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
    #[relation(one_to_one, embed)]
    host: Ref<Host>,
}

async fn read(db: &Database, note: Note, host: &Host) -> Result<()> {
    let found = note.host().fetch_one(db).await?;
    println!("{}", found.name);
    Note::HOST.load(db, [&note]).await?;
    Note::of_host(host).filter(Note::F.host.eq(host)).fetch_all(db).await?;
    Ok(())
}

fn main() {}
