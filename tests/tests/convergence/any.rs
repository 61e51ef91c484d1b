//! Random programs: the concurrent writes of several clients.

use proptest::{collection::vec, prelude::*, sample::select};
use schema_tests::copies::{CardWrite, HOLDERS, ItemWrite, SOURCES, SourceWrite, Write};

/// The successive writes of each client.
pub(crate) type Program = Vec<Vec<Write>>;

pub(crate) fn any_program(clients: usize, most: usize) -> impl Strategy<Value = Program> {
    vec(vec(any_write(), 1..=most), clients)
}

pub(crate) fn any_program_without_transactions(clients: usize, most: usize) -> impl Strategy<Value = Program> {
    vec(vec(any_single(), 1..=most), clients)
}

fn any_write() -> impl Strategy<Value = Write> {
    prop_oneof![
        12 => any_single(),
        3 => vec(any_single(), 1..=3).prop_map(Write::Transaction),
    ]
}

fn any_single() -> impl Strategy<Value = Write> {
    let source = || (0..SOURCES, select(SourceWrite::ALL.to_vec()));
    prop_oneof![
        4 => source().prop_map(|(of, write)| Write::Tag(of, write)),
        4 => source().prop_map(|(of, write)| Write::Owner(of, write)),
        6 => (0..HOLDERS, any_item()).prop_map(|(of, write)| Write::Item(of, write)),
        2 => (0..HOLDERS, any_card()).prop_map(|(of, write)| Write::Card(of, write)),
    ]
}

fn any_item() -> impl Strategy<Value = ItemWrite> {
    let two = || (0..SOURCES, 0..SOURCES);
    let one = || 0..SOURCES;
    prop_oneof![
        two().prop_map(|(a, b)| ItemWrite::Insert(a, b)),
        two().prop_map(|(a, b)| ItemWrite::InsertMany(a, b)),
        two().prop_map(|(a, b)| ItemWrite::InsertFifty(a, b)),
        two().prop_map(|(a, b)| ItemWrite::InsertWith(a, b)),
        two().prop_map(|(a, b)| ItemWrite::Upsert(a, b)),
        one().prop_map(ItemWrite::UpsertByFilter),
        one().prop_map(ItemWrite::Push),
        one().prop_map(ItemWrite::PushMany),
        two().prop_map(|(a, b)| ItemWrite::SetTags(a, b)),
        two().prop_map(|(a, b)| ItemWrite::SetEach(a, b)),
        one().prop_map(ItemWrite::Pull),
        one().prop_map(ItemWrite::Owner),
        one().prop_map(ItemWrite::OwnerMany),
        one().prop_map(ItemWrite::FindOwner),
        proptest::option::of(one()).prop_map(ItemWrite::Backup),
        two().prop_map(|(a, b)| ItemWrite::Mixed(a, b)),
        two().prop_map(|(a, b)| ItemWrite::MixedMany(a, b)),
        two().prop_map(|(a, b)| ItemWrite::Replace(a, b)),
        one().prop_map(ItemWrite::Save),
        two().prop_map(|(a, b)| ItemWrite::Bulk(a, b)),
        Just(ItemWrite::Title),
        Just(ItemWrite::Delete),
    ]
}

fn any_card() -> impl Strategy<Value = CardWrite> {
    let one = || 0..SOURCES;
    prop_oneof![
        one().prop_map(CardWrite::Insert),
        one().prop_map(CardWrite::InsertWith),
        one().prop_map(CardWrite::InsertMany),
        one().prop_map(CardWrite::InsertFifty),
        one().prop_map(CardWrite::Tag),
        one().prop_map(CardWrite::TagMany),
        one().prop_map(CardWrite::Replace),
        Just(CardWrite::Delete),
    ]
}
