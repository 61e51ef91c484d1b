//! The stored documents: two tasks and two persons. May use nothing.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Task {
    pub(crate) owner: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Person {
    /// The mirror: a bit for each task.
    pub(crate) tasks: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) tasks: [Option<Task>; 2],
    pub(crate) persons: [Option<Person>; 2],
}

/// A set of documents, a bit for each document.
pub(crate) type Documents = u8;

impl Person {
    pub(crate) fn owns(&self, task: usize) -> bool {
        self.tasks & 1 << task != 0
    }

    pub(crate) fn is_full(&self, bound: u32) -> bool {
        self.tasks.count_ones() >= bound
    }
}

impl World {
    /// Makes both persons, and the stored tasks with the owners.
    pub(crate) fn new(tasks: [Option<Option<usize>>; 2]) -> World {
        let tasks = tasks.map(|task| task.map(|owner| Task { owner }));
        let owned = |person: usize| {
            let is_of = |task: &usize| tasks[*task].is_some_and(|task| task.owner == Some(person));
            Some(Person { tasks: (0..2).filter(is_of).fold(0, |all, task| all | 1 << task) })
        };
        World { tasks, persons: [owned(0), owned(1)] }
    }

    /// Returns the documents that differ between both worlds. An update without a change counts as no write.
    pub(crate) fn differs(&self, other: &World) -> Documents {
        let tasks = (0..2).filter(|task| self.tasks[*task] != other.tasks[*task]).map(|task| 1 << task);
        let persons = (0..2).filter(|person| self.persons[*person] != other.persons[*person]);
        tasks.chain(persons.map(|person| 4 << person)).sum()
    }

    /// Takes these documents from another world.
    pub(crate) fn take(&mut self, documents: Documents, other: &World) {
        for number in 0..2 {
            if documents & 1 << number != 0 {
                self.tasks[number] = other.tasks[number];
            }
            if documents & 4 << number != 0 {
                self.persons[number] = other.persons[number];
            }
        }
    }

    /// Returns whether a task has an owner exactly when the task is in the mirror of the owner.
    pub(crate) fn both_ends_agree(&self) -> bool {
        let owns = |person: usize, task: usize| self.persons[person].is_some_and(|person| person.owns(task));
        let is_of = |person: usize, task: usize| self.tasks[task].is_some_and(|task| task.owner == Some(person));
        (0..2).all(|person| {
            self.persons[person].is_none() || (0..2).all(|task| owns(person, task) == is_of(person, task))
        })
    }

    pub(crate) fn is_within(&self, bound: u32) -> bool {
        self.persons.iter().flatten().all(|person| person.tasks.count_ones() <= bound)
    }

    pub(crate) fn owners_are_there(&self) -> bool {
        self.tasks.iter().flatten().all(|task| task.owner.is_none_or(|owner| self.persons[owner].is_some()))
    }
}
