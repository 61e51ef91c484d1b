//! Rule: `collection_name`. The page is `guide/pages/rules/collection_name.md`.

use crate::{errors::Errors, model::Model};

const ID: &str = "collection_name";
/// The longest name, in bytes; the name of the database and a dot come on top.
const LONGEST: usize = 235;

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let name = model.collection.value();
    let begins_well = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let what = if name.is_empty() {
        // The mistake is reported already, unless the name was written as "".
        if !errors.is_empty() {
            return;
        }
        "a collection needs a name".to_owned()
    } else if !begins_well {
        format!("the collection `{name}` does not begin with a letter or `_`")
    } else if name.contains(['$', '\0']) {
        format!("the collection `{}` contains `$` or NUL", name.escape_default())
    } else if name.starts_with("system.") || name.contains(".system.") {
        format!("the collection `{name}` is in the server's own `system` namespace")
    } else if name.len() > LONGEST {
        format!("the collection's name has {} bytes, and at most {LONGEST} fit beside a database's name", name.len())
    } else {
        return;
    };
    errors.rule(&model.collection, ID, &what, "use a plain name like `people` or `log_messages`");
}
