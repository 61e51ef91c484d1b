//! The maintenance of links: one-sided links are found, and the mirror follows the truth. Reaches the server.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document};

use super::effect::Links;
use super::{
    link::links_from,
    one_sided_link::{End, OneSided, ends},
    repair::follow_truth,
};
use crate::{
    definition::ModelDefinition,
    derived::maintenance::{Fault, Maintenance, MaintenanceKind, Place, Task},
    error::Result,
    executor::Context,
    read::Walk,
};

impl Maintenance for Links {
    fn places(&self, models: &[&'static ModelDefinition], task: Task) -> Vec<Box<dyn Place>> {
        if let Task::Backfill = task {
            return Vec::new();
        }
        let links = models.iter().flat_map(|model| links_from(model));
        links.flat_map(ends).map(|end| -> Box<dyn Place> { Box::new(end) }).collect()
    }
}

impl OneSided {
    fn into_fault(self) -> Fault {
        let (kind, id, related) = match self.in_truth {
            true => (MaintenanceKind::UnmirroredLink, self.truth, self.mirror),
            false => (MaintenanceKind::LinkOfMirror, self.mirror, self.truth),
        };
        Fault { kind, id, related: Some(related) }
    }

    fn of(fault: &Fault) -> Self {
        let (id, related) = (fault.id.clone(), fault.related.clone().unwrap_or(Bson::Null));
        match fault.kind {
            MaintenanceKind::UnmirroredLink => OneSided { truth: id, mirror: related, in_truth: true },
            _ => OneSided { truth: related, mirror: id, in_truth: false },
        }
    }
}

impl Place for End {
    fn name(&self) -> (&'static str, String) {
        (self.link.truth.model, self.link.relation.field.to_owned())
    }

    fn walk(&self, context: &Context) -> Walk {
        self.documents(context)
    }

    fn faults<'a>(&'a mut self, context: &'a Context, chunk: Vec<Document>) -> BoxFuture<'a, Result<Vec<Fault>>> {
        Box::pin(async move {
            let found = self.one_sided(context, &chunk).await?;
            Ok(found.into_iter().map(OneSided::into_fault).collect())
        })
    }

    fn rewrite<'a>(&'a self, context: &'a Context, fault: &'a Fault) -> BoxFuture<'a, Result<Option<u64>>> {
        Box::pin(async move {
            let changed = follow_truth(context, self.link, &OneSided::of(fault)).await?;
            Ok(Some(u64::from(changed)))
        })
    }
}
