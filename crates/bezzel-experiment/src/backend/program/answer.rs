//! The parser of a program's output: a formula for each request.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bezzel_encode::encoding::recorded;
use bezzel_encode::format::read::{self, FormulaComments, ReadFormula};
use bezzel_encode::{ClauseHash, ClauseSink, Formula, Lit, Size};
use bezzel_problem::{EncoderRequest, FileError, Grid, Position};

use super::request::EncodeRequest;
use crate::model::quantity::grouped;

/// The word by which a program refuses an instance; the reason follows it.
const UNFIT: &str = "unfit";

/// The largest number of variables of an answer that no clause names. Each takes memory when it is counted or solved.
const MAX_UNNAMED: u32 = 1 << 16;

/// The answer to one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EncoderAnswer {
    pub(super) record: EncoderRecord,
    /// The digest of all parts with a meaning.
    digest: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EncoderRecord {
    Line(Arc<Formula>),
    Instance(Arc<recorded::Record>),
}

/// Returns the revision of an encoding with these answers: 31 bits of their digest, never 0.
pub(super) fn revision(answers: &[(&EncodeRequest, &EncoderAnswer)]) -> u32 {
    let mut hasher = blake3::Hasher::new();
    for (request, answer) in answers {
        hasher.update(format!("{request}\n{}\n", answer.digest).as_bytes());
    }
    let bytes = hasher.finalize();
    let [a, b, c, d, ..] = *bytes.as_bytes();
    (u32::from_le_bytes([a, b, c, d]) >> 1).max(1)
}

/// Parses the whole output of a program.
pub(super) fn read(
    output: &[u8],
    requests: &BTreeSet<EncodeRequest>,
) -> Result<BTreeMap<EncodeRequest, EncoderAnswer>, String> {
    let parts = parts(output);
    let mut answers = BTreeMap::new();
    for (request, part) in requests.iter().zip(&parts) {
        let answer = part.answer(request);
        let answer = answer.map_err(|what| format!("answered `{request}` wrongly: {what}"))?;
        answers.insert(request.clone(), answer);
    }
    if parts.len() != requests.len() {
        let (asked, answered) = (requests.len(), parts.len());
        return Err(format!("was asked {asked} lines and answered {answered}"));
    }
    Ok(answers)
}

/// One answer as it was printed.
struct AnswerPart<'a> {
    /// The number of lines before it.
    before: u64,
    text: &'a [u8],
    /// The reason that the instance is refused, if it is.
    unfit: Option<String>,
}

/// Cuts the output before each header `p …` or refusal, and before the comments above it. Text before all of them
/// belongs to the first part.
fn parts(output: &[u8]) -> Vec<AnswerPart<'_>> {
    let mut cuts: Vec<(usize, u64, Option<String>)> = Vec::new();
    // The beginning of the comments and blank lines just above.
    let mut above = Some((0, 0));
    let mut offset = 0;
    for (number, line) in (0_u64..).zip(output.split_inclusive(|&byte| byte == b'\n')) {
        let text = line.trim_ascii();
        let refusal = text.strip_prefix(UNFIT.as_bytes());
        let refusal = refusal.filter(|rest| rest.first().is_none_or(u8::is_ascii_whitespace));
        if text.starts_with(b"p") || refusal.is_some() {
            let (cut, before) = above.take().unwrap_or((offset, number));
            let first = cuts.is_empty();
            let why = refusal.map(|why| String::from_utf8_lossy(why.trim_ascii()).into_owned());
            cuts.push(if first { (0, 0, why) } else { (cut, before, why) });
        } else if text.is_empty() || text.starts_with(b"c") {
            above.get_or_insert((offset, number));
        } else {
            above = None;
        }
        offset += line.len();
    }
    if cuts.is_empty() && !output.trim_ascii().is_empty() {
        cuts.push((0, 0, None));
    }
    let ends: Vec<usize> =
        cuts.iter().skip(1).map(|(cut, ..)| *cut).chain([output.len()]).collect();
    let parts = cuts.into_iter().zip(ends);
    parts
        .map(|((cut, before, unfit), end)| AnswerPart { before, text: &output[cut..end], unfit })
        .collect()
}

