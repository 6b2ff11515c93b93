//! The steps of a proof in their order, in either notation.

use std::io::Read;

use crate::limits::{Budget, Limits};
use crate::refusal::{Cause, Fault, ProofPosition, Refusal};
use crate::source::Source;
use crate::step::{Notation, Step};
use crate::{binary, text};

/// The steps of a proof.
pub(crate) struct Steps<R> {
    source: Source<R>,
    notation: Option<Notation>,
    /// The line that is read.
    line: u64,
}

impl<R: Read> Steps<R> {
    pub(crate) fn new(proof: R) -> Self {
        Self { source: Source::new(proof), notation: None, line: 1 }
    }

    /// The notation of the proof; `None` if the proof is empty.
    pub(crate) fn notation(&self) -> Option<Notation> {
        self.notation
    }

    /// The number of bytes that were taken, and in text the line.
    pub(crate) fn place(&self) -> (u64, Option<u64>) {
        let line = (self.notation == Some(Notation::Text)).then_some(self.line);
        (self.source.offset(), line)
    }

    /// Reads the next step, which has this number, and returns its place.
    pub(crate) fn next(
        &mut self,
        number: u64,
        step: &mut Step,
        limits: Limits,
        budget: &mut Budget,
    ) -> Result<ProofPosition, Refusal> {
        let found = self.seek();
        let (byte, line) = self.place();
        let place = ProofPosition { step: number, line, byte };
        if !found.map_err(|fault| fault.at(place, None))? {
            return Err(Refusal::Incomplete { place, torn: false });
        }
        if let Some(limit) = limits.steps.filter(|limit| number > *limit) {
            return Err(Refusal::GaveUp { place, cause: Cause::Steps { limit } });
        }
        self.read(step, budget).map_err(|fault| fault.at(place, None))?;
        Ok(place)
    }

    /// Goes to the beginning of the next step. Returns true if there is one.
    fn seek(&mut self) -> Result<bool, Fault> {
        if self.notation.is_none() {
            let Some(first) = self.source.peek()? else { return Ok(false) };
            // In text, a step begins with a number and a comment with another letter.
            let is_binary = matches!(first, b'a' | b'd');
            self.notation = Some(if is_binary { Notation::Binary } else { Notation::Text });
        }
        match self.notation {
            Some(Notation::Text) => text::seek(&mut self.source, &mut self.line),
            _ => Ok(self.source.peek()?.is_some()),
        }
    }

    /// Reads the step that begins here.
    fn read(&mut self, step: &mut Step, budget: &mut Budget) -> Result<(), Fault> {
        step.clear();
        match self.notation {
            Some(Notation::Text) => text::read(&mut self.source, step, budget),
            _ => binary::read(&mut self.source, step, budget),
        }
    }
}
