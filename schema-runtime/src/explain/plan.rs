//! A plan from the server's `explain` of a `find` or an `aggregate`.

use mongodb::bson::{Bson, Document};

use crate::document;

/// The server's work for a read. A plan holds no values of the query.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The collection; empty for a pipeline that begins with its own documents.
    pub(crate) collection: String,
    /// The stages of the winning plan, from the last to the first; each stage with the name of the index, if the stage
    /// has an index.
    pub(crate) stages: Vec<String>,
    /// True when the plan reads every document of a collection.
    pub(crate) scans_collection: bool,
    /// True when the plan sorts in memory.
    pub(crate) sorts: bool,
    /// True when the server makes groups: the number of returned groups says nothing about the examined documents.
    pub(crate) groups: bool,
    /// True when the plan reads nothing, because the collection does not exist or nothing can match.
    pub(crate) reads_nothing: bool,
    /// True when a join does not report the examined keys and documents.
    pub(crate) unknown: bool,
    /// The number of examined keys of indexes.
    pub(crate) keys: u64,
    /// The number of examined documents.
    pub(crate) documents: u64,
    /// The number of returned documents.
    pub(crate) returned: u64,
    /// How many times the server wrote groups or sorted documents to the disk, since the memory of the stage was full.
    pub(crate) spills: u64,
    /// For an aggregation, the number of documents that the first stage examined, and the number that the first stage
    /// handed on, before the documents became groups.
    pub(crate) first: Option<(u64, u64)>,
}

impl Plan {
    pub(crate) fn of(explained: &Document) -> Self {
        let mut plan = Plan::default();
        plan.add(explained);
        plan
    }

    fn add(&mut self, explained: &Document) {
        if let Ok(planner) = explained.get_document("queryPlanner") {
            if let Some((_, collection)) = planner.get_str("namespace").ok().and_then(|name| name.split_once('.')) {
                self.collection = collection.to_owned();
            }
            self.add_stages(planner.get("winningPlan"));
        }
        if let Ok(counts) = explained.get_document("executionStats") {
            let before = self.documents;
            self.add_counts(counts);
            if let Ok(stages) = counts.get_document("executionStages") {
                self.spills += spills_inside(stages);
                self.first = grouped(stages).map(|handed_on| (self.documents - before, handed_on));
            }
            self.returned = document::count(counts.get("nReturned"));
        }
        for stage in explained.get_array("stages").into_iter().flatten().filter_map(Bson::as_document) {
            self.add_pipeline_stage(stage);
        }
        for shard in explained.get_document("shards").into_iter().flat_map(Document::values) {
            let returned = self.returned;
            shard.as_document().into_iter().for_each(|shard| self.add(shard));
            self.returned += returned;
        }
    }

    /// Adds a stage of an aggregation: the first stage holds the plan of a `find`, a `$lookup` has the counts of the
    /// examined keys and documents.
    fn add_pipeline_stage(&mut self, stage: &Document) {
        let Some(name) = stage.keys().next() else { return };
        if let Ok(find) = stage.get_document("$cursor") {
            let before = self.documents;
            self.add(find);
            if !self.groups {
                self.first = Some((self.documents - before, self.returned));
            }
        } else {
            self.stages.insert(0, name.clone());
        }
        self.sorts |= name == "$sort" && !self.groups;
        self.groups |= matches!(name.as_str(), "$group" | "$facet");
        self.scans_collection |= document::count(stage.get("collectionScans")) > 0;
        let counts = ["totalKeysExamined", "totalDocsExamined", "collectionScans"];
        let counted: u64 = counts.into_iter().map(|name| document::count(stage.get(name))).sum();
        self.unknown |= name == "$lookup" && counted == 0 && document::count(stage.get("nReturned")) > 0;
        self.add_counts(stage);
        self.spills += spills_of(stage);
        if stage.contains_key("nReturned") {
            self.returned = document::count(stage.get("nReturned"));
        }
    }

    fn add_counts(&mut self, counts: &Document) {
        self.keys += document::count(counts.get("totalKeysExamined"));
        self.documents += document::count(counts.get("totalDocsExamined"));
    }

    /// Adds the stages of a winning plan. Only the names of stages and of indexes are read: the rest may be values of
    /// the query.
    fn add_stages(&mut self, plan: Option<&Bson>) {
        let Some(plan) = plan.and_then(Bson::as_document) else { return };
        if let Ok(stage) = plan.get_str("stage") {
            let index = plan.get_str("indexName").map(|name| format!(" {name}")).unwrap_or_default();
            self.stages.push(format!("{stage}{index}"));
            self.groups |= stage == "GROUP";
            self.sorts |= stage == "SORT";
            self.reads_nothing |= stage == "EOF";
            let joins_by_scan = matches!(plan.get_str("strategy"), Ok("NestedLoopJoin" | "HashJoin"));
            self.scans_collection |= stage == "COLLSCAN" || joins_by_scan;
        }
        for inner in ["queryPlan", "winningPlan", "inputStage", "outerStage", "innerStage"] {
            self.add_stages(plan.get(inner));
        }
        for inner in ["inputStages", "shards"] {
            plan.get_array(inner).into_iter().flatten().for_each(|inner| self.add_stages(Some(inner)));
        }
    }
}

/// The names under which a stage holds the stages that hand documents on.
const INNER: [&str; 3] = ["inputStage", "outerStage", "innerStage"];

/// Returns how many times a stage wrote to the disk.
fn spills_of(stage: &Document) -> u64 {
    // The engine of each stage has a name of its own for the number.
    let spills = document::count(stage.get("spills")) + document::count(stage.get("numSpills"));
    if stage.get_bool("usedDisk").ok() == Some(true) { spills.max(1) } else { 0 }
}

fn spills_inside(stage: &Document) -> u64 {
    let inner = INNER.iter().filter_map(|name| stage.get_document(name).ok());
    spills_of(stage) + inner.map(spills_inside).sum::<u64>()
}

/// Returns the number of documents that the first `$group` of a plan took; `None` when the plan makes no groups.
fn grouped(stage: &Document) -> Option<u64> {
    let inner = stage.get_document("inputStage").ok()?;
    let of_inner = grouped(inner);
    let is_group = stage.get_str("stage").ok() == Some("group");
    of_inner.or_else(|| is_group.then(|| document::count(inner.get("nReturned"))))
}
