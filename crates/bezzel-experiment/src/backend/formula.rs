//! The formula that an engine reads.

use bezzel_encode::{ClauseHash, ClauseSink, Encoding, FormulaStats, Images, Numbering, VarMap};
use bezzel_problem::Problem;
use bezzel_process::usage;

/// The formula of a problem, as the encoder generates it, with its numbering.
#[derive(Clone, Copy)]
pub struct NumberedFormula<'a> {
    /// The encoding with its settings.
    pub encoding: &'a dyn Encoding,
    /// The problem.
    pub problem: &'a Problem,
    /// The meaning of the encoder's variables.
    pub map: &'a VarMap,
    /// The numbering.
    pub numbering: &'a Numbering,
    /// The image of each of the encoder's variables.
    pub images: &'a Images,
    /// The number of variables.
    pub variables: u32,
    /// The number of primary variables: the first ones, which state the chosen candidates.
    pub primary: u32,
    /// The number of clauses.
    pub clauses: u64,
}

impl NumberedFormula<'_> {
    /// Writes the formula as it is numbered.
    pub fn write(&self, out: &mut dyn ClauseSink) {
        self.numbering.encode(self.encoding, self.problem, self.images, out);
    }

    /// The digest of its clauses.
    pub fn digest(&self) -> String {
        let mut digest = ClauseHash::new();
        self.write(&mut digest);
        digest.finish()
    }
}

/// An encoding of a problem after a first pass over its clauses. Renaming needs the number of variables beforehand.
pub struct PreparedFormula<'a> {
    encoding: &'a dyn Encoding,
    problem: &'a Problem,
    numbering: &'a Numbering,
    stats: FormulaStats,
    map: VarMap,
    images: Images,
    generate_cpu_s: f64,
}

impl<'a> PreparedFormula<'a> {
    /// Runs the first pass over the encoding of the problem, and numbers its variables.
    pub fn new(encoding: &'a dyn Encoding, problem: &'a Problem, numbering: &'a Numbering) -> Self {
        let start = usage::thread_cpu_s();
        let mut stats = FormulaStats::new();
        let map = encoding.encode(problem, &mut stats);
        let generate_cpu_s = usage::thread_cpu_s() - start;
        let images = numbering.images(problem, stats.variables(), &map);
        Self { encoding, problem, numbering, stats, map, images, generate_cpu_s }
    }

    /// Returns the counts of the first pass.
    pub fn stats(&self) -> &FormulaStats {
        &self.stats
    }

    /// Returns the CPU time of the first pass, in seconds.
    pub fn generate_cpu_s(&self) -> f64 {
        self.generate_cpu_s
    }

    /// The formula.
    pub fn formula(&self) -> NumberedFormula<'_> {
        NumberedFormula {
            encoding: self.encoding,
            problem: self.problem,
            map: &self.map,
            numbering: self.numbering,
            images: &self.images,
            variables: self.stats.variables(),
            primary: self.stats.primary(),
            clauses: u64::try_from(self.stats.size().clauses).expect("counted one by one"),
        }
    }
}
