//! The lemmas of a solver as steps of the proof.

use std::collections::HashMap;
use std::io::Read;

use bezzel_encode::Lit;
use bezzel_encode::numbering::Images;
use bezzel_proof::{Derivation, Limits, ProofStep, each_step};

use super::{FileProofError, Writer};

/// The lines of the clauses that the solver has, by its numbers.
struct Clauses<'a> {
    lines: HashMap<u64, u64>,
    /// The lines of clauses of the formula without a number yet.
    formula: std::slice::Iter<'a, u64>,
    greatest: u64,
}

impl Clauses<'_> {
    /// Gives clauses of the formula the numbers below this one that are still free: a solver may derive clauses before it
    /// has all of the formula.
    fn number_below(&mut self, id: u64) {
        while self.greatest + 1 < id
            && let Some(&line) = self.formula.next()
        {
            self.greatest += 1;
            self.lines.insert(self.greatest, line);
        }
    }

    fn line(&self, id: i64) -> Option<u64> {
        self.lines.get(&u64::try_from(id).ok()?).copied()
    }
}

/// Writes the steps of a refutation of the clauses with these lines, whose variables are images of the encoder's. Returns the
/// line of the empty clause.
pub(super) fn write(
    writer: &mut Writer,
    formula: &[u64],
    images: &Images,
    variables: u32,
    proof: impl Read,
) -> Result<u64, FileProofError> {
    let mut own = vec![None; variables as usize];
    for (variable, image) in (0..).zip(images.range(0..variables)) {
        own[image.vidx()] = Some(Lit::positive(variable));
    }
    let own = |lit: i64| {
        let variable = usize::try_from(lit.unsigned_abs()).ok()?.checked_sub(1)?;
        let own = (*own.get(variable)?)?;
        Some(if lit < 0 { !own } else { own })
    };
    writer.proof.set_images(Vec::new(), writer.shift);
    let mut clauses = Clauses { lines: HashMap::new(), formula: formula.iter(), greatest: 0 };
    each_step(proof, Limits::default(), |step| {
        match step {
            ProofStep::Addition(Derivation { id, literals, hints }) => {
                clauses.number_below(id);
                let clause = literals.into_iter().map(own).collect::<Option<Vec<Lit>>>();
                let hints =
                    hints.iter().map(|&hint| clauses.line(hint)).collect::<Option<Vec<_>>>();
                let (clause, hints) = clause.zip(hints).ok_or(FileProofError::Step(id))?;
                let line = writer.proof.rup_by(&clause, &hints);
                clauses.greatest = id;
                clauses.lines.insert(id, line);
            }
            ProofStep::Deletion(ids) => {
                let ids: Vec<u64> =
                    ids.into_iter().filter_map(|id| u64::try_from(id).ok()).collect();
                clauses.number_below(ids.iter().max().map_or(0, |max| max + 1));
                let lines = ids.iter().filter_map(|id| clauses.lines.remove(id));
                // Lines of the file stay: some may be those of several clauses.
                let lines: Vec<u64> = lines.filter(|&line| line > writer.first).collect();
                writer.proof.delete(&lines);
            }
        }
        Ok::<(), FileProofError>(writer.flush()?)
    })?;
    Ok(writer.proof.last())
}
