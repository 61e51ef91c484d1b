//! Snapshots of what the derives write, with a budget of lines.
