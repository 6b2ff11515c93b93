//! `bezzel encoder`: an encoder as a program, which reads requests and writes clauses.
//!
//! It is the other side of the protocol of [programs that encode](bezzel_experiment::program), and takes more requests.
//! No formula is kept: an encoder writes its clauses into the output.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;
use std::sync::Arc;

use bezzel_encode::amk::{AtMostK, Limit};
use bezzel_encode::format::dimacs;
use bezzel_encode::format::marshal::MarshalWriter;
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::sink::{MAX_VARIABLES, with_guard};
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{
    AtMostOne, ClauseSink, EncodingInfo, FormulaStats, InputOrder, Lit, Shape, Size,
};
use bezzel_experiment::quantity::{grouped, memory};
use bezzel_experiment::{Catalog, program};

use super::encoder_request::{Request, StatedRequest};
use super::repeated::MergedConstraint;
use crate::arguments::{AnswerFormat, BY_SHAPE, EncoderArguments, MAX_CLAUSES};
use crate::failure::{CommandResult, Failure};

/// The name of a choice by the shape of each request.
const DEFAULT: &str = "default";

/// The largest answer, with 4 bytes for each literal and each end of a clause.
const MAX_BYTES: u128 = 100 << 30;

/// The largest number of clauses of a list in the format of `marshal`.
const MAX_LIST: u128 = i32::MAX as u128;

