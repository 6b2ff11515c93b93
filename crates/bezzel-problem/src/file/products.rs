//! Products of literals in OPB files.
//!
//! A product is a variable of its own behind those of the file, defined by clauses: `p ↔ a ∧ b` is `¬p ∨ a`, `¬p ∨ b` and
//! `p ∨ ¬a ∨ ¬b`. So each solution of the file has one extension. The number of the file's variables has to be known:
//! a file with products is read twice.

use std::collections::HashMap;

use super::constraint::{ConstraintVisitor, MAX_VARIABLES, ParsedConstraint};
use crate::literal::{Candidate, Literal};
use crate::text::{FileError, Number, Position};

/// The products of a file.
#[derive(Debug, Default)]
pub(super) struct Products {
    /// The number of the file's variables, if it is known.
    variables: Option<u32>,
    /// True if a product was found, and this number is not known.
    is_open: bool,
    numbers: HashMap<Box<[Literal]>, Candidate>,
    list: Vec<Box<[Literal]>>,
}

impl Products {
    /// A file with this number of variables, if it is known, and no products yet.
    pub(super) fn new(variables: Option<u32>) -> Self {
        Self { variables, ..Self::default() }
    }

    /// True if the file is to be read again, with the number of its variables.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// The number of products so far.
    pub(super) fn len(&self) -> u32 {
        self.list.len() as u32
    }

    /// The products, the first of which is the variable behind those of the file.
    pub(super) fn into_list(self) -> Vec<Box<[Literal]>> {
        self.list
    }

    /// The literal of a product; none if it is always false. A new product gives its clauses first.
    pub(super) fn literal(
        &mut self,
        mut factors: Vec<Literal>,
        position: Position,
        each: ConstraintVisitor,
    ) -> Result<Option<Literal>, FileError> {
        factors.sort_unstable();
        factors.dedup();
        if let [single] = factors[..] {
            return Ok(Some(single));
        }
        let Some(variables) = self.variables else {
            self.is_open = true;
            return Ok(Some(factors[0]));
        };
        if factors.windows(2).any(|pair| pair[0].candidate() == pair[1].candidate()) {
            return Ok(None);
        }
        if let Some(&number) = self.numbers.get(&*factors) {
            return Ok(Some(Literal::chosen(number)));
        }
        let number = u64::from(variables) + self.list.len() as u64;
        if number >= MAX_VARIABLES {
            let message = format!("variables and products are more than {MAX_VARIABLES}");
            return Err(FileError::at(position, message));
        }
        let product = Literal::chosen(number as Candidate);
        let mut clause = ParsedConstraint::empty();
        (clause.position, clause.is_stated) = (position, false);
        let mut define = |literals: &mut dyn Iterator<Item = Literal>| {
            clause.clear();
            literals.for_each(|literal| clause.push(literal, Number::Small(1)));
            each(&mut clause)
        };
        for &factor in &factors {
            define(&mut [!product, factor].into_iter())?;
        }
        define(&mut factors.iter().map(|&factor| !factor).chain([product]))?;
        self.list.push(factors.clone().into());
        self.numbers.insert(factors.into(), number as Candidate);
        Ok(Some(product))
    }
}
