//! The rows of parents, compared with rows that Rust makes of the same documents.

use schema_runtime::{prelude::*, transaction};

use super::models::{Alert, Host, HostStats, LogMsg, Stored, filled, message, rounded};

fn by_id(mut rows: Vec<HostStats>) -> Vec<HostStats> {
    rows.sort_by_key(|row| row.id);
    rounded(rows)
}

#[tokio::test]
async fn the_rows_are_the_rows_of_the_values_in_rust() {
    for (seed, hosts, children) in [(1, 0, 0), (2, 1, 0), (3, 1, 5), (4, 12, 90), (5, 40, 600)] {
        let (db, stored) = filled(seed, hosts, children).await;
        let all = rounded(stored.rows());
        assert_eq!(by_id(Host::aggregate::<HostStats>().fetch_all(&db).await.unwrap()), all, "seed {seed}");
        // Each condition that names a value of the children is decided on the server, with the same rows.
        let f = HostStats::F;
        type Keep = fn(&HostStats) -> bool;
        let conditions: [(Filter<HostStats>, Keep); 9] = [
            (f.messages.gte(3), |row| row.messages >= 3),
            (f.messages.eq(0), |row| row.messages == 0),
            (f.bytes.gt(500).and(f.place.city.eq("Oslo")), |row| row.bytes > 500 && row.place.city == "Oslo"),
            (f.alerts.gte(1).or(f.mean.eq(None)), |row| row.alerts >= 1 || row.mean.is_none()),
            (f.largest.eq("ada"), |row| row.largest.as_deref() == Some("ada")),
            (f.oldest.lt(20), |row| row.oldest.is_some_and(|oldest| oldest < 20)),
            (f.users.eq(3), |row| row.users == 3),
            (f.any.eq(true).and(f.all.eq(false)), |row| row.any && !row.all),
            (f.rack.eq(None).and(f.name.gte("h01")), |row| row.rack.is_none() && row.name.as_str() >= "h01"),
        ];
        for (having, keep) in conditions {
            let shown = format!("{having:?}");
            let rows = Host::aggregate::<HostStats>().having(having).fetch_all(&db).await.unwrap();
            let kept: Vec<HostStats> = all.iter().filter(|row| keep(row)).cloned().collect();
            assert_eq!(by_id(rows), kept, "seed {seed}, {shown}");
        }
    }
}

