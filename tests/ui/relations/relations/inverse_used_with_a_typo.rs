use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(notes = Note.host)]
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
    host: Ref<Host>,
}

async fn read(db: &Database, host: &Host) -> Result<()> {
    let notes = host.notes().fetch_all(db).await?;
    Host::NOTES.load(db, [host]).await?;
    println!("{}", notes.len());
    Ok(())
}

fn main() {}
