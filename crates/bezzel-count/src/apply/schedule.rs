//! The order in which the terms of a circuit are conjoined.

use bezzel_problem::named;

named! {
    /// The order in which the terms of a circuit are conjoined: of Bryant's, its rows.
    #[derive(Default)]
    pub enum Schedule: "schedule" {
        /// One after the other from the bottom row up, each with all below it: as in the paper.
        #[default]
        Layers = "layers",
        /// The lower two thirds of the rows in this order; then the upper third, joined among themselves before. The
        /// widest of the conjunctions, those in the upper third, are therefore never made.
        TopTogether = "top-together",
    }
}

impl Schedule {
    /// The terms in groups; those of a group are joined before they are conjoined to the others.
    pub(super) fn groups<T>(self, terms: &[T]) -> impl Iterator<Item = &[T]> {
        let together = match self {
            Self::Layers => 0,
            Self::TopTogether => terms.len() / 3,
        };
        let (single, together) = terms.split_at(terms.len() - together);
        single.chunks(1).chain(std::iter::once(together))
    }
}