pub(crate) fn run(
    arguments: &EncoderArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let order = arguments.input_order;
    if !order.is_of_one_group() || order == InputOrder::ReversedAlternate {
        return Err(Failure::Input(format!(
            "--input-order {order}: it is an order of all constraints of a problem, and a request is one of them; take \
             as-stated, reversed or random:SEED, or `bezzel encode FILE`"
        )));
    }
    let encoders = match &*arguments.id {
        DEFAULT => BY_SHAPE.map(|id| Encoder::find(id, catalog)).into_iter().collect(),
        id => Encoder::find(id, catalog).map(|found| vec![found]),
    }?;
    let unread = |error: io::Error| Failure::Input(format!("cannot read stdin: {error}"));
    let mut lines = io::stdin().lock().lines();
    let first = lines.next().transpose().map_err(unread)?.unwrap_or_default();
    if first.trim_end() != program::GREETING {
        return Err(Failure::Input(format!(
            "the first line of stdin is `{first}`: it must be `{}`, the version of the protocol",
            program::GREETING
        )));
    }
    let mut answers = Answers::new(arguments.format, out)?;
    for (number, line) in (1_u64..).zip(lines) {
        let line = line.map_err(unread)?;
        let fault = |what: String| Failure::Input(format!("request {number}, `{line}`: {what}"));
        let stated = StatedRequest::read(&line).map_err(fault)?;
        let (encoder, request) =
            chosen(&encoders, &stated, arguments.input_order).map_err(fault)?;
        let size = encoder.size(&request, arguments.format).map_err(fault)?;
        answers.write(encoder, &request, size)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The encoder of a request, and the request for it. Several encoders are those of [`BY_SHAPE`].
fn chosen<'a>(
    encoders: &'a [Encoder],
    stated: &StatedRequest,
    order: InputOrder,
) -> Result<(&'a Encoder, Request), String> {
    let request_for = |encoder: &Encoder| stated.request(encoder.sums().is_some(), order);
    let encoder = match encoders {
        [only] => only,
        [at_most_one, larger, ..] if stated.is_count() => {
            if stated.is_of_one() {
                at_most_one
            } else {
                larger
            }
        }
        [.., strongest, smallest] => {
            let size = strongest.stated(&request_for(strongest)?);
            if size.is_some_and(|size| size.clauses <= MAX_CLAUSES) { strongest } else { smallest }
        }
        others => unreachable!("{} encoders", others.len()),
    };
    Ok((encoder, request_for(encoder)?))
}

/// The writer of the answers.
enum Answers<'a> {
    Dimacs(&'a mut dyn Write),
    Lists(MarshalWriter<File>),
}

impl<'a> Answers<'a> {
    fn new(format: AnswerFormat, out: &'a mut dyn Write) -> io::Result<Self> {
        if format == AnswerFormat::Dimacs {
            return Ok(Self::Dimacs(out));
        }
        // `out` is line-buffered: it would write an answer in two parts.
        let stdout = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        Ok(Self::Lists(MarshalWriter::new(stdout)))
    }

    /// Writes the answer to a request, whose size is known.
    fn write(&mut self, encoder: &Encoder, request: &Request, size: Size) -> Result<(), Failure> {
        let (variables, clauses) = match self {
            Self::Dimacs(out) => {
                writeln!(out, "p cnf {} {}", size.variables, size.clauses)?;
                let mut writer = dimacs::Writer::new(&mut **out);
                encoder.encode(request, &mut writer);
                let written = (writer.variables(), writer.clauses());
                writer.finish()?.flush()?;
                written
            }
            Self::Lists(writer) => {
                writer.begin(size)?;
                encoder.encode(request, writer);
                writer.end()?;
                (writer.variables(), writer.clauses())
            }
        };
        if (u128::from(variables), u128::from(clauses)) != (size.variables, size.clauses) {
            return Err(Failure::Work(format!(
                "the header states {} variables and {} clauses, and the encoder made {variables} and {clauses}",
                size.variables, size.clauses
            )));
        }
        Ok(())
    }
}

/// An encoder of at most one, and perhaps of larger bounds and of sums.
struct Encoder(Arc<dyn AtMostOne>);

impl Encoder {
    /// Finds the encoder with this name.
    fn find(name: &str, catalog: &Catalog) -> Result<Self, Failure> {
        match catalog.encodings.find(name).map_err(Failure::input)? {
            NamedEncoding::AtMostOne(found) => Ok(Self(found)),
            NamedEncoding::Mixture(_) | NamedEncoding::Whole(_) => Err(Failure::Input(format!(
                "`{name}` encodes more than one constraint: name an encoding of lines, as \
                 `product`, `commander:3` or `{{short: pairwise, long: product, at: 7}}`"
            ))),
        }
    }

    /// The encoder of sums.
    fn sums(&self) -> Option<&dyn AtMostOne> {
        Some(&*self.0).filter(|encoder| encoder.of_sums().is_some())
    }

    /// True if the encoder does not have the bound of a count.
    fn lacks(&self, constraint: &MergedConstraint) -> bool {
        self.0.of_bounds().is_none() && bound(constraint) > Some(1)
    }

    /// The size that the encoder states; none if it states none, or refuses a sum.
    fn stated(&self, request: &Request) -> Option<Size> {
        let sizes = request.constraints.iter().map(|constraint| match Form::of(constraint) {
            Form::Count if self.lacks(constraint) => None,
            Form::Count => constraint.limit.size(self, constraint.terms.len() as u64, constraint.k),
            Form::Sum(sum) => sum.size(self.sums()?),
        });
        sizes.sum()
    }

    /// The reason why the encoder does not take a constraint: a bound that it does not have, or a sum that is too large.
    fn refuse(&self, constraint: &MergedConstraint) -> Result<(), String> {
        let n = constraint.terms.len() as u64;
        match Form::of(constraint) {
            Form::Count if self.lacks(constraint) => Err(format!(
                "it needs at most {} of {n} literals, and `{}` encodes at most one alone: take an encoder of \
                 docs/at-most-k.md",
                bound(constraint).unwrap_or_default(),
                self.0.info().id
            )),
            Form::Sum(sum) if self.sums().and_then(|sums| sum.size(sums)).is_none() => {
                Err(format!(
                    "the sum is too large for `{}`: more than 100,000,000 clauses, or a diagram or a totalizer that is too \
                 large; `adder-network` grows with the digits of the weights alone",
                    self.0.info().id
                ))
            }
            _ => Ok(()),
        }
    }

    /// The size of the answer, the variables before the auxiliary ones included. Refuses what the encoder does not take,
    /// and an answer that is too large.
    fn size(&self, request: &Request, format: AnswerFormat) -> Result<Size, String> {
        let stated = self.stated(request);
        if stated.is_none() {
            request.constraints.iter().try_for_each(|constraint| self.refuse(constraint))?;
        }
        let stated = stated.filter(|_| request.guard.is_none());
        let mut size = stated.unwrap_or_else(|| self.counted(request));
        if stated.is_some() {
            let units = request.constraints.iter().map(|constraint| constraint.units.len() as u128);
            size += Size::new(0, 1, 1) * units.sum::<u128>();
        }
        size.variables += u128::from(request.top);
        let bytes = 4 * (size.clauses + size.literals);
        if bytes > MAX_BYTES {
            return Err(format!(
                "the answer has {} clauses, about {}; at most {} are written: take another encoder",
                grouped(size.clauses),
                memory(bytes),
                memory(MAX_BYTES)
            ));
        }
        if format == AnswerFormat::Marshal && size.clauses > MAX_LIST {
            return Err(format!(
                "the answer has {} clauses, and a list of `--format marshal` at most {}: take `--format dimacs`",
                grouped(size.clauses),
                grouped(MAX_LIST)
            ));
        }
        if size.variables > u128::from(MAX_VARIABLES) {
            return Err(format!(
                "the answer has {} variables; a formula has at most {}: take a smaller TOP or another encoder",
                grouped(size.variables),
                grouped(MAX_VARIABLES.into())
            ));
        }
        Ok(size)
    }

    /// The auxiliary variables, clauses and literals of the request, which is encoded for this. They do not depend on
    /// TOP, and with a large one the formula could have too many variables.
    fn counted(&self, request: &Request) -> Size {
        let mut places: HashMap<u32, u32> = HashMap::new();
        let mut placed = |lit: Lit| {
            let next = places.len() as u32;
            Lit::new(*places.entry(lit.vidx32()).or_insert(next), lit.is_neg())
        };
        let constraints = request.constraints.iter().map(|constraint| {
            let units = constraint.units.iter().map(|&unit| placed(unit)).collect();
            let terms = constraint.terms.iter().map(|&(lit, weight)| (placed(lit), weight));
            MergedConstraint { units, terms: terms.collect(), ..*constraint }
        });
        let constraints = constraints.collect();
        let guard = request.guard.map(placed);
        let top = places.len() as u32;
        let mut stats = FormulaStats::new();
        self.encode(&Request { constraints, top, guard }, &mut stats);
        let size = stats.size();
        Size { variables: size.variables - u128::from(top), ..size }
    }

    /// Writes the clauses of the request.
    fn encode(&self, request: &Request, out: &mut dyn ClauseSink) {
        out.fresh(request.top);
        with_guard(request.guard, out, |out| {
            for constraint in &request.constraints {
                for &unit in &constraint.units {
                    out.clause(&[unit]);
                }
                let lits: Vec<Lit> = constraint.terms.iter().map(|(lit, _)| *lit).collect();
                match Form::of(constraint) {
                    Form::Count => constraint.limit.encode(self, &lits, constraint.k, out),
                    Form::Sum(sum) => {
                        sum.encode(self.sums().expect("`size` refuses others"), &lits, out);
                    }
                }
            }
        });
    }
}

/// The form of a constraint: a count if all weights are 1.
enum Form {
    Count,
    Sum(SumLimit),
}

impl Form {
    fn of(constraint: &MergedConstraint) -> Self {
        let weights: Vec<u64> = constraint.terms.iter().map(|(_, weight)| *weight).collect();
        if weights.iter().all(|&weight| weight == 1) {
            return Self::Count;
        }
        Self::Sum(SumLimit { weights, limit: constraint.limit, bound: constraint.k })
    }
}

/// The largest k of an at most k, 1 ≤ k < n, by which a count is encoded; none if it is clauses without an encoder.
fn bound(constraint: &MergedConstraint) -> Option<u64> {
    let (n, k) = (constraint.terms.len() as u64, constraint.k);
    match constraint.limit {
        Limit::AtMost => (1..n).contains(&k).then_some(k),
        Limit::AtLeast => (2..n).contains(&k).then(|| n - k),
        Limit::Exactly if k == 1 => (n > 1).then_some(1),
        Limit::Exactly => (2..n).contains(&k).then(|| k.max(n - k)),
    }
}

/// Its at most one and exactly one are those of the encoding of lines.
impl AtMostK for Encoder {
    fn about(&self) -> EncodingInfo {
        self.0.info()
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        Shape { n, limit: Limit::AtMost, k }.size(&*self.0)
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        Shape { n: xs.len() as u64, limit: Limit::AtMost, k }.encode(&*self.0, xs, out);
    }

    fn exactly_size(&self, n: u64, k: u64) -> Option<Size> {
        Shape { n, limit: Limit::Exactly, k }.size(&*self.0)
    }

    fn exactly(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        Shape { n: xs.len() as u64, limit: Limit::Exactly, k }.encode(&*self.0, xs, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Python asks `bezzel encoder default`. The evidence is compared with the same constants.
    #[test]
    fn a_request_without_a_name_gets_the_default_of_its_shape() {
        let catalog = bezzel_queens::experiment::catalog();
        let encoders: Result<Vec<_>, _> =
            BY_SHAPE.map(|id| Encoder::find(id, &catalog)).into_iter().collect();
        let encoders = encoders.unwrap();
        for (request, shape) in [
            ("at-most 1 5", 0),
            ("exactly 1 50", 0),
            ("at-least 1 50", 0),
            ("at-most 2 5", 1),
            ("sum at-most 4 3 2 3 4", 2),
            ("sum at-most 400 3 200 300 400", 2),
        ] {
            let stated = StatedRequest::read(request).unwrap();
            let (found, _) = chosen(&encoders, &stated, InputOrder::default()).unwrap();
            assert_eq!(found.0.info().id, BY_SHAPE[shape], "{request}");
        }
    }
}
