//! The writes of the parents and the sources of parcels, of their children and holders, and of the tree.

use mongodb::Database;
use schema_runtime::{Executor, Result, Throttle, prelude::*};

use super::{
    Answer, Carrier, Customer, Depot, Fact, Ledger, Node, Note, Parcel, Route, SEVERAL, STAYING, Scan, carrier,
    customer, depot, depot_id, name, node, note,
    parcels::{delete, upsert_of},
    route, route_id, scan, schema, text_id,
};

/// A write of any document except parcels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Other {
    /// The source of copies in arrays gets another name.
    Depot,
    /// Another name for all sources of copies in arrays.
    DepotMany,
    /// The source of copies in arrays is deleted and inserted again.
    DepotAgain,
    /// The source of copies in a transaction gets another name.
    Carrier,
    /// A replacement of the source of copies in a transaction.
    CarrierReplace,
    /// The source of copies in a transaction is deleted and inserted again.
    CarrierAgain,
    /// The first parent is deleted and inserted again.
    RouteAgain,
    /// The second parent is deleted and inserted again.
    CustomerAgain,
    /// An insert of a child of a parcel.
    Scan,
    /// A child of a parcel moves to another parcel.
    ScanMove,
    /// All children of a parcel move to another parcel.
    ScanMoveMany,
    /// A child of a parcel is deleted.
    ScanDelete,
    /// An insert of a holder of a parcel's label.
    Note,
    /// A holder of a parcel's label moves to another parcel.
    NoteMove,
    /// A holder of a parcel's label is deleted.
    NoteDelete,
    /// An insert of a node.
    Node,
    /// An insert of two nodes of the same parent.
    NodeTwo,
    /// A node moves below another node, perhaps below itself.
    NodeMove,
    /// All small nodes move below another node.
    NodeMoveMany,
    /// A node gets another name.
    NodeRename,
    /// All nodes get another name and another size.
    NodeMany,
    /// A node gets another size.
    NodeSize,
    /// A node is read, changed, moved and replaced.
    NodeReplace,
    /// An upsert by `_id`.
    NodeUpsert,
    /// A node is deleted, with or without children.
    NodeDelete,
}

/// A write of the whole database. No transaction contains this write.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Whole {
    /// A route is recomputed.
    Route,
    /// A customer is recomputed.
    Customer,
    /// A parcel is recomputed; a parcel is a child too.
    Parcel,
    /// A node is recomputed.
    Node,
    /// All nodes and all routes are recomputed.
    All,
    /// `recover`.
    Recover,
    /// `repair`.
    Repair,
}

impl Other {
    /// All writes.
    pub const ALL: [Other; 25] = {
        use Other as O;
        [
            O::Depot,
            O::DepotMany,
            O::DepotAgain,
            O::Carrier,
            O::CarrierReplace,
            O::CarrierAgain,
            O::RouteAgain,
            O::CustomerAgain,
            O::Scan,
            O::ScanMove,
            O::ScanMoveMany,
            O::ScanDelete,
            O::Note,
            O::NoteMove,
            O::NoteDelete,
            O::Node,
            O::NodeTwo,
            O::NodeMove,
            O::NodeMoveMany,
            O::NodeRename,
            O::NodeMany,
            O::NodeSize,
            O::NodeReplace,
            O::NodeUpsert,
            O::NodeDelete,
        ]
    };
}

/// Records the answer to an insert.
fn inserted(ledger: &mut Ledger, result: Result<()>, fact: Fact) -> Result<()> {
    ledger.add(result.as_ref().map_or_else(Answer::by, |()| Answer::Done), [(fact, 1)]);
    result
}

