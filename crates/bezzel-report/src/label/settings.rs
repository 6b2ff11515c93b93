//! The settings that all encodings of a report have, which their labels leave out.

use bezzel_encode::{Blocked, Constraints, Settings, Symmetry};
use bezzel_lab::job::encoding_label;
use bezzel_lab::{Job, NO_ENCODING, Row};

/// What is set alike for all encodings.
#[derive(Debug, Default)]
pub(super) struct SetAlike {
    /// The settings that all have; at their defaults those in which some differ.
    settings: Settings,
    /// Whether some encodings have their own set of constraints, and none is set for them.
    some_have_their_own: bool,
}

impl SetAlike {
    /// Finds out what these rows have in common, each setting by itself.
    pub(super) fn new(rows: &[Row]) -> Self {
        // What reads the board alone has no settings that could differ.
        let encoded = || rows.iter().map(|row| &row.job).filter(|job| job.encoding != NO_ENCODING);
        let settings = Settings {
            constraints: alike(encoded().filter_map(|job| job.constraints)),
            blocked: alike(encoded().map(|job| job.blocked)),
            symmetry: alike(encoded().map(|job| job.symmetry)),
        };
        let some_have_their_own = encoded().any(|job| job.constraints.is_none());
        Self { settings, some_have_their_own }
    }

    /// The label of a job's encoding: its id, with the settings that are neither at their defaults nor
    /// those of all.
    pub(super) fn label(&self, job: &Job) -> String {
        let (own, all) = (job.settings(), self.settings);
        let told = Settings {
            constraints: unless(all.constraints, own.constraints),
            blocked: unless(all.blocked, own.blocked),
            symmetry: unless(all.symmetry, own.symmetry),
        };
        encoding_label(&job.encoding, told)
    }

    /// What the labels leave out, in whole sentences: `All encodings state no-column-alo: rows exactly
    /// one, columns and diagonals at most one.`
    pub(super) fn told(&self) -> Option<String> {
        let Settings { constraints, blocked, symmetry } = self.settings;
        let who = if self.some_have_their_own {
            "All encodings that leave it open"
        } else {
            "All encodings"
        };
        let stated = (constraints != Constraints::default())
            .then(|| format!("{who} state {constraints}: {}.", constraints.describe()));
        let blocked = (blocked != Blocked::default()).then(|| format!("blocked {blocked}"));
        let symmetry = (symmetry != Symmetry::default()).then(|| format!("symmetry {symmetry}"));
        let under: Vec<String> = blocked.into_iter().chain(symmetry).collect();
        let under = (!under.is_empty())
            .then(|| format!("All encodings are under {}.", under.join(" and ")));
        let told: Vec<String> = stated.into_iter().chain(under).collect();
        (!told.is_empty()).then(|| told.join(" "))
    }
}

/// What all have; the default if they differ, or if there are none.
fn alike<T: Default + PartialEq>(mut values: impl Iterator<Item = T>) -> T {
    let first = values.next().unwrap_or_default();
    if values.all(|value| value == first) { first } else { T::default() }
}

/// One's own, unless all have it: then the default, of which no label tells.
fn unless<T: Copy + Default + PartialEq>(all: T, own: T) -> T {
    if own == all { T::default() } else { own }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::solved;

    /// A row of an encoding under settings; without constraints where it has its own set.
    fn set(
        encoding: &str,
        constraints: Option<Constraints>,
        blocked: Blocked,
        symmetry: Symmetry,
    ) -> Row {
        let mut row = solved(1.0);
        let job = &mut row.job;
        job.encoding = encoding.into();
        (job.constraints, job.blocked, job.symmetry) = (constraints, blocked, symmetry);
        row
    }

    fn stated(encoding: &str, constraints: Option<Constraints>) -> Row {
        set(encoding, constraints, Blocked::Units, Symmetry::None)
    }

    /// The labels of the rows' encodings, and what is told of all.
    fn labelled(rows: &[Row]) -> (String, Option<String>) {
        let alike = SetAlike::new(rows);
        let labels: Vec<_> = rows.iter().map(|row| alike.label(&row.job)).collect();
        (labels.join("; "), alike.told())
    }

    #[test]
    fn settings_that_all_encodings_have_go_without_a_word_and_are_told_once() {
        let less = Some(Constraints::NoColumnAlo);
        // Who reads the board alone is no encoding, and sets nothing.
        let mut rows =
            vec![stated("pairwise", less), stated("product", less), stated(NO_ENCODING, None)];
        let (labels, told) = labelled(&rows);
        assert_eq!(labels, "pairwise; product; none");
        let what = "state no-column-alo: rows exactly one, columns and diagonals at most one.";
        assert_eq!(told, Some(format!("All encodings {what}")));
        // What has its own set neither takes part nor is spoken of.
        rows.push(stated("bryant-circuit", None));
        let (labels, told) = labelled(&rows);
        assert_eq!(labels, "pairwise; product; none; bryant-circuit");
        assert_eq!(told, Some(format!("All encodings that leave it open {what}")));
        rows.push(stated("product", Some(Constraints::Full)));
        let (labels, told) = labelled(&rows);
        let whole =
            "pairwise (no-column-alo); product (no-column-alo); none; bryant-circuit; product";
        assert_eq!((labels.as_str(), told), (whole, None));
        // What is at its default is in no label, and goes without a remark.
        let default = [stated("pairwise", Some(Constraints::Full))];
        assert_eq!(labelled(&default), ("pairwise".into(), None));
    }

    #[test]
    fn each_setting_is_left_out_by_itself() {
        let (full, minimal) = (Some(Constraints::Full), Some(Constraints::Minimal));
        let rows = [
            set("pairwise", minimal, Blocked::Units, Symmetry::HalfBoard),
            set("product", full, Blocked::Units, Symmetry::HalfBoard),
        ];
        let (labels, told) = labelled(&rows);
        assert_eq!(labels, "pairwise (minimal); product");
        assert_eq!(told.as_deref(), Some("All encodings are under symmetry half-board."));
        let rows = [full, minimal]
            .map(|constraints| set("product", constraints, Blocked::Simplified, Symmetry::Full));
        let (labels, told) = labelled(&rows);
        assert_eq!(labels, "product; product (minimal)");
        let under = "All encodings are under blocked simplified and symmetry full.";
        assert_eq!(told.as_deref(), Some(under));
    }
}