#[tokio::test]
async fn orders_by_parents_and_by_children_with_skip_and_limit() {
    let (db, stored) = filled(6, 30, 300).await;
    let mut rows = rounded(stored.rows());
    let read = || Host::aggregate::<HostStats>();
    let f = HostStats::F;
    rows.sort_by_key(|row| (std::cmp::Reverse(row.messages), row.id));
    let found = read().sort([f.messages.desc(), f.id.asc()]).skip(3).limit(7).fetch_all(&db).await.unwrap();
    assert_eq!(rounded(found), rows[3..10]);
    rows.sort_by(|one, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
    let found = read().sort([f.name.asc(), f.id.asc()]).skip(2).limit(9).fetch_all(&db).await.unwrap();
    assert_eq!(rounded(found), rows[2..11]);
    // The order is of the parents, and the condition is of the children.
    let many: Vec<HostStats> = rows.iter().filter(|row| row.messages >= 5).cloned().collect();
    let having = read().having(f.messages.gte(5)).sort([f.name.asc(), f.id.asc()]);
    assert_eq!(rounded(having.limit(4).fetch_all(&db).await.unwrap()), many[..4]);
    rows.sort_by_key(|row| (row.place.floor, row.id));
    let nested = read().sort([f.place.floor.asc(), f.id.asc()]).limit(5).fetch_all(&db).await.unwrap();
    assert_eq!(rounded(nested), rows[..5]);
    let one = read().filter(Host::F.id.eq(4)).fetch_one(&db).await.unwrap();
    assert_eq!(rounded(vec![one]), rounded(vec![stored.row(&stored.hosts[4])]));
    assert_eq!(read().filter(Host::F.id.eq(-1)).fetch_optional(&db).await.unwrap(), None);
    assert!(matches!(read().filter(Host::F.id.eq(-1)).fetch_one(&db).await, Err(Error::NotFound { .. })));
}

/// A thousand parents are one chunk, and more parents are more chunks.
#[tokio::test]
async fn a_stream_of_many_parents_has_the_same_rows() {
    let (db, stored) = filled(7, 2_300, 6_000).await;
    let mut rows = Host::aggregate::<HostStats>().sort(HostStats::F.id.asc()).stream(&db).await.unwrap();
    let mut found = Vec::new();
    while let Some(row) = rows.next().await {
        found.push(row.unwrap());
    }
    let all = by_id(Host::aggregate::<HostStats>().fetch_all(&db).await.unwrap());
    assert_eq!(rounded(found), all);
    for host in stored.hosts.iter().step_by(97) {
        assert_eq!(all[host.id as usize], rounded(vec![stored.row(host)])[0]);
    }
}

/// Both commands of a transaction read the documents of the transaction, and no write of others.
#[tokio::test]
async fn a_transaction_is_one_snapshot_of_parents_and_children() {
    let (db, mut stored) = filled(8, 8, 60).await;
    let before = stored.rows();
    let outside = db.clone();
    let rows = transaction(&db, |tx| {
        let outside = outside.clone();
        async move {
            let first = Host::aggregate::<HostStats>().limit(1).fetch_all(&tx).await?;
            assert_eq!(first.len(), 1);
            let others = tokio::spawn(async move { Alert::delete_many(&outside, Filter::all()).await });
            others.await.expect("another client")?;
            LogMsg::delete_many(&tx, LogMsg::F.bytes.gte(100)).await?;
            let mut rng = fastrand::Rng::with_seed(1);
            LogMsg::insert(&tx, &LogMsg { bytes: 7, ..message(&mut rng, 1_000, 2) }).await?;
            let plain = Host::aggregate::<HostStats>().fetch_all(&tx).await?;
            let mut streamed = Host::aggregate::<HostStats>().having(HostStats::F.messages.gte(1)).stream(&tx).await?;
            let mut rows = Vec::new();
            while let Some(row) = streamed.next().await {
                rows.push(row?);
            }
            Ok::<_, Error>((plain, rows))
        }
    });
    let (plain, streamed) = rows.await.unwrap();
    stored.messages.retain(|message| message.bytes < 100);
    let mut rng = fastrand::Rng::with_seed(1);
    stored.messages.push(LogMsg { bytes: 7, ..message(&mut rng, 1_000, 2) });
    assert_eq!(by_id(plain), rounded(stored.rows()));
    let some = stored.rows().into_iter().filter(|row| row.messages > 0).collect();
    assert_eq!(by_id(streamed), rounded(some));
    assert!(before.iter().any(|row| row.alerts > 0), "the alerts of the snapshot count");
    let after = by_id(Host::aggregate::<HostStats>().fetch_all(&db).await.unwrap());
    let gone = Stored { alerts: Vec::new(), ..stored };
    assert_eq!(after, rounded(gone.rows()));
}

/// A row whose parent is deleted between the commands keeps the fields of the parent.
#[tokio::test]
async fn a_parent_that_is_deleted_between_the_commands_is_a_row() {
    let (db, stored) = filled(9, 3, 30).await;
    let mut rows = Host::aggregate::<HostStats>().sort(HostStats::F.id.asc()).stream(&db).await.unwrap();
    Host::delete_by_id(&db, &1).await.unwrap();
    LogMsg::delete_many(&db, LogMsg::F.host.eq(2)).await.unwrap();
    let mut found = Vec::new();
    while let Some(row) = rows.next().await {
        found.push(row.unwrap());
    }
    let mut expected = rounded(stored.rows());
    assert_eq!(rounded(found.clone())[..2], expected[..2]);
    let last = &found[2];
    assert_eq!((last.messages, last.bytes, last.mean, last.recent.len()), (0, 0, None, 0));
    assert!(last.all && !last.any);
    expected.remove(1);
    let ids: Vec<i64> = Host::aggregate::<HostStats>().fetch_all(&db).await.unwrap().iter().map(|row| row.id).collect();
    assert_eq!(ids, [0, 2]);
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Host)]
struct Large {
    id: i64,
    #[sum(LogMsg::host, bytes)]
    bytes: i64,
}

#[tokio::test]
async fn a_sum_over_64_bits_is_an_error_of_its_row() {
    let (db, _) = filled(10, 2, 0).await;
    let mut rng = fastrand::Rng::with_seed(2);
    let large = |id, host, rng: &mut fastrand::Rng| LogMsg { bytes: i64::MAX, ..message(rng, id, host) };
    let messages = [large(1, 0, &mut rng), large(2, 0, &mut rng), large(3, 1, &mut rng)];
    LogMsg::insert_many(&db, &messages).await.unwrap();
    let failed = Host::aggregate::<Large>().fetch_all(&db).await.unwrap_err();
    assert!(failed.to_string().contains("the sum of `bytes` of `Large` is over 64 bits"), "{failed}");
    let mut rows = Host::aggregate::<Large>().sort(Large::F.id.asc()).stream(&db).await.unwrap();
    assert!(rows.next().await.unwrap().is_err());
    let second = rows.next().await.unwrap().unwrap();
    assert_eq!((second.id, second.bytes), (1, i64::MAX));
}
