//! A cut-off: one encoding for short lines, another for long ones.
//!
//! *Idea.* Auxiliary variables pay only from some length on; every encoding has its crossover with
//! pairwise. Lines of fewer than `at` inputs are encoded by `short`, those of `at` inputs or more
//! by `long`.
//!
//! *Size, propagation, models.* Those of the one that encodes the line. *Source.* Common practice: every implementation
//! of product or commander ends its recursion in this way. *Departures.* None.

use std::sync::Arc;

use rustsat::types::Lit;

use super::AtMostOne;
use crate::info::EncodingInfo;
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone)]
pub struct Cutoff {
    /// Encodes fewer than `at` inputs.
    pub short: Arc<dyn AtMostOne>,
    /// Encodes `at` inputs or more.
    pub long: Arc<dyn AtMostOne>,
    /// The least number of inputs that `long` encodes.
    pub at: u32,
}

impl Cutoff {
    fn part(&self, inputs: u64) -> &dyn AtMostOne {
        if inputs < self.at.into() { &*self.short } else { &*self.long }
    }
}

impl AtMostOne for Cutoff {
    fn info(&self) -> EncodingInfo {
        let (short, long) = (self.short.info(), self.long.info());
        let id = format!("{{short: {}, long: {}, at: {}}}", short.id, long.id, self.at);
        EncodingInfo::of_parts(id, "cut-off by length", &[short, long])
    }

    fn size(&self, n: u64) -> Option<Size> {
        self.part(n).size(n)
    }

    fn exactly_one_size(&self, n: u64) -> Option<Size> {
        self.part(n).exactly_one_size(n)
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        self.part(xs.len() as u64).encode(xs, out);
    }

    fn exactly_one(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        self.part(xs.len() as u64).exactly_one(xs, out);
    }
}
