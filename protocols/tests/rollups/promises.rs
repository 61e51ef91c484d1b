//! The promises of a state. May use `model`, `client`, `operation`, `world`.

use crate::{
    client::{APPLIES, Answer, Client, Progress},
    model::{Rollups, State},
    operation::{Member, Task, Write},
    world::{PARENTS, child_bit},
};

/// Returns whether the promises are due: a parent that is wrong at the start has to be right after a recompute is done.
pub(crate) fn are_due(model: &Rollups, state: &State) -> bool {
    !model.is_wrong || state.clients.iter().any(|client| client.has_recomputed)
}

/// Stops all clients, after the server has ended all transactions. An hour later `recover` runs alone, and a recompute
/// of a wrong parent. Returns whether the result is exact.
pub(crate) fn converges(model: &Rollups, state: &State) -> bool {
    let mut tasks: Vec<Task> = Vec::new();
    if model.is_wrong {
        tasks.extend((0..PARENTS).map(Task::Recompute));
    }
    tasks.push(Task::Drop);
    tasks.extend((0..PARENTS).map(|parent| Task::Fold { parent, lost: false, bound: usize::MAX }));
    let recover = Client::new(model.clients.len(), tasks);
    let mut alone = State { world: state.world.clone(), clients: vec![recover] };
    while !alone.is_done() {
        alone.step(0, &model.protocol);
    }
    alone.world.is_exact()
}

/// Returns whether each member of a group has written all children once, or none.
pub(crate) fn is_whole(model: &Rollups, state: &State) -> bool {
    members(model).all(|member| {
        let done = usize::from(state.world.done[member.number]);
        done == 0 || done == member.writes.len()
    })
}

pub(crate) fn answers_are_true(model: &Rollups, state: &State) -> bool {
    state.clients.iter().flat_map(|client| &client.answers).all(|(number, answer)| {
        let done = state.world.done[*number] > 0;
        match answer {
            Answer::Written => done,
            Answer::Unchanged | Answer::Conflict => !done,
            Answer::Refused => !done && has_reason(model, state, *number),
        }
    })
}

/// Returns whether a refusal has a reason: another member inserts a child of this member, or a parent is missing.
fn has_reason(model: &Rollups, state: &State, number: usize) -> bool {
    if is_strict(model) && [model.world.parents, state.world.parents].concat().contains(&None) {
        return true;
    }
    let inserts = |member: &Member, child: usize| {
        let mut writes = member.writes.iter();
        writes.any(|write| write.child() == child && matches!(write, Write::Insert { .. }))
    };
    let others = || members(model).filter(|other| other.number != number && state.world.done[other.number] > 0);
    let own = members(model).find(|member| member.number == number);
    let mut children = own.into_iter().flat_map(|member| member.writes.iter().map(Write::child));
    children.any(|child| model.world.children[child].is_some() || others().any(|other| inserts(other, child)))
}

/// Returns whether a write ends without a conflict while all further clients stand still, unless another client writes
/// the same children.
pub(crate) fn goes_on(model: &Rollups, state: &State) -> bool {
    (0..state.clients.len()).all(|number| {
        let client = &state.clients[number];
        let Some(Task::Group(group)) = client.tasks.last() else { return true };
        let mut children = group.members.iter().flat_map(|member| member.writes.iter().map(Write::child));
        let others = state.written_by_others(number);
        if group.strict
            || matches!(client.progress, Progress::Asking { .. })
            || children.any(|child| others & child_bit(child) != 0)
        {
            return true;
        }
        let tasks = client.tasks.len();
        let mut alone = state.clone();
        alone.clients[number].tries = client.tries.min(APPLIES);
        let is_under_way = |of: &Client| of.tasks.len() >= tasks && matches!(of.tasks.last(), Some(Task::Group(_)));
        while is_under_way(&alone.clients[number]) {
            if !alone.step(number, &model.protocol) {
                return false;
            }
        }
        let (before, after) = (client.answers.len(), &alone.clients[number].answers);
        after[before..].iter().all(|(_, answer)| *answer != Answer::Conflict)
    })
}

/// Returns whether no child dangles in a run where children may not dangle.
pub(crate) fn none_dangles(model: &Rollups, state: &State) -> bool {
    let mut children = state.world.children.iter().flatten();
    !is_strict(model) || children.all(|child| state.world.parents[child.parent].is_some())
}

fn is_strict(model: &Rollups) -> bool {
    let mut tasks = model.clients.iter().flat_map(|client| &client.tasks);
    tasks.any(|task| matches!(task, Task::Group(group) if group.strict))
}

fn members(model: &Rollups) -> impl Iterator<Item = &Member> {
    let tasks = model.clients.iter().flat_map(|client| &client.tasks);
    tasks.filter_map(|task| if let Task::Group(group) = task { Some(&group.members) } else { None }).flatten()
}