impl AnswerPart<'_> {
    fn answer(&self, request: &EncodeRequest) -> Result<EncoderAnswer, String> {
        match (request, &self.unfit) {
            (EncodeRequest::Instance(request), Some(why)) => self.unfit(why, request.noun),
            (_, Some(_)) => Err(self.at_line(0, "only an instance may be refused as unfit")),
            (request, None) => {
                let ReadFormula { formula, notes } =
                    read::dimacs(&mut &self.text[..]).map_err(|error| self.place(error))?;
                refuse_unnamed(&formula, request)?;
                match request {
                    EncodeRequest::Instance(request) => rules(&formula, &notes, request),
                    _ => line(formula, request.inputs()),
                }
            }
        }
    }

    /// An error with its line in the whole output.
    fn place(&self, error: FileError) -> String {
        let in_output = |place: Position| Position { line: place.line + self.before, ..place };
        FileError { position: error.position.map(in_output), ..error }.to_string()
    }

    /// Returns a fault of the line after the first `lines` lines of the part.
    fn at_line(&self, lines: u64, what: &str) -> String {
        format!("line {}: {what}", self.before + lines + 1)
    }

    fn unfit(&self, why: &str, noun: &str) -> Result<EncoderAnswer, String> {
        let lines = self.text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let belongs = |line: &[u8]| {
            line.is_empty() || line.starts_with(b"c") || line.starts_with(UNFIT.as_bytes())
        };
        if let Some((number, _)) = (0..).zip(lines).find(|(_, line)| !belongs(line)) {
            let what = format!("the {noun} is refused as unfit, and has no clauses");
            return Err(self.at_line(number, &what));
        }
        if why.is_empty() {
            return Err(self.at_line(0, "a refusal needs a reason: `unfit REASON`"));
        }
        let why: String = why.chars().filter(|c| !c.is_control()).take(200).collect();
        let digest = blake3::hash(why.as_bytes()).to_hex().to_string();
        Ok(EncoderAnswer {
            record: EncoderRecord::Instance(Arc::new(recorded::Record::Unfit(why))),
            digest,
        })
    }
}

/// Refuses a header with far more variables than there are places to name one.
fn refuse_unnamed(formula: &Formula, request: &EncodeRequest) -> Result<(), String> {
    let meant = u128::from(request.inputs());
    let Size { variables, literals, .. } = formula.size();
    if variables <= meant + literals + u128::from(MAX_UNNAMED) {
        return Ok(());
    }
    Err(format!(
        "the header states {} variables, and the clauses have {} literals: state as many as there are",
        grouped(variables),
        grouped(literals)
    ))
}

fn line(formula: Formula, inputs: u64) -> Result<EncoderAnswer, String> {
    let variables = u64::from(formula.variables());
    if variables < inputs {
        return Err(format!(
            "the header states {variables} variables, but the first {inputs} are the inputs"
        ));
    }
    let digest = digest(&formula, &[]);
    Ok(EncoderAnswer { record: EncoderRecord::Line(Arc::new(formula)), digest })
}

fn rules(
    formula: &Formula,
    notes: &FormulaComments,
    request: &EncoderRequest,
) -> Result<EncoderAnswer, String> {
    let variables = formula.variables();
    let grid = request.grid;
    let candidates = grid.places();
    let cubes: Vec<Vec<Lit>> = if notes.squares.is_empty() {
        if variables < candidates {
            return Err(format!(
                "the header states {variables} variables, but without comments `c square \
                 ROW,COLUMN LITERALS` the first {candidates} are the squares"
            ));
        }
        (0..candidates).map(|index| vec![Lit::positive(index)]).collect()
    } else {
        cubes_of(notes, grid, request.noun, variables)?
    };
    let digest = digest(formula, &cubes);
    let record = recorded::Record::rules(formula, &cubes);
    Ok(EncoderAnswer { record: EncoderRecord::Instance(Arc::new(record)), digest })
}

/// Returns the literals of each candidate from the comments. `noun` is the word for the instance.
fn cubes_of(
    notes: &FormulaComments,
    grid: Grid,
    noun: &str,
    variables: u32,
) -> Result<Vec<Vec<Lit>>, String> {
    let mut cubes = vec![None; grid.places() as usize];
    for (&square, cube) in &notes.squares {
        let Some(candidate) = grid.candidate(square) else {
            return Err(format!(
                "the comments name the square {square}, which is not on the {noun}"
            ));
        };
        cubes[candidate as usize] = Some(cube);
    }
    let mut named = Vec::new();
    for (candidate, cube) in (0..).zip(cubes) {
        let place = grid.square(candidate);
        let Some(cube) = cube else {
            return Err(format!("the comments name squares, but not {place}"));
        };
        if let Some(lit) = cube.iter().find(|lit| lit.vidx32() >= variables) {
            return Err(format!(
                "the square {place} has the literal {}: variables run from 1 to {variables}",
                lit.to_ipasir()
            ));
        }
        named.push(cube.clone());
    }
    Ok(named)
}

/// Returns the digest of the clauses, the number of variables, and their meaning.
fn digest(formula: &Formula, cubes: &[Vec<Lit>]) -> String {
    let mut digest = ClauseHash::new();
    formula.clauses().for_each(|clause| digest.clause(clause));
    for cube in cubes {
        digest.clause(cube);
    }
    format!("{} {}", formula.variables(), digest.finish())
}
