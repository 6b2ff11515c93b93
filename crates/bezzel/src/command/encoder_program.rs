//! `bezzel encoder`: an encoder as a program, which reads requests and writes clauses.
//!
//! It is the other side of the protocol of [programs that encode](bezzel_experiment::program), and takes more requests.
//! No formula is kept: an encoder writes its clauses into the output.

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;
use std::sync::Arc;

use bezzel_encode::amk::{AtMostK, Limit};
use bezzel_encode::format::dimacs;
use bezzel_encode::format::marshal::MarshalWriter;
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::sink::MAX_VARIABLES;
use bezzel_encode::{AtMostOne, ClauseSink, EncodingInfo, FormulaStats, InputOrder, Lit, Size};
use bezzel_experiment::quantity::{grouped, memory};
use bezzel_experiment::{Catalog, program};

use super::encoder::listed;
use super::repeated::{MergedConstraint, merge};
use crate::arguments::{AnswerFormat, EncoderArguments};
use crate::failure::{CommandResult, Failure};

/// The largest number of literals of a request.
const MAX_LITERALS: u32 = 1 << 24;

/// The largest answer, with 4 bytes for each literal and each end of a clause.
const MAX_BYTES: u128 = 100 << 30;

/// The largest number of clauses of a list in the format of `marshal`.
const MAX_LIST: u128 = i32::MAX as u128;

/// The first words of requests, with their constraints. `at-most-one` has no number K.
const WORDS: [(&str, Limit); 4] = [
    ("at-most-one", Limit::AtMost),
    ("at-most", Limit::AtMost),
    ("at-least", Limit::AtLeast),
    ("exactly", Limit::Exactly),
];

pub(crate) fn run(
    arguments: &EncoderArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let encoder = Encoder::find(&arguments.id, catalog)?;
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
        let request = Request::read(&line, arguments.input_order).map_err(fault)?;
        let size = encoder.size(&request, arguments.format).map_err(fault)?;
        answers.write(&encoder, &request, size)?;
    }
    Ok(ExitCode::SUCCESS)
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

/// A constraint on some literals. A literal with a weight occurs as often as its weight.
struct Request {
    /// The literals that must hold.
    units: Vec<Lit>,
    limit: Limit,
    k: u64,
    lits: Vec<Lit>,
    /// The number of variables before the auxiliary ones.
    top: u32,
}

impl Request {
    /// Reads a request, and puts its literals into this order.
    fn read(line: &str, order: InputOrder) -> Result<Self, String> {
        let mut words = line.split_ascii_whitespace();
        let word = words.next().unwrap_or_default();
        let Some((_, limit)) = WORDS.into_iter().find(|(known, _)| *known == word) else {
            let known = WORDS.map(|(known, _)| format!("`{known}`")).join(", ");
            return Err(format!("a request begins with one of {known}, not with `{word}`"));
        };
        let k: i128 = if word == WORDS[0].0 { 1 } else { bound(words.next())? };
        let n: u32 = number(words.next(), "N, the number of literals")?;
        if n > MAX_LITERALS {
            let most = grouped(MAX_LITERALS.into());
            return Err(format!("a request has at most {most} literals, not {n}"));
        }
        let (lits, top) = match words.next() {
            None => ((0..n).map(Lit::positive).collect::<Vec<Lit>>(), n),
            Some(top) => {
                let top = number(Some(top), "TOP, the variables before the auxiliary ones")?;
                (literals(words, n, top)?, top)
            }
        };
        let MergedConstraint { units, limit, k, mut lits } = merge(limit, k, lits);
        order.arrange(&mut lits, 0, 1);
        Ok(Self { units, limit, k, lits, top })
    }

    /// The number of literals.
    fn n(&self) -> u64 {
        self.lits.len() as u64
    }

    /// The largest k of an at most k, 1 ≤ k < n, by which the constraint is encoded; none if it is clauses without an
    /// encoder.
    fn bound(&self) -> Option<u64> {
        let (n, k) = (self.n(), self.k);
        match self.limit {
            Limit::AtMost => (1..n).contains(&k).then_some(k),
            Limit::AtLeast => (2..n).contains(&k).then(|| n - k),
            Limit::Exactly if k == 1 => (n > 1).then_some(1),
            Limit::Exactly => (2..n).contains(&k).then(|| k.max(n - k)),
        }
    }
}

/// Reads the bound of a request, of any sign.
fn bound(word: Option<&str>) -> Result<i128, String> {
    let Some(word) = word else { return Err("K, the bound, is missing".to_owned()) };
    word.parse().map_err(|_| format!("`{word}` is not K, the bound: it is a whole number"))
}

/// Reads a number of a request.
fn number<T: std::str::FromStr>(word: Option<&str>, meaning: &str) -> Result<T, String> {
    let Some(word) = word else { return Err(format!("{meaning}, is missing")) };
    word.parse().map_err(|_| format!("`{word}` is not {meaning}: it is a whole number from 0 on"))
}

