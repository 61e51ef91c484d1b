//! `pymongo` as a second client of an index without case.

use schema_runtime::{Error, prelude::*};
use schema_tests::{database, server};

use super::{User, prepare, user};
use crate::python::Program;

/// For each line: inserts an address, and answers whether the server took the address, and which address is found.
const PROGRAM: &str = "
import sys
from pymongo import MongoClient
from pymongo.collation import Collation
from pymongo.errors import DuplicateKeyError
users = MongoClient(sys.argv[1])[sys.argv[2]].users
for number, line in enumerate(sys.stdin):
    email = line.rstrip('\\n')
    try:
        users.insert_one({'_id': 100 + number, 'email': email, 'name': 'p', 'town': 'Oslo'})
        taken = 'taken'
    except DuplicateKeyError as error:
        taken = 'refused ' + error.details['keyPattern'].__iter__().__next__()
    found = users.find_one({'email': email.upper()}, collation=Collation('en', strength=2), hint='email_1_en_2')
    print(taken, found['email'], flush=True)
";

#[tokio::test]
async fn a_second_client_meets_the_same_index() {
    let db = database().await;
    prepare(&db).await;
    User::insert(&db, &user(1, "Kate@x.no", "Kate")).await.unwrap();
    let mut program = Program::start(PROGRAM, &[server().await.uri(), db.name()]);
    let mut ask = |email: &str| {
        program.send(email);
        program.line()
    };
    assert_eq!(ask("kate@X.no"), "refused email Kate@x.no");
    assert_eq!(ask("ola@x.no"), "taken ola@x.no");
    let refused = User::insert(&db, &user(2, "OLA@x.no", "Ola")).await;
    assert!(matches!(refused, Err(Error::DuplicateKey { .. })), "{refused:?}");
    assert_eq!(User::by_email("OLA@X.NO").fetch_optional(&db).await.unwrap().map(|user| user.name), Some("p".into()));
}
