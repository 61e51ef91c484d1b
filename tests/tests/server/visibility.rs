//! Commands that a person sees: lines for `mongosh`, previews, slow commands.

mod lines;
mod notation;
mod previews;
mod slow;
