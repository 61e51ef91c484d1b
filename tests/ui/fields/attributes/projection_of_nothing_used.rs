use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Projection, Deserialize)]
struct HostName {
    name: String,
}

async fn read(db: &Database) -> Result<()> {
    let names = Host::find(Host::F.name.eq("a")).select::<HostName>().fetch_all(db).await?;
    println!("{}", names[0].name);
    Ok(())
}

fn main() {}
