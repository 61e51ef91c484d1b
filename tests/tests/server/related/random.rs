//! Random documents and filters: the server and an independent model in Rust find the same documents.

use schema_tests::database;

use super::*;

/// A condition on the level, with the judgement of the condition in Rust.
#[derive(Clone, Copy, Debug)]
enum Level {
    Any,
    Is(i32),
    IsNot(i32),
    AtLeast(i32),
    Below(i32),
    Null,
    Among(i32, i32),
}

impl Level {
    fn random(rng: &mut fastrand::Rng) -> Self {
        let (one, two) = (rng.i32(0..4), rng.i32(0..4));
        match rng.u8(0..7) {
            0 => Level::Any,
            1 => Level::Is(one),
            2 => Level::IsNot(one),
            3 => Level::AtLeast(one),
            4 => Level::Below(one),
            5 => Level::Null,
            _ => Level::Among(one, two),
        }
    }

    fn filter(self) -> Filter<LogMsg> {
        let level = LogMsg::F.level;
        match self {
            Level::Any => Filter::all(),
            Level::Is(value) => level.eq(value),
            Level::IsNot(value) => level.ne(value),
            Level::AtLeast(value) => level.gte(value),
            Level::Below(value) => level.lt(value),
            Level::Null => level.is_null(),
            Level::Among(one, two) => level.is_in([one, two]),
        }
    }

    fn holds(self, level: Option<i32>) -> bool {
        match self {
            Level::Any => true,
            Level::Is(value) => level == Some(value),
            Level::IsNot(value) => level != Some(value),
            Level::AtLeast(value) => level.is_some_and(|level| level >= value),
            Level::Below(value) => level.is_some_and(|level| level < value),
            Level::Null => level.is_none(),
            Level::Among(one, two) => level == Some(one) || level == Some(two),
        }
    }
}

#[tokio::test]
async fn the_server_and_a_model_agree() {
    let db = database().await;
    let mut rng = fastrand::Rng::new();
    let seed = rng.u64(..);
    rng.seed(seed);
    let hosts: Vec<Host> = (0..30).map(host).collect();
    let level = |rng: &mut fastrand::Rng| rng.bool().then(|| rng.i32(0..4));
    let messages: Vec<LogMsg> = (0..60).map(|id| message(id, rng.i64(0..30), level(&mut rng))).collect();
    Host::insert_many(&db, &hosts).await.unwrap();
    LogMsg::insert_many(&db, &messages).await.unwrap();
    for _ in 0..60 {
        let (condition, zone, kind) = (Level::random(&mut rng), rng.i32(0..4), rng.u8(0..3));
        let having = match kind {
            0 => Host::LOGMSGS.some(condition.filter()),
            1 => Host::LOGMSGS.every(condition.filter()),
            _ => Host::LOGMSGS.none(condition.filter()),
        };
        let read = Host::find(Host::F.zone.ne(zone)).having(having).sort(Host::F.id.asc());
        let found: Vec<i64> = read.clone().fetch_all(&db).await.unwrap().iter().map(|host| host.id).collect();
        let meets = |host: &Host| {
            let mut of_host = messages.iter().filter(|message| message.host == Ref::new(host.id));
            match kind {
                0 => of_host.any(|message| condition.holds(message.level)),
                1 => of_host.all(|message| condition.holds(message.level)),
                _ => !of_host.any(|message| condition.holds(message.level)),
            }
        };
        let expected: Vec<i64> =
            hosts.iter().filter(|host| host.zone != zone && meets(host)).map(|host| host.id).collect();
        assert_eq!(found, expected, "seed {seed}: {condition:?}, kind {kind}");
        assert_eq!(read.count(&db).await.unwrap(), expected.len() as u64, "seed {seed}: {condition:?}, kind {kind}");
    }
}
