//! Measuring a formula without keeping it: the first pass of every job.

use std::collections::BTreeMap;

use rustsat::types::Lit;
use serde::{Deserialize, Serialize};

use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

/// Counts variables, clauses and literals, in all and per section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    variables: u32,
    primary: u32,
    sections: Vec<Section>,
    /// Clauses of one length tend to come in a row; counting the run costs one comparison each.
    run_length: usize,
    run: u64,
}

/// The size of one section of a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// What the encoding calls the section: `rows`, `diagonals`, `CONFLICT`.
    pub name: String,
    /// Variables first made in the section.
    pub variables: u64,
    /// The number of clauses of each length, length 0 included.
    pub lengths: BTreeMap<usize, u64>,
}

impl Section {
    /// The section's variables, clauses and literals.
    pub fn size(&self) -> Size {
        Size {
            variables: self.variables.into(),
            clauses: self.lengths.values().map(|&count| u128::from(count)).sum(),
            literals: self
                .lengths
                .iter()
                .map(|(&length, &count)| length as u128 * u128::from(count))
                .sum(),
        }
    }
}

impl Tally {
    /// An empty tally.
    pub fn new() -> Self {
        Self::default()
    }

    /// Variables, clauses and literals seen so far.
    pub fn size(&self) -> Size {
        self.clone().into_sections().iter().map(Section::size).sum()
    }

    /// The number of variables made by the first call of `fresh`: the primary ones.
    pub fn primary(&self) -> u32 {
        self.primary
    }

    /// The number of variables.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The sections in the order in which they began.
    pub fn into_sections(mut self) -> Vec<Section> {
        self.end_run();
        self.sections
    }

    fn current(&mut self) -> &mut Section {
        if self.sections.is_empty() {
            self.sections.push(Section { name: "rules".to_owned(), ..Section::default() });
        }
        self.sections.last_mut().expect("one was just pushed")
    }

    fn end_run(&mut self) {
        if self.run > 0 {
            let (length, run) = (self.run_length, self.run);
            *self.current().lengths.entry(length).or_default() += run;
            self.run = 0;
        }
    }
}

impl ClauseSink for Tally {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = VarRange::after(self.variables, count);
        if self.variables == 0 {
            self.primary = count;
        }
        self.variables += count;
        self.current().variables += u64::from(count);
        range
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        if lits.len() != self.run_length {
            self.end_run();
            self.run_length = lits.len();
        }
        self.run += 1;
    }

    fn section(&mut self, name: &'static str) {
        self.end_run();
        // A section that is taken up again goes on where it stopped.
        match self.sections.iter().position(|section| section.name == name) {
            Some(index) => {
                let section = self.sections.remove(index);
                self.sections.push(section);
            }
            None => {
                self.sections.push(Section { name: name.to_owned(), ..Section::default() });
            }
        }
    }
}
