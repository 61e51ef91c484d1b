//! MongoDB's update operators.

/// An update operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Set,
    SetOnInsert,
    Unset,
    Inc,
    Mul,
    Min,
    Max,
    Push,
    AddToSet,
    PullAll,
    Pull,
    Pop,
    Rename,
    Bit,
    CurrentDate,
    /// Sets the field to the value of an expression. The server has no such operator: an update with an expression is
    /// sent as a pipeline.
    SetExpression,
}

/// All operators of the server.
const ALL: [Operator; 15] = [
    Operator::Set,
    Operator::SetOnInsert,
    Operator::Unset,
    Operator::Inc,
    Operator::Mul,
    Operator::Min,
    Operator::Max,
    Operator::Push,
    Operator::AddToSet,
    Operator::PullAll,
    Operator::Pull,
    Operator::Pop,
    Operator::Rename,
    Operator::Bit,
    Operator::CurrentDate,
];

impl Operator {
    /// Returns the operator with a name of the server, as `$set`; `None` for a name that is no operator.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        ALL.into_iter().find(|operator| operator.name() == name)
    }

    /// Returns the server's name of the operator.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Operator::Set => "$set",
            Operator::SetOnInsert => "$setOnInsert",
            Operator::Unset => "$unset",
            Operator::Inc => "$inc",
            Operator::Mul => "$mul",
            Operator::Min => "$min",
            Operator::Max => "$max",
            Operator::Push => "$push",
            Operator::AddToSet => "$addToSet",
            Operator::PullAll => "$pullAll",
            Operator::Pull => "$pull",
            Operator::Pop => "$pop",
            Operator::Rename => "$rename",
            Operator::Bit => "$bit",
            Operator::CurrentDate => "$currentDate",
            Operator::SetExpression => "set_expr",
        }
    }

    /// Returns whether the operator adds elements to an array.
    pub(crate) const fn grows(self) -> bool {
        matches!(self, Operator::Push | Operator::AddToSet)
    }

    /// Returns whether the operand is a list of elements of the array at the path.
    pub(crate) const fn takes_elements(self) -> bool {
        matches!(self, Operator::Push | Operator::AddToSet | Operator::PullAll)
    }

    /// Returns whether the operand is a value of the field at the path, or an amount of the type of the field.
    pub(crate) const fn takes_value(self) -> bool {
        matches!(
            self,
            Operator::Set | Operator::SetOnInsert | Operator::Inc | Operator::Mul | Operator::Min | Operator::Max
        )
    }

    /// Returns whether the operator writes the operand as the value, or as elements, without a computation by the
    /// server.
    pub(crate) const fn puts(self) -> bool {
        matches!(self, Operator::Set | Operator::SetOnInsert | Operator::Push)
    }

    /// Returns whether the operator only removes values.
    pub(crate) const fn removes(self) -> bool {
        matches!(self, Operator::Unset | Operator::Pull | Operator::PullAll | Operator::Pop)
    }
}