impl Other {
    /// Runs the write on the documents that the numbers select.
    ///
    /// # Errors
    /// The errors of the write.
    pub async fn run(self, [at, to, by]: [i64; 3], db: &impl Executor, ledger: &mut Ledger) -> Result<()> {
        let parcel = |number: i64| Ref::<Parcel>::new(1 + number.rem_euclid(SEVERAL.end - STAYING.start));
        let (small, below) = (1 + at.rem_euclid(4), (to % 4 != 0).then(|| Ref::<Node>::new(1 + to.rem_euclid(5))));
        let (size, f) = (by.rem_euclid(17), Node::F);
        match self {
            Other::Depot => Depot::update_by_id(depot_id(at)).set(Depot::F.name, name()).execute(db).await.map(drop),
            Other::DepotMany => {
                Depot::update_many(Filter::all()).set(Depot::F.name, name()).execute(db).await.map(drop)
            }
            Other::DepotAgain => {
                Depot::delete_by_id(db, &depot_id(at)).await?;
                Depot::insert(db, &depot(at)).await
            }
            Other::Carrier => {
                Carrier::update_by_id(text_id(at)).set(Carrier::F.name, name()).execute(db).await.map(drop)
            }
            Other::CarrierReplace => Carrier::replace(db, &carrier(at)).await,
            Other::CarrierAgain => {
                Carrier::delete_by_id(db, &text_id(at)).await?;
                Carrier::insert(db, &carrier(at)).await
            }
            Other::RouteAgain => {
                Route::delete_by_id(db, &route_id(at)).await?;
                Route::insert(db, &route(at)).await
            }
            Other::CustomerAgain => {
                Customer::delete_by_id(db, &text_id(at)).await?;
                Customer::insert(db, &customer(at)).await
            }
            Other::Scan => {
                inserted(ledger, Scan::insert(db, &scan(small, parcel(to).id().to_owned())).await, Fact::Scan(small))
            }
            Other::ScanMove => Scan::update_by_id(small).set(Scan::F.parcel, parcel(to)).execute(db).await.map(drop),
            Other::ScanMoveMany => {
                let of = Scan::update_many(Scan::F.parcel.eq(parcel(at)));
                of.set(Scan::F.parcel, parcel(to)).inc(Scan::F.minutes, by).execute(db).await.map(drop)
            }
            Other::ScanDelete => delete(ledger, Scan::delete_by_id(db, &small).await, Fact::Scan(small)),
            Other::Note => Note::insert(db, &note(small, parcel(to).id().to_owned())).await,
            Other::NoteMove => Note::update_by_id(small).set(Note::F.parcel, parcel(to)).execute(db).await.map(drop),
            Other::NoteDelete => Note::delete_by_id(db, &small).await.map(drop),
            Other::Node => {
                let parent = below.map(|below| *below.id());
                inserted(ledger, Node::insert(db, &node(small, parent)).await, Fact::Node(small))
            }
            Other::NodeTwo => {
                let (one, other, parent) = (small, small + 1, below.map(|below| *below.id()));
                let two = Node::insert_many(db, &[node(one, parent), node(other, parent)]).await;
                match &two {
                    Ok(()) => ledger.add(Answer::Done, [(Fact::Node(one), 1), (Fact::Node(other), 1)]),
                    Err(schema_runtime::Error::InsertMany { inserted, index, .. }) => {
                        let facts = [one, other].map(|id| (Fact::Node(id), 1));
                        ledger.add(Answer::Done, facts.into_iter().take(*inserted));
                        let answered = if index.is_some() { Answer::NotDone } else { Answer::Unknown };
                        ledger.add(answered, facts.into_iter().skip(*inserted));
                    }
                    Err(error) => ledger.add(Answer::by(error), [one, other].map(|id| (Fact::Node(id), 1))),
                }
                two
            }
            Other::NodeMove => Node::update_by_id(small).set(f.parent, below).execute(db).await.map(drop),
            Other::NodeMoveMany => {
                let many = Node::update_many(f.size.lt(size)).set(f.parent, below).inc(f.size, 1);
                many.execute(db).await.map(drop)
            }
            Other::NodeRename => Node::update_by_id(small).set(f.name, name()).execute(db).await.map(drop),
            Other::NodeMany => {
                Node::update_many(Filter::all()).set(f.name, name()).set(f.size, size).execute(db).await.map(drop)
            }
            Other::NodeSize => Node::update_by_id(small).set(f.size, size).execute(db).await.map(drop),
            Other::NodeReplace => {
                Node::get_by_id(db, &small).await?;
                Node::replace(db, &Node { size, ..node(small, below.map(|below| *below.id())) }).await
            }
            Other::NodeUpsert => {
                let upsert = Node::update_by_id(small).set(f.parent, below).set(f.name, name()).set(f.size, size);
                upsert_of(ledger, upsert.upsert().execute(db).await, Fact::Node(small))
            }
            Other::NodeDelete => delete(ledger, Node::delete_by_id(db, &small).await, Fact::Node(small)),
        }
    }
}

impl Whole {
    /// All writes of the whole database.
    pub const ALL: [Whole; 7] =
        [Whole::Route, Whole::Customer, Whole::Parcel, Whole::Node, Whole::All, Whole::Recover, Whole::Repair];

    pub(super) async fn run(self, at: i64, db: &Database) -> Result<()> {
        match self {
            Whole::Route => Route::recompute(db, &route_id(at)).await.map(drop),
            Whole::Customer => Customer::recompute(db, &text_id(at)).await.map(drop),
            Whole::Parcel => Parcel::recompute(db, &(1 + at.rem_euclid(4))).await.map(drop),
            Whole::Node => Node::recompute(db, &(1 + at.rem_euclid(4))).await.map(drop),
            Whole::All => {
                Node::recompute_all(db).await?;
                Route::recompute_all(db).await.map(drop)
            }
            Whole::Recover => schema().recover(db, &Throttle::new()).await.map(drop),
            Whole::Repair => schema().repair(db, &Throttle::new()).await.map(drop),
        }
    }
}