/// Reads `n` literals of variables from 1 to `top`.
fn literals<'a>(
    words: impl Iterator<Item = &'a str>,
    n: u32,
    top: u32,
) -> Result<Vec<Lit>, String> {
    if top > MAX_VARIABLES {
        return Err(format!("TOP is {top}: a formula has at most {MAX_VARIABLES} variables"));
    }
    let read = |word: &str| {
        let number = word.parse::<i32>().ok().filter(|number| number.unsigned_abs() <= top);
        number.and_then(|number| Lit::from_ipasir(number).ok()).ok_or_else(|| {
            format!("`{word}` is not a literal: literals are 1 to {top} (TOP) and their negatives")
        })
    };
    let lits = words.map(read).collect::<Result<Vec<Lit>, _>>()?;
    if lits.len() != n as usize {
        return Err(format!("N is {n}, and {} literals follow", lits.len()));
    }
    Ok(lits)
}

/// An encoder of at most one, of larger bounds, or of both.
struct Encoder {
    id: String,
    at_most_one: Option<Arc<dyn AtMostOne>>,
    listed: Option<Arc<dyn AtMostK>>,
}

impl Encoder {
    /// Finds the encoder with this name.
    fn find(name: &str, catalog: &Catalog) -> Result<Self, Failure> {
        let found = match catalog.encodings.find(name) {
            Ok(NamedEncoding::AtMostOne(found)) => Ok(found),
            Ok(NamedEncoding::Mixture(_) | NamedEncoding::Board(_)) => {
                return Err(Failure::Input(format!(
                    "`{name}` encodes more than one constraint: name an encoding of lines, as \
                     `product`, `commander:3` or `{{short: pairwise, long: product, at: 7}}`"
                )));
            }
            Err(unknown) => Err(unknown),
        };
        let id = found.as_ref().map_or(name.to_owned(), |found| found.info().id);
        match (found, listed(&id)) {
            (Err(unknown), None) => Err(Failure::input(unknown)),
            (found, listed) => Ok(Self { id, at_most_one: found.ok(), listed }),
        }
    }

    /// The encoder of larger bounds.
    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        let listed = self.listed.as_deref();
        listed.or_else(|| self.at_most_one.as_deref()?.of_bounds())
    }

    /// The encoder of larger bounds, for requests that need it.
    fn bounded(&self) -> &dyn AtMostK {
        self.of_bounds().expect("`size` refuses bounds that are not encoded")
    }

    /// The size of the answer, the variables before the auxiliary ones included. Refuses a bound that the encoder does
    /// not have, and an answer that is too large.
    fn size(&self, request: &Request, format: AnswerFormat) -> Result<Size, String> {
        if let Some(bound) =
            request.bound().filter(|&bound| bound > 1 && self.of_bounds().is_none())
        {
            return Err(format!(
                "it needs at most {bound} of {} literals, and `{}` encodes at most one alone: take an encoder of \
                 docs/at-most-k.md",
                request.n(),
                self.id
            ));
        }
        let stated = request.limit.size(self, request.n(), request.k);
        let size = stated.unwrap_or_else(|| self.counted(request));
        let units = request.units.len() as u128;
        let size = Size::new(
            size.variables + u128::from(request.top),
            size.clauses + units,
            size.literals + units,
        );
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
        let mut stats = FormulaStats::new();
        let inputs = stats.fresh(request.lits.len() as u32);
        let signed = |(input, lit): (Lit, &Lit)| if lit.is_neg() { !input } else { input };
        let lits: Vec<Lit> = inputs.lits().zip(&request.lits).map(signed).collect();
        request.limit.encode(self, &lits, request.k, &mut stats);
        let size = stats.size();
        Size { variables: size.variables - u128::from(request.n()), ..size }
    }

    /// Writes the clauses of the request.
    fn encode(&self, request: &Request, out: &mut dyn ClauseSink) {
        out.fresh(request.top);
        for &unit in &request.units {
            out.clause(&[unit]);
        }
        request.limit.encode(self, &request.lits, request.k, out);
    }
}

/// Its at most one is that of the encoding with its id, if there is one.
impl AtMostK for Encoder {
    fn about(&self) -> EncodingInfo {
        match &self.at_most_one {
            Some(at_most_one) => at_most_one.info(),
            None => self.bounded().about(),
        }
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        match &self.at_most_one {
            Some(at_most_one) if k == 1 => at_most_one.size(n),
            _ => self.bounded().at_most_size(n, k),
        }
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        match &self.at_most_one {
            Some(at_most_one) if k == 1 => at_most_one.encode(xs, out),
            _ => self.bounded().at_most(xs, k, out),
        }
    }

    fn exactly_size(&self, n: u64, k: u64) -> Option<Size> {
        match &self.at_most_one {
            Some(at_most_one) if k == 1 => at_most_one.exactly_one_size(n),
            _ => self.bounded().exactly_size(n, k),
        }
    }

    fn exactly(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        match &self.at_most_one {
            Some(at_most_one) if k == 1 => at_most_one.exactly_one(xs, out),
            _ => self.bounded().exactly(xs, k, out),
        }
    }
}
