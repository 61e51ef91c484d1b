use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize, Clone)]
#[serde(try_from = "String", into = "String")]
struct Email(String);
impl TryFrom<String> for Email {
    type Error = String;
    fn try_from(s: String) -> std::result::Result<Self, String> {
        Ok(Email(s))
    }
}

impl From<Email> for String {
    fn from(e: Email) -> String {
        e.0
    }
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    email: Email,
}

fn main() {}
